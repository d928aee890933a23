#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "search/constrained_unfolding.hpp"
#include "search/options.hpp"
#include "search/realization.hpp"
#include "search/search_run.hpp"

namespace widl {

/// Derivations, lattices and records of an unfolding, made from the labels of their edges: each step adds its features
/// to a row (FeatureLayout), apart from the weighted scores of search.
template <Unfolding U>
class Derivations {
 public:
  using State = typename U::State;

  Derivations(const U& unfolding, NGramScorer& scorer, const SentenceWords& words, const WeightVector& weights)
      : unfolding_(unfolding), scorer_(scorer), words_(words), layout_(weights.layout()), weights_(weights.row()) {}

  [[gnu::cold]] Derivation derivation(std::span<const std::uint32_t> labels) const {
    Derivation derivation;
    derivation.features.assign(layout_.size(), 0.0);
    std::vector<WordId> ids;
    State state = unfolding_.initial();
    std::uint32_t begun = 0;
    for (std::uint32_t label : labels) {
      const auto edge = unfolding_.step(state, label);
      add_features(state, *edge, derivation.features);
      derivation.phrases.push_back(unfolding_.phrase(label));
      derivation.phrase_numbers.push_back(unfolding_.phrases_of(label) ? begun++ : number_of_continued(derivation));
      std::ranges::copy(scorer_.words(edge->phrase), std::back_inserter(ids));
      state = edge->to;
    }
    std::ranges::copy(scorer_.features(ids),
                      derivation.features.begin() + static_cast<std::ptrdiff_t>(layout_.components));
    for (WordId word : ids) derivation.words.emplace_back(words_.text(word));
    for (std::size_t m = 0; m < weights_.size(); ++m) derivation.score += weights_[m] * derivation.features[m];
    return derivation;
  }

  /// The explored derivations, with a row of features for each arc.
  [[gnu::cold]] std::shared_ptr<const Lattice> lattice(const ExploredGraph& explored) const {
    std::vector<std::optional<State>> states(explored.nodes);  // identical on all paths to a node
    states[0] = unfolding_.initial();
    std::vector<Lattice::Arc> arcs;
    std::vector<Lattice::Phrase> phrases;
    std::vector<double> features;
    std::map<PhraseId, std::uint32_t> numbers;
    for (const ExploredGraph::Arc& arc : explored.arcs) {
      const State& from = *states[arc.from];
      const auto edge = unfolding_.step(from, arc.label);
      features.resize(features.size() + layout_.size());
      const auto row = std::span(features).last(layout_.size());
      add_features(from, *edge, row);
      scorer_.add_features(arc.context, arc.phrase, arc.to + 1 == explored.nodes,
                           row.subspan(layout_.components, layout_.language_models));
      const auto [entry, added] = numbers.try_emplace(arc.phrase, static_cast<std::uint32_t>(phrases.size()));
      if (added) phrases.push_back(words_of(arc.phrase));
      const RealizedPhrase phrase = unfolding_.phrase(arc.label);
      arcs.push_back({arc.from, arc.to, phrase.begin, phrase.end, phrase.number, entry->second});
      states[arc.to] = edge->to;
    }
    return std::make_shared<const Lattice>(std::move(arcs), std::move(phrases), std::move(features));
  }

  /// The record of the search, with the words of each step.
  [[gnu::cold]] std::shared_ptr<const SearchRecord> record(const SearchRecorder& recorder) const {
    using Kind = SearchEvent::Kind;
    auto record = std::make_shared<SearchRecord>();
    record->events = recorder.events();
    record->left_out = recorder.left_out();
    for (const SearchEvent& event : record->events) {
      const bool is_step = event.kind == Kind::made || event.kind == Kind::improved || event.kind == Kind::recombined;
      if (is_step && event.from != SearchEvent::kNone) note(*record, event.label);
    }
    return record;
  }

 private:
  /// The phrase that the last edge continues: its words precede the edge's own in the expression as written.
  static std::uint32_t number_of_continued(const Derivation& derivation) {
    for (std::size_t before = derivation.phrases.size() - 1; before-- > 0;)
      if (derivation.phrases[before].end == derivation.phrases.back().begin) return derivation.phrase_numbers[before];
    throw InternalError("a phrase continues that has not begun");
  }

  /// The phrase and the words of a label.
  void note(SearchRecord& record, std::uint32_t label) const {
    if (record.words.size() <= label) {
      record.words.resize(label + 1);
      record.phrases.resize(label + 1, {0, 0, 0, SearchEvent::kNone});
    }
    if (!record.words[label].empty()) return;
    record.words[label] = words_of(unfolding_.option(label).phrase);
    record.phrases[label] = unfolding_.phrase(label);
  }

  template <class Edge>
  void add_features(const State& from, const Edge& edge, std::span<double> row) const {
    unfolding_.add_features(from, edge.label, layout_, row);
    row[layout_.word_count()] += edge.word_count;
    row[layout_.phrase_count()] += unfolding_.phrases_of(edge.label);
  }
  std::vector<std::string> words_of(PhraseId phrase) const {
    std::vector<std::string> all;
    for (WordId word : scorer_.words(phrase)) all.emplace_back(words_.text(word));
    return all;
  }

  const U& unfolding_;
  NGramScorer& scorer_;
  const SentenceWords& words_;
  FeatureLayout layout_;
  std::vector<double> weights_;
};

}  // namespace widl
