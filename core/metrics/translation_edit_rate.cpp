#include "metrics/translation_edit_rate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "errors.hpp"

namespace widl {
namespace {

using Words = std::vector<WordId>;

constexpr std::size_t kLongestShift = 10, kMaxShifts = 1000;
constexpr std::ptrdiff_t kFarthestShift = 50;
constexpr std::int64_t kBeam = 25, kOutside = std::int64_t{1} << 50;

enum class Edit : std::uint8_t { None, Keep, Substitute, Delete, Insert };

struct Cell {
  std::int64_t cost = kOutside;
  Edit edit = Edit::None;
};

/// The alignment by the cheapest edits, and the words they change on both sides.
struct Alignment {
  std::vector<std::ptrdiff_t> position;  // of a reference word: the last hypothesis word up to it, or -1
  std::vector<bool> hypothesis_wrong, reference_wrong;
};

/// Edit distances to one reference, of hypotheses of one length.
class EditDistance {
 public:
  EditDistance(std::span<const WordId> reference, std::size_t length) : reference_(reference), length_(length) {
    ratio_ = length > 0 ? static_cast<double>(reference.size()) / static_cast<double>(length) : 1.0;
    beam_ = kBeam < ratio_ / 2 ? static_cast<std::int64_t>(std::ceil(ratio_ / 2 + kBeam)) : kBeam;
    rows_.assign(length + 1, std::vector<Cell>(reference.size() + 1));
    for (std::size_t j = 0; j <= reference.size(); ++j) rows_[0][j] = {static_cast<std::int64_t>(j), Edit::Insert};
    other_ = rows_;
  }

  /// Sets the hypothesis to `words` and returns its edit distance; alignment() then refers to it.
  std::int64_t set(const Words& words) {
    fill(rows_, words, 0);
    return rows_.back().back().cost;
  }

  /// The edit distance of words that share their first `shared` words with the current hypothesis.
  std::int64_t compare(const Words& words, std::size_t shared) {
    other_[shared] = rows_[shared];  // earlier rows are never read
    fill(other_, words, shared);
    return other_.back().back().cost;
  }

  Alignment alignment() const {
    Alignment result;
    std::vector<Edit> edits;
    for (std::size_t i = length_, j = reference_.size(); i > 0 || j > 0;) {
      const Edit edit = rows_[i][j].edit;
      edits.push_back(edit);
      if (edit == Edit::None) throw InternalError("an edit distance leaves its beam");
      i -= edit != Edit::Insert;
      j -= edit != Edit::Delete;
    }
    std::ptrdiff_t position = -1;
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
      const bool wrong = *edit != Edit::Keep;
      if (*edit != Edit::Insert) {
        ++position;
        result.hypothesis_wrong.push_back(wrong);
      }
      if (*edit != Edit::Delete) {
        result.position.push_back(position);
        result.reference_wrong.push_back(wrong);
      }
    }
    return result;
  }

 private:
  void fill(std::vector<std::vector<Cell>>& rows, const Words& words, std::size_t first) const {
    const auto columns = static_cast<std::int64_t>(reference_.size()) + 1;
    for (std::size_t i = first + 1; i <= length_; ++i) {
      const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio_));
      const std::int64_t begin = std::max<std::int64_t>(0, diagonal - beam_);
      const std::int64_t end = i == length_ ? columns : std::min(columns, diagonal + beam_);
      const std::vector<Cell>& above = rows[i - 1];
      std::vector<Cell>& row = rows[i];
      std::fill(row.begin(), row.end(), Cell{});
      for (std::int64_t column = begin; column < end; ++column) {
        const auto j = static_cast<std::size_t>(column);
        if (j == 0) {
          row[0] = {above[0].cost + 1, Edit::Delete};
          continue;
        }
        const bool equal = words[i - 1] == reference_[j - 1];
        // Ties in cost go to the first edit.
        improve(row[j], above[j - 1].cost + !equal, equal ? Edit::Keep : Edit::Substitute);
        improve(row[j], above[j].cost + 1, Edit::Delete);
        improve(row[j], row[j - 1].cost + 1, Edit::Insert);
      }
    }
  }

  static void improve(Cell& cell, std::int64_t cost, Edit edit) {
    if (cost < cell.cost) cell = {cost, edit};
  }

  std::span<const WordId> reference_;
  std::size_t length_;
  double ratio_;
  std::int64_t beam_;
  std::vector<std::vector<Cell>> rows_, other_;
};

