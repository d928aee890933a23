#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

/// Counts the overlap of candidates with their sentence's references: n-grams for BLEU and ROUGE-N, the longest common
/// subsequence for ROUGE-L. Texts are tokens separated by single spaces. Counting is safe from several threads.
class MetricStatistics {
 public:
  /// `references[s]` are the references of sentence s; n-grams up to `max_order` are counted.
  MetricStatistics(const std::vector<std::vector<std::string>>& references, std::size_t max_order);

  std::size_t sentences() const { return sentences_.size(); }
  std::size_t max_order() const { return max_order_; }
  std::size_t references(std::size_t sentence) const { return sentences_[sentence].references.size(); }

  /// Matches of orders 1..N clipped by the largest count in any reference, n-grams of orders 1..N, length, and the
  /// closest reference length (ties go to the shorter) (Papineni et al. 2002, as in sacrebleu).
  void bleu(std::size_t sentence, std::string_view text, std::span<double> result) const;

  /// For one reference: the number of shared n-grams of `order`, of the candidate's and of the reference's n-grams. For
  /// order 0, words of the longest common subsequence instead (Lin 2004, Sections 2 and 3).
  std::array<double, 3> rouge(std::size_t sentence, std::size_t reference, std::string_view text,
                              std::size_t order) const;

  /// The fewest edits to a reference, and the references' mean length, as in TER.
  std::array<double, 2> ter(std::size_t sentence, std::string_view text) const;

 private:
  using Words = std::vector<WordId>;
  using NodeId = std::uint32_t;

  /// The n-grams of a sentence's references as a trie, with counts[node * references + r].
  struct Sentence {
    std::vector<Words> references;
    std::unordered_map<std::uint64_t, NodeId> children;  // of (node, word)
    std::vector<std::uint32_t> counts;
    std::vector<std::uint8_t> orders;
  };

  Words known_words(std::string_view text) const;
  void add_reference(Sentence& sentence, std::size_t reference, const Words& words) const;
  std::vector<std::uint32_t> count_nodes(const Sentence& sentence, const Words& words) const;

  std::size_t max_order_;
  Vocabulary vocabulary_;
  std::vector<Sentence> sentences_;
};

}  // namespace widl
