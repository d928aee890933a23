#include "expression/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "errors.hpp"
#include "expression/node_table.hpp"

namespace widl {
namespace {

/// One way to realize a sub-expression: its words and its natural-log score in every component.
struct Derivation {
  std::vector<const std::string*> words;
  std::vector<double> scores;
};
using Derivations = std::vector<Derivation>;

constexpr std::size_t kMaxPhraseWords = 10'000;

void add(std::vector<double>& into, const std::vector<double>& by) {
  for (std::size_t j = 0; j < by.size(); ++j) into[j] += by[j];
}

/// Writes out all derivations, node by node from the words up.
class Writer {
 public:
  Writer(const NodeTable& table, std::size_t components, std::size_t max_alternatives)
      : table_(table), components_(components), limit_(max_alternatives) {}

  /// The derivations of the arguments of the table's last node.
  std::vector<Derivations> arguments_of_root() {
    mark_needed();
    std::vector<Derivations> values(table_.size());
    for (std::size_t i = 0; i + 1 < table_.size(); ++i) {
      if (uses_[i] == 0) continue;
      values[i] = write(i, values);
      auto arguments = table_.arguments(i);
      for (std::size_t k = 0; k < arguments.size(); ++k)  // free values after their last use
        if (possible(i, k) && --uses_[arguments[k]] == 0) values[arguments[k]] = {};
    }
    std::vector<Derivations> result;
    for (std::uint32_t k : table_.arguments(table_.size() - 1)) result.push_back(values[k]);
    return result;
  }

 private:
  bool possible(std::size_t node, std::size_t k) const {
    const Expression& expression = *table_.nodes[node];
    return expression.kind() != Expression::Kind::disjunction || expression.possible(k);
  }

  /// Counts the users of every node that a possible choice leads to.
  void mark_needed() {
    uses_.assign(table_.size(), 0);
    uses_.back() = 1;
    for (std::size_t i = table_.size(); i-- > 0;) {
      if (uses_[i] == 0) continue;
      auto arguments = table_.arguments(i);
      for (std::size_t k = 0; k < arguments.size(); ++k)
        if (possible(i, k)) ++uses_[arguments[k]];
    }
  }

  Derivations write(std::size_t node, const std::vector<Derivations>& values) const {
    const Expression& expression = *table_.nodes[node];
    auto arguments = table_.arguments(node);
    switch (expression.kind()) {
      case Expression::Kind::word:
        return {{{&expression.text()}, std::vector<double>(components_)}};
      case Expression::Kind::lock:
        return values[arguments[0]];
      case Expression::Kind::precedence:
        return write_precedence(arguments, values);
      case Expression::Kind::disjunction:
        return write_disjunction(expression, arguments, values);
      case Expression::Kind::interleave:
        if (arguments.size() == 1) return values[arguments[0]];
        throw InputError("tiles: a span may not hold an interleave of several arguments");
      case Expression::Kind::tiles:
        throw InputError("tiles: a span may not hold tiles");
    }
    throw InternalError("unknown kind of expression");
  }

  Derivations write_precedence(std::span<const std::uint32_t> parts, const std::vector<Derivations>& values) const {
    Derivations all = {{{}, std::vector<double>(components_)}};
    for (std::uint32_t part : parts) {
      const Derivations& tails = values[part];
      require_few(all.size() * tails.size());
      Derivations longer;
      longer.reserve(all.size() * tails.size());
      for (const Derivation& head : all)
        for (const Derivation& tail : tails) {
          if (head.words.size() + tail.words.size() > kMaxPhraseWords)
            throw InputError("tiles: a span has an alternative of more than " + std::to_string(kMaxPhraseWords) +
                             " words");
          Derivation& joined = longer.emplace_back(head);
          joined.words.insert(joined.words.end(), tail.words.begin(), tail.words.end());
          add(joined.scores, tail.scores);
        }
      all = std::move(longer);
    }
    return all;
  }

  Derivations write_disjunction(const Expression& expression, std::span<const std::uint32_t> arguments,
                                const std::vector<Derivations>& values) const {
    Derivations all;
    std::vector<double> logs(components_);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (!expression.possible(k)) continue;
      const std::vector<double>& row = expression.probabilities()[k];
      for (std::size_t j = 0; j < components_; ++j) logs[j] = row.empty() ? 0 : std::log(row[row.size() == 1 ? 0 : j]);
      require_few(all.size() + values[arguments[k]].size());
      for (const Derivation& derivation : values[arguments[k]]) add(all.emplace_back(derivation).scores, logs);
    }
    return all;
  }