/// Moves the words [start, start + length) to `target`, a position in the original order; a target within the sequence
/// moves it right by that offset.
void shift(const Words& words, std::size_t start, std::size_t length, std::size_t target, Words& result) {
  result = words;
  const auto at = [&](std::size_t i) {
    return result.begin() + static_cast<std::ptrdiff_t>(std::min(i, words.size()));
  };
  if (target < start) {
    std::rotate(at(target), at(start), at(start + length));
  } else {
    std::rotate(at(start), at(start + length), at(target > start + length ? target : target + length));
  }
}

/// Tries all shifts of word sequences that occur in the reference, in Tercom's order.
class Shifter {
 public:
  Shifter(std::span<const WordId> hypothesis, std::span<const WordId> reference)
      : words_(hypothesis.begin(), hypothesis.end()), reference_(reference), distance_(reference, hypothesis.size()) {}

  std::size_t edits() {
    std::size_t shifts = 0;
    std::int64_t cost = distance_.set(words_);
    while (take_best_shift(cost)) {
      ++shifts;
      cost = distance_.set(words_);
    }
    return shifts + static_cast<std::size_t>(cost);
  }

 private:
  /// The gain; ties go to longer shifts, then to earlier ones, then to targets farther left.
  using Rank = std::tuple<std::int64_t, std::size_t, std::ptrdiff_t, std::ptrdiff_t>;

  bool take_best_shift(std::int64_t cost) {
    alignment_ = distance_.alignment();
    best_.reset();
    for (std::size_t start = 0; start < words_.size() && tried_ < kMaxShifts; ++start)
      for (std::size_t at = 0; at < reference_.size() && tried_ < kMaxShifts; ++at) try_pair(cost, start, at);
    if (tried_ >= kMaxShifts || !best_ || std::get<0>(*best_) <= 0) return false;
    words_ = best_words_;
    return true;
  }

  void try_pair(std::int64_t cost, std::size_t start, std::size_t at) {
    if (std::abs(static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(start)) > kFarthestShift) return;
    bool hypothesis_wrong = false, reference_wrong = false;
    for (std::size_t length = 1; length <= kLongestShift; ++length) {
      const std::size_t word = start + length - 1, other = at + length - 1;
      if (word >= words_.size() || other >= reference_.size() || words_[word] != reference_[other]) return;
      hypothesis_wrong = hypothesis_wrong || alignment_.hypothesis_wrong[word];
      reference_wrong = reference_wrong || alignment_.reference_wrong[other];
      const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(start),
                           end = static_cast<std::ptrdiff_t>(start + length);
      const bool inside = begin <= alignment_.position[at] && alignment_.position[at] < end;
      if (!hypothesis_wrong || !reference_wrong || inside) continue;
      try_targets(cost, start, at, length);
      if (tried_ >= kMaxShifts) return;
    }
  }

  void try_targets(std::int64_t cost, std::size_t start, std::size_t at, std::size_t length) {
    std::ptrdiff_t before = -1;
    // Targets are the position before the reference position's word, and the position after each word to be covered.
    for (std::size_t offset = 0; offset <= length && at + offset <= reference_.size(); ++offset) {
      const std::ptrdiff_t target = at + offset == 0 ? 0 : alignment_.position[at + offset - 1] + 1;
      if (target == before) continue;
      before = target;
      const auto to = static_cast<std::size_t>(target);
      shift(words_, start, length, to, shifted_);
      const std::int64_t gain = cost - distance_.compare(shifted_, std::min(start, to));
      ++tried_;
      const Rank rank{gain, length, -static_cast<std::ptrdiff_t>(start), -target};
      if (!best_ || rank > *best_) {
        best_ = rank;
        best_words_ = shifted_;
      }
    }
  }

  Words words_, shifted_, best_words_;
  std::span<const WordId> reference_;
  EditDistance distance_;
  Alignment alignment_;
  std::optional<Rank> best_;
  std::size_t tried_ = 0;
};

}  // namespace

std::size_t translation_edits(std::span<const WordId> hypothesis, std::span<const WordId> reference) {
  if (reference.empty()) return hypothesis.size();
  return Shifter(hypothesis, reference).edits();
}

}  // namespace widl
