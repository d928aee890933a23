#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "search/budget.hpp"

namespace widl {

/// A table of values for rows that have few values, most of them adjacent. A row is a table of pieces of 64 columns;
/// all pieces without values share one piece. Rows and values never move.
template <class Value>
class SparseRows {
 public:
  static constexpr std::size_t kPiece = 64;
  /// A row: the value of a column is row[column / kPiece][column % kPiece].
  using Row = const Value* const*;

  /// `none`: the value of an empty cell.
  SparseRows(const Value& none, Budget& budget)
      : none_(kPiece, none), rows_(budget), tables_(budget), values_(budget) {}
  SparseRows(const SparseRows&) = delete;
  SparseRows& operator=(const SparseRows&) = delete;

  /// The first call sets the number of columns. @throws OutOfBudget
  Row row(std::size_t number, std::size_t columns) {
    if (rows_.size() <= number) rows_.resize(std::max(2 * rows_.size(), number + 1));
    return rows_[number] ? rows_[number] : add_row(number, columns);
  }
  bool has(std::size_t column) const { return column / kPiece < pieces_; }
  /// Sets a value of an existing row. @throws OutOfBudget
  void set(std::size_t number, std::size_t column, const Value& value) {
    assert(has(column));
    Value*& piece = rows_[number][column / kPiece];
    if (piece == none_.data()) {
      piece = values_.take(kPiece);
      std::copy(none_.begin(), none_.end(), piece);
    }
    piece[column % kPiece] = value;
  }
  static const Value& at(Row row, std::size_t column) { return row[column / kPiece][column % kPiece]; }

 private:
  /// Blocks of items that never move; each block is as large as all previous blocks together, up to a bound.
  template <class Item>
  class Blocks {
   public:
    explicit Blocks(Budget& budget) : budget_(budget) {}
    ~Blocks() { budget_.give_back(items_ * sizeof(Item)); }
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;

    Item* take(std::size_t count) {
      if (left_ < count) {
        const std::size_t added = std::max(count, std::min(kLargest / sizeof(Item), std::max(kFirst, items_)));
        budget_.take(added * sizeof(Item));
        items_ += added;
        blocks_.push_back(std::make_unique_for_overwrite<Item[]>(added));
        next_ = blocks_.back().get();
        left_ = added;
      }
      left_ -= count;
      return std::exchange(next_, next_ + count);
    }

   private:
    static constexpr std::size_t kFirst = 16 * kPiece, kLargest = std::size_t{1} << 20;
    Budget& budget_;
    std::vector<std::unique_ptr<Item[]>> blocks_;
    Item* next_ = nullptr;
    std::size_t left_ = 0, items_ = 0;
  };

  Row add_row(std::size_t number, std::size_t columns) {
    if (pieces_ == 0) pieces_ = std::max<std::size_t>(1, (columns + kPiece - 1) / kPiece);
    rows_[number] = tables_.take(pieces_);
    std::fill_n(rows_[number], pieces_, none_.data());
    return rows_[number];
  }

  std::vector<Value> none_;
  MeteredVector<Value**> rows_;
  Blocks<Value*> tables_;
  Blocks<Value> values_;
  std::size_t pieces_ = 0;  // of a row
};

}  // namespace widl
