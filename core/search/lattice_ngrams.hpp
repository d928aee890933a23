#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/lattice.hpp"
#include "search/lattice_posterior.hpp"

namespace widl {

/// The n-grams of words of up to an order, numbered; number 0 is the empty one. A longer one has a larger number than its
/// beginning and than what is left of it without its first word.
class NgramTable {
 public:
  explicit NgramTable(unsigned order) : order_(order) {}

  std::size_t size() const { return ngrams_.size(); }
  /// The longest n-gram that ends with `word` after the words of `history`.
  std::uint32_t extend(std::uint32_t history, std::uint32_t word);
  /// An n-gram as the history of the next word: without its first word if it has `order` words.
  std::uint32_t as_history(std::uint32_t ngram) const {
    return length(ngram) < order_ ? ngram : ngrams_[ngram].suffix;
  }
  unsigned length(std::uint32_t ngram) const { return ngrams_[ngram].length; }
  /// Without its first word, and without its last.
  std::uint32_t suffix(std::uint32_t ngram) const { return ngrams_[ngram].suffix; }
  std::uint32_t before(std::uint32_t ngram) const { return ngrams_[ngram].before; }

 private:
  static std::uint64_t key(std::uint32_t history, std::uint32_t word) { return (std::uint64_t{history} << 32) | word; }
  struct Ngram {
    std::uint32_t before, word, suffix;
    unsigned length;
  };
  unsigned order_;
  std::vector<Ngram> ngrams_{{0, 0, 0, 0}};
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // by beginning and last word
};

/// A lattice whose nodes are divided by the last words of the ways to them, so that every word of every arc ends known
/// n-grams: the lattice intersected with all histories of order - 1 words. The last node stays one.
class NgramLattice {
 public:
  struct Arc {
    std::uint32_t from, to;  ///< nodes here
    std::uint32_t label;     ///< number in the lattice
    std::uint32_t first;     ///< of its words' n-grams
  };

  /// The end of the sentence is one more word behind the last.
  NgramLattice(const Lattice& lattice, unsigned order);

  const NgramTable& table() const { return table_; }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(histories_.size()); }
  /// In a topological order.
  const std::vector<Arc>& arcs() const { return arcs_; }
  /// By word of an arc, the longest n-gram that ends there; the shorter ones are its suffixes.
  std::span<const std::uint32_t> ngrams(const Arc& arc) const {
    const std::uint32_t* begin = ends_.data() + arc.first;
    const Lattice::Arc& original = lattice_.arcs()[arc.label];
    return {begin, lattice_.words(original).size() + is_last(original)};
  }

  /// Probability that a derivation has an n-gram at all, of every n-gram.
  std::vector<double> posteriors(const LatticePosterior& posterior) const;

 private:
  bool is_last(const Lattice::Arc& arc) const { return arc.to + 1 == lattice_.nodes(); }
  void number_words();
  std::vector<double> reaching(const LatticePosterior& posterior) const;

  const Lattice& lattice_;
  NgramTable table_;
  std::uint32_t end_word_ = 0;  // number of the end of the sentence, the largest of a word
  std::vector<std::vector<std::uint32_t>> phrases_;  // the lattice's, as numbers of words
  std::vector<std::uint32_t> histories_;             // by node
  std::vector<Arc> arcs_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace widl
