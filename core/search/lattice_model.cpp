#include "search/lattice_model.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "log_zero.hpp"
#include "search/constants.hpp"

namespace widl {

LatticeModel::LatticeModel(const Lattice& lattice, SentenceWords& words, NGramScorer& scorer,
                           const WeightVector& weights, Budget& budget)
    : lattice_(&lattice), budget_(budget) {
  make_options(words, scorer, weights);
  measure();
  budget.take_input(options_.size() * (sizeof(LatticeOption) + sizeof(std::uint32_t)) +
                    lattice.nodes() * (sizeof(Extent) + sizeof(double) + 2 * sizeof(std::uint32_t)));
  const auto out = catch_out_of_budget([&] {
    const Budget::Share share(budget_, constants::kShareOfBounds);
    bound_by_history(scorer);
  });
  if (!out) return;
  for (MeteredVector<std::uint32_t>* list : {&first_history_, &history_of_})
    MeteredVector<std::uint32_t>(budget_).swap(*list);
  MeteredVector<History>(budget_).swap(histories_);
  bound_without_history(scorer);
}

void LatticeModel::make_options(SentenceWords& words, NGramScorer& scorer, const WeightVector& weights) {
  std::vector<PhraseId> phrases;
  std::vector<WordId> ids;
  for (const Lattice::Phrase& phrase : lattice_->phrases()) {
    ids.clear();
    for (const std::string& word : phrase) ids.push_back(words.id(word));
    phrases.push_back(scorer.phrase(ids));
  }
  scorer.settle();
  std::vector<double> scores;
  lattice_->dot(weights.widl, scores);
  for (std::uint32_t a = 0; a < scores.size(); ++a) {
    const Lattice::Arc& arc = lattice_->arcs()[a];
    const PhraseId phrase = phrases[arc.phrase];
    const auto word_count = static_cast<std::uint32_t>(scorer.words(phrase).size());
    has_empty_phrases_ = has_empty_phrases_ || word_count == 0;
    const double score = scores[a] + weights.word_count * word_count + weights.phrase_count;
    const ScoreEstimate models = scorer.estimate_of(phrase);
    options_.push_back(
        {{phrase, 0, word_count, scorer.bytes(phrase), score, score + models.estimate, score + models.bound, 0},
         arc.from,
         arc.to,
         a});
  }
  std::ranges::stable_sort(
      options_, {}, [](const LatticeOption& option) { return std::tuple(option.from, option.to, -option.estimate); });
  bound_from_each(options_, [](const auto& a, const auto& b) { return a.from == b.from && a.to == b.to; });
  first_from_.assign(lattice_->nodes() + 1, 0);
  label_of_arc_.resize(options_.size());
  for (std::uint32_t label = 0; label < options_.size(); ++label) {
    options_[label].label = label;
    label_of_arc_[options_[label].arc] = label;
    ++first_from_[options_[label].from + 1];
  }
  for (std::size_t n = 0; n < lattice_->nodes(); ++n) first_from_[n + 1] += first_from_[n];
}

/// Lengths of paths to the end.
void LatticeModel::measure() {
  most_arcs_.assign(lattice_->nodes(), 0);
  shortest_.assign(lattice_->nodes(), {Extent::kEndless, Extent::kEndless});
  shortest_[last()] = {};
  for (std::uint32_t node = last(); node-- > 0;)
    for (const LatticeOption& option : options_from(node)) {
      most_arcs_[node] = std::max(most_arcs_[node], most_arcs_[option.to] + 1);
      shortest_[node] = better(shortest_[node], shortest_[option.to] + Extent{option.word_count, option.bytes});
    }
}

/// Each phrase in its best possible context.
void LatticeModel::bound_without_history(const NGramScorer& scorer) {
  rest_.assign(lattice_->nodes(), kLogZero);
  rest_[last()] = scorer.finish_estimate().bound;
  for (std::uint32_t node = last(); node-- > 0;)
    for (const LatticeOption& option : options_from(node))
      rest_[node] = std::max(rest_[node], option.bound + rest_[option.to]);
}

/// Pairs each phrase with the phrases that may precede it. @throws OutOfBudget
void LatticeModel::bound_by_history(const NGramScorer& scorer) {
  constexpr std::size_t kWorkPerScore = 20;
  find_histories(scorer);
  rest_.assign(lattice_->nodes(), kLogZero);
  for (std::uint32_t node = lattice_->nodes(); node-- > 0;)
    for (std::uint32_t h = first_history_[node]; h < first_history_[node + 1]; ++h) {
      History& history = histories_[h];
      budget_.work(kWorkPerScore * (options_from(node).size() + 5));
      const bool is_start = node == 0;
      const PhraseId before = is_start ? PhraseId(0) : options_[history.label].phrase;
      const bool from_start = is_start || options_[history.label].from == 0;
      const NGramScorer::Known context = scorer.known({&before, is_start ? 0u : 1u}, from_start);
      if (node == last()) history.rest = scorer.finish_bound_after(context);
      for (const LatticeOption& option : options_from(node)) {
        const double rest = option.score + scorer.bound_after(context, option.phrase) + rest_after(option.label);
        history.rest = std::max(history.rest, rest);
      }
      rest_[node] = std::max(rest_[node], history.rest);
    }
}

void LatticeModel::find_histories(const NGramScorer& scorer) {
  constexpr std::size_t kWorkPerArc = 60;
  history_of_.resize(options_.size());
  first_history_.push_back(0);
  histories_.push_back({Arrival::kNone, kLogZero});  // of the start
  for (std::uint32_t node = 1; node < lattice_->nodes(); ++node) {
    first_history_.push_back(static_cast<std::uint32_t>(histories_.size()));
    std::map<std::vector<std::uint32_t>, std::uint32_t> ids;  // by the part that language models see
    for (std::size_t a = lattice_->first_in(node); a < lattice_->last_in(node); ++a) {
      budget_.work(kWorkPerArc);
      const LatticeOption& option = options_[label_of_arc_[a]];
      const auto number = static_cast<std::uint32_t>(histories_.size());
      const auto [entry, added] = ids.try_emplace(scorer.signature({&option.phrase, 1}, option.from == 0), number);
      if (added) histories_.push_back({option.label, kLogZero});
      history_of_[option.label] = entry->second;
    }
  }
  first_history_.push_back(static_cast<std::uint32_t>(histories_.size()));
}

}  // namespace widl
