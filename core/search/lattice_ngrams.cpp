#include "search/lattice_ngrams.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace widl {

std::uint32_t NgramTable::extend(std::uint32_t history, std::uint32_t word) {
  history = as_history(history);
  if (const auto known = numbers_.find(key(history, word)); known != numbers_.end()) return known->second;
  // Shorter ones first, so that numbers grow with the suffixes.
  const std::uint32_t suffix = history == 0 ? 0 : extend(ngrams_[history].suffix, word);
  const auto number = static_cast<std::uint32_t>(ngrams_.size());
  ngrams_.push_back({history, word, suffix, ngrams_[history].length + 1});
  numbers_.emplace(key(history, word), number);
  return number;
}

NgramLattice::NgramLattice(const Lattice& lattice, unsigned order) : lattice_(lattice), table_(order) {
  number_words();
  std::vector<std::vector<std::uint32_t>> parts(lattice.nodes());  // by node of the lattice, those here
  histories_ = {0};
  parts[0] = {0};
  for (std::uint32_t a = 0; a < lattice.arcs().size(); ++a) {
    const Lattice::Arc& arc = lattice.arcs()[a];
    for (const std::uint32_t from : parts[arc.from]) {
      const auto first = static_cast<std::uint32_t>(ends_.size());
      std::uint32_t history = histories_[from];
      const auto put = [&](std::uint32_t word) {
        const std::uint32_t ngram = table_.extend(history, word);
        ends_.push_back(ngram);
        history = table_.as_history(ngram);
      };
      std::ranges::for_each(phrases_[arc.phrase], put);
      if (is_last(arc)) {
        put(end_word_);
        history = 0;
      }
      std::vector<std::uint32_t>& there = parts[arc.to];
      auto to = std::ranges::find_if(there, [&](std::uint32_t node) { return histories_[node] == history; });
      if (to == there.end()) {
        there.push_back(static_cast<std::uint32_t>(histories_.size()));
        histories_.push_back(history);
        to = there.end() - 1;
      }
      arcs_.push_back({from, *to, a, first});
    }
  }
}

void NgramLattice::number_words() {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (const Lattice::Phrase& phrase : lattice_.phrases()) {
    std::vector<std::uint32_t>& own = phrases_.emplace_back();
    for (const std::string& word : phrase) {
      own.push_back(numbers.try_emplace(word, static_cast<std::uint32_t>(numbers.size())).first->second);
    }
  }
  end_word_ = static_cast<std::uint32_t>(numbers.size());
}

std::vector<double> NgramLattice::reaching(const LatticePosterior& posterior) const {
  std::vector<double> probabilities(nodes(), 0.0);
  probabilities[0] = 1;
  for (const Arc& arc : arcs_)
    probabilities[arc.to] += probabilities[arc.from] * std::exp(posterior.log_probability(arc.label));
  return probabilities;
}

std::vector<double> NgramLattice::posteriors(const LatticePosterior& posterior) const {
  const std::size_t size = table_.size();
  // The arcs with each n-gram, every arc once; and whether an n-gram may come several times on a way.
  std::vector<std::vector<std::uint32_t>> places(size);
  std::vector<bool> repeats(size);
  for (std::uint32_t a = 0; a < arcs_.size(); ++a)
    for (std::uint32_t ngram : ngrams(arcs_[a]))
      for (; ngram != 0; ngram = table_.suffix(ngram)) {
        if (!places[ngram].empty() && places[ngram].back() == a) repeats[ngram] = true;
        else places[ngram].push_back(a);
      }

  const std::vector<double> reached = reaching(posterior);
  std::vector<double> step(arcs_.size());
  for (std::size_t a = 0; a < arcs_.size(); ++a) step[a] = std::exp(posterior.log_probability(arcs_[a].label));
  std::vector<double> result(size, 0.0);
  std::vector<double> had(nodes(), 0.0);  // probability to reach a node with the n-gram behind
  result[0] = 1;
  for (std::uint32_t g = 1; g < size; ++g) {
    const std::vector<std::uint32_t>& some = places[g];
    // What comes twice has parts that do.
    if (table_.length(g) > 1 && !(repeats[table_.suffix(g)] && repeats[table_.before(g)])) {
      for (const std::uint32_t a : some) result[g] += reached[arcs_[a].from] * step[a];
      continue;
    }
    // The first one on a way counts.
    auto next = some.begin();
    for (std::uint32_t a = some.front(); a <= some.back(); ++a) {
      const auto& [from, to, label, first] = arcs_[a];
      if (*next == a) {
        if (had[from] > 0) repeats[g] = true;
        result[g] += (reached[from] - had[from]) * step[a];
        had[to] += reached[from] * step[a];
        ++next;
      } else if (had[from] > 0) {
        had[to] += had[from] * step[a];
      }
    }
    for (std::uint32_t a = some.front(); a <= some.back(); ++a) had[arcs_[a].to] = 0;
  }
  return result;
}

}  // namespace widl