  void require_few(std::size_t count) const {
    if (count > limit_) throw InputError("tiles: a span has more than " + std::to_string(limit_) + " alternatives");
  }

  const NodeTable& table_;
  std::size_t components_;
  std::size_t limit_;
  std::vector<std::size_t> uses_;
};

}  // namespace

Tiles Tiles::compile(const Expression& expression, const Vocabulary& vocabulary, std::size_t components,
                     std::size_t max_alternatives) {
  if (expression.kind() != Expression::Kind::tiles) throw InputError("an expression of kind tiles was expected");
  if (expression.components() > 1 && expression.components() != components)
    throw InputError("weights for " + std::to_string(components) + " WIDL features, but the tiles have " +
                     std::to_string(expression.components()));
  NodeTable table(expression);
  std::vector<Derivations> written = Writer(table, components, max_alternatives).arguments_of_root();
  Tiles tiles(vocabulary, expression.length(), static_cast<std::uint32_t>(components),
              std::log(expression.movement_base()));
  std::vector<WordId> words;
  std::vector<float> scores;
  for (std::size_t k = 0; k < written.size(); ++k)
    for (const Derivation& way : written[k]) {
      auto [begin, end] = expression.span(k);
      words.clear();
      for (const std::string* word : way.words) words.push_back(tiles.word_id(*word));
      scores.assign(way.scores.begin(), way.scores.end());
      tiles.add(begin, end, words, scores);
    }
  return tiles;
}

void Tiles::add(std::uint32_t begin, std::uint32_t end, std::span<const WordId> words,
                std::span<const float> log_scores, bool unknown, std::span<const float> orientation) {
  const auto finite = [](std::span<const float> scores) {
    return std::all_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); });
  };
  if (begin >= end || end > length_ || log_scores.size() != components_ || !finite(log_scores) || !finite(orientation))
    throw InternalError("malformed alternative");
  if (!orientation.empty() && orientation.size() != reordering_scores())
    throw InputError("an alternative has " + std::to_string(orientation.size()) + " scores of a reordering model of " +
                     std::to_string(reordering_scores()));
  alternatives_.push_back({begin, end, static_cast<std::uint32_t>(words_.size()),
                           static_cast<std::uint32_t>(words.size()), static_cast<std::uint32_t>(scores_.size()),
                           unknown});
  words_.insert(words_.end(), words.begin(), words.end());
  scores_.insert(scores_.end(), log_scores.begin(), log_scores.end());
  scores_.insert(scores_.end(), orientation.begin(), orientation.end());
  scores_.resize(alternatives_.back().first_score + components_ + reordering_scores());  // no scores are zeros
}

void Tiles::normalize(std::size_t components) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> sums;  // by span
  for (const Alternative& alternative : alternatives_) {
    std::vector<double>& of_span = sums.try_emplace({alternative.begin, alternative.end}, components).first->second;
    for (std::size_t j = 0; j < components; ++j) of_span[j] += std::exp(double{log_scores(alternative)[j]});
  }
  for (const Alternative& alternative : alternatives_)
    for (std::size_t j = 0; j < components; ++j)
      scores_[alternative.first_score + j] -=
          static_cast<float>(std::log(sums.at({alternative.begin, alternative.end})[j]));
}

void Tiles::mark_clauses(const std::vector<std::uint32_t>& positions) {
  std::ranges::fill(marks_before_, 0);
  for (std::uint32_t position : positions) {
    if (position >= length_)
      throw InputError("a clause mark at position " + std::to_string(position) + " of a sentence of " +
                       std::to_string(length_) + " words");
    marks_before_[position + 1] = 1;
  }
  std::partial_sum(marks_before_.begin(), marks_before_.end(), marks_before_.begin());
}

void Tiles::orient(const std::vector<std::vector<float>>& scores) {
  if (scores.size() != alternatives_.size())
    throw InputError("reordering scores of " + std::to_string(scores.size()) + " alternatives, but there are " +
                     std::to_string(alternatives_.size()));
  Tiles oriented(sentence_words_.vocabulary(), length_, components_, log_movement_base_, true);
  for (std::size_t a = 0; a < scores.size(); ++a) {
    const Alternative& alternative = alternatives_[a];
    oriented.add(alternative.begin, alternative.end, words(alternative), log_scores(alternative), alternative.unknown,
                 scores[a]);
  }
  is_oriented_ = true;
  alternatives_ = std::move(oriented.alternatives_);
  scores_ = std::move(oriented.scores_);
}

}  // namespace widl
