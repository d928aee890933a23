#include "expression/tiles.hpp"

#include <algorithm>
#include <cmath>

#include "errors.hpp"

namespace widl {
namespace {

/// One way to realize a sub-expression: its words and, once a disjunction was met, its log-scores.
struct Derivation {
  std::vector<const std::string*> words;
  std::vector<double> scores;
};

void multiply(std::vector<double>& into, const std::vector<double>& by) {
  if (by.empty()) return;
  if (into.empty()) into.assign(by.size(), 0.0);
  if (into.size() != by.size())
    throw InputError("tiles: disjunctions with " + std::to_string(into.size()) + " and with " +
                     std::to_string(by.size()) + " components in one span");
  for (std::size_t j = 0; j < by.size(); ++j) into[j] += by[j];
}

void require_at_most(std::size_t count, std::size_t limit) {
  if (count > limit)
    throw InputError("tiles: a span has more than " + std::to_string(limit) + " alternatives");
}

std::vector<Derivation> derivations(const Expression& expression, std::size_t limit) {
  using Kind = Expression::Kind;
  switch (expression.kind()) {
    case Kind::word:
      return {{{&expression.text()}, {}}};
    case Kind::lock:
      return derivations(*expression.arguments()[0], limit);
    case Kind::precedence: {
      std::vector<Derivation> all = {{}};
      for (const ExpressionPtr& part : expression.arguments()) {
        std::vector<Derivation> longer;
        std::vector<Derivation> tails = derivations(*part, limit);
        require_at_most(all.size() * tails.size(), limit);
        for (const Derivation& head : all)
          for (const Derivation& tail : tails) {
            Derivation& joined = longer.emplace_back(head);
            joined.words.insert(joined.words.end(), tail.words.begin(), tail.words.end());
            multiply(joined.scores, tail.scores);
          }
        all = std::move(longer);
      }
      return all;
    }
    case Kind::disjunction: {
      std::vector<Derivation> all;
      for (std::size_t k = 0; k < expression.arguments().size(); ++k) {
        std::vector<double> logs;
        bool possible = true;
        for (double p : expression.probabilities()[k]) {
          possible = possible && p > 0;
          logs.push_back(std::log(p));
        }
        if (!possible) continue;
        for (Derivation& one : derivations(*expression.arguments()[k], limit)) {
          multiply(one.scores, logs);
          all.push_back(std::move(one));
        }
        require_at_most(all.size(), limit);
      }
      return all;
    }
    case Kind::interleave:
      if (expression.arguments().size() == 1) return derivations(*expression.arguments()[0], limit);
      throw InputError("tiles: a span may not hold an interleave of several arguments");
    case Kind::tiles:
      throw InputError("tiles: a span may not hold tiles");
  }
  throw InternalError("unknown kind of expression");
}

}  // namespace

Tiles Tiles::compile(const Expression& expression, const Vocabulary& vocabulary,
                     std::size_t max_alternatives) {
  if (expression.kind() != Expression::Kind::tiles)
    throw InputError("an expression of kind tiles was expected");
  struct Written {
    std::uint32_t begin, end;
    std::vector<Derivation> ways;
  };
  std::vector<Written> spans;
  std::size_t components = 0;
  for (std::size_t k = 0; k < expression.arguments().size(); ++k) {
    auto [begin, end] = expression.span(k);
    spans.push_back({begin, end, derivations(*expression.arguments()[k], max_alternatives)});
    for (const Derivation& way : spans.back().ways) components = std::max(components, way.scores.size());
  }
  Tiles tiles(vocabulary, expression.length(), static_cast<std::uint32_t>(components),
              std::log(expression.movement_base()));
  std::vector<WordId> words;
  std::vector<float> scores;
  for (const Written& span : spans)
    for (const Derivation& way : span.ways) {
      if (!way.scores.empty() && way.scores.size() != components)
        throw InputError("tiles: disjunctions with different numbers of components");
      words.clear();
      for (const std::string* word : way.words) words.push_back(tiles.word_id(*word));
      scores.assign(way.scores.begin(), way.scores.end());
      scores.resize(components, 0.0f);
      tiles.add(span.begin, span.end, words, scores);
    }
  return tiles;
}

void Tiles::add(std::uint32_t begin, std::uint32_t end, std::span<const WordId> words,
                std::span<const float> log_scores, bool unknown) {
  if (begin >= end || end > length_ || words.empty() || log_scores.size() != components_)
    throw InternalError("malformed alternative");
  alternatives_.push_back({begin, end, static_cast<std::uint32_t>(words_.size()),
                           static_cast<std::uint32_t>(words.size()),
                           static_cast<std::uint32_t>(scores_.size()), unknown});
  words_.insert(words_.end(), words.begin(), words.end());
  scores_.insert(scores_.end(), log_scores.begin(), log_scores.end());
}

WordId Tiles::word_id(std::string_view text) {
  if (auto id = vocabulary_->find(text)) return *id;
  auto next = static_cast<WordId>(vocabulary_->size() + own_words_.size());
  auto [found, added] = own_ids_.try_emplace(std::string(text), next);
  if (added) own_words_.emplace_back(text);
  return found->second;
}

std::string_view Tiles::text(WordId word) const {
  return word < vocabulary_->size() ? vocabulary_->word(word)
                                    : std::string_view(own_words_[word - vocabulary_->size()]);
}

}  // namespace widl
