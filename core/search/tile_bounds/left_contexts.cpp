#include "search/tile_bounds/left_contexts.hpp"
#include "log_zero.hpp"

#include <numeric>
#include <utility>

namespace widl {

LeftContexts::LeftContexts(const TileModel& model, const TileOrientations* orientations, const NGramScorer& scorer,
                           Budget& budget)
    : model_(model), scorer_(scorer), budget_(budget), reach_(scorer.reach()) {
  ends_.assign(model.length() + 1, LeftContextsAt(budget));
  prefixes_.resize(ends_.size());
  blocks_.assign(ends_.size() * ends_.size(), kNone);
  refinements_.resize(model.options().size());
  refined_.resize(ends_.size());
  if (orientations) final_bound_ = orientations->final_bound();
  left_context(0, {}, true, 0);
  std::vector<std::map<std::uint32_t, std::uint32_t>> prefixes(ends_.size());
  const NGramScorer::Known nothing = scorer.known({}, false);
  for (const TileOption& option : model.options()) {
    budget.work(3 * kWorkPerScore);
    const double suffix = scorer.estimate_of(option.phrase).bound - scorer.prefix_bound_after(nothing, option.phrase);
    suffix_score_.push_back(suffix);
    for (const bool monotone : {false, true})
      own_[monotone].push_back(option.score + suffix + (orientations ? orientations->best(monotone, option.label) : 0));
    left_context_of_.push_back(left_context(option.end, {option.phrase}, false, 0));
    const auto [prefix, is_new] = prefixes[option.begin].try_emplace(
        scorer.prefix(option.phrase), static_cast<std::uint32_t>(prefixes_[option.begin].size()));
    if (is_new) prefixes_[option.begin].push_back(option.phrase);
    prefix_of_.push_back(prefix->second);
  }
  sort_prefixes();
}

/// Phrases with equal first words become adjacent.
void LeftContexts::sort_prefixes() {
  std::vector<std::vector<std::uint32_t>> ranks(prefixes_.size());
  for (std::size_t begin = 0; begin < prefixes_.size(); ++begin) {
    std::vector<std::uint32_t> order(prefixes_[begin].size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(scorer_.words(prefixes_[begin][a]),
                                                  scorer_.words(prefixes_[begin][b]));
    });
    std::vector<PhraseId> sorted;
    ranks[begin].resize(order.size());
    for (const std::uint32_t prefix : order) {
      ranks[begin][prefix] = static_cast<std::uint32_t>(sorted.size());
      sorted.push_back(prefixes_[begin][prefix]);
    }
    prefixes_[begin] = std::move(sorted);
  }
  for (std::size_t o = 0; o < prefix_of_.size(); ++o) prefix_of_[o] = ranks[model_.options()[o].begin][prefix_of_[o]];
}

LeftContexts::LeftContext LeftContexts::left_context(std::uint32_t position, std::vector<PhraseId> phrases,
                                                     bool from_start, double multiplier) {
  LeftContextsAt& end = ends_[position];
  const auto [entry, is_new] = end.numbers.try_emplace(scorer_.signature(phrases, from_start),
                                                       static_cast<LeftContext>(end.left_contexts.size()));
  if (!is_new) {
    revive(position, entry->second, multiplier);
    return entry->second;
  }
  if (end.left_contexts.size() == end.multipliers.size()) lengthen_rows(position);
  const LeftContext number = entry->second;
  end.left_contexts.push_back(std::move(phrases));
  end.from_start.push_back(from_start);
  end.multipliers[number] = multiplier;
  score_after(position, number);
  return number;
}

/// An unreachable left context becomes reachable again, and so do the left contexts that short options create from it.
/// With the multiplier of unreachable contexts, these options would gain so much that rounding would destroy all
/// bounds.
void LeftContexts::revive(std::uint32_t position, LeftContext left_context, double multiplier) {
  double& current = ends_[position].multipliers[left_context];
  if (current != kUnreachableMultiplier || multiplier == kUnreachableMultiplier) return;
  current = multiplier;
  for (const OptionId o : refined_[position])
    for (const Refinement& refinement : refinements(o, position))
      if (refinement.required == left_context) revive(model_.options()[o].end, refinement.left, earned(o));
}

void LeftContexts::lengthen_rows(std::uint32_t position) {
  LeftContextsAt& end = ends_[position];
  const std::size_t old = end.multipliers.size(), now = std::max(row_loops::kLanes, 2 * old);
  for (PrefixBlock& block : block_list_) {
    if (block.end != position) continue;
    MeteredVector<double> longer(block.values.size() * now, kLogZero, budget_);
    for (const std::uint32_t prefix : block.live) std::copy_n(&block.scores[prefix * old], old, &longer[prefix * now]);
    block.scores = std::move(longer);
  }
  end.multipliers.resize(now, 0.0);
  end.finishes.resize(now, kLogZero);
  end.leaving.resize(now, kLogZero);
  end.requiring.resize(now, kLogZero);
}

void LeftContexts::score_after(std::uint32_t position, LeftContext left_context) {
  const NGramScorer::Known context = known(position, left_context);
  ends_[position].finishes[left_context] = scorer_.finish_bound_after(context) + final_bound_;
  for (std::uint32_t begin = 0; begin < ends_.size(); ++begin)
    if (blocks_[position * ends_.size() + begin] != kNone) score(block(position, begin), context, left_context);
}

void LeftContexts::score(PrefixBlock& block, const NGramScorer::Known& context, LeftContext left_context) {
  const std::vector<PhraseId>& prefixes = prefixes_[block.begin];
  const std::size_t row = ends_[block.end].multipliers.size();
  budget_.work(kWorkPerScore * block.live.size());
  scorer_.prefix_bounds_after(context, prefixes, block.live, block.scores.data() + left_context, row);
}

void LeftContexts::add_block(std::uint32_t end, std::uint32_t begin) {
  std::uint32_t& number = blocks_[end * ends_.size() + begin];
  if (number != kNone) return;
  number = static_cast<std::uint32_t>(block_list_.size());
  const std::size_t prefixes = prefixes_[begin].size();
  PrefixBlock block{end,
                    begin,
                    MeteredVector<std::uint32_t>(prefixes, 0, budget_),
                    MeteredVector<double>(prefixes * ends_[end].multipliers.size(), kLogZero, budget_),
                    MeteredVector<double>(prefixes, kLogZero, budget_),
                    MeteredVector<double>(prefixes, kLogZero, budget_)};
  std::iota(block.live.begin(), block.live.end(), 0);
  block_list_.push_back(std::move(block));
  for (LeftContext t = 0; t < ends_[end].left_contexts.size(); ++t) score(block_list_.back(), known(end, t), t);
}

void LeftContexts::value_prefixes() {
  for (PrefixBlock& block : block_list_) {
    const LeftContextsAt& end = ends_[block.end];
    budget_.work(1 + block.live.size() * end.multipliers.size() / 8);
    for (const std::uint32_t prefix : block.live)
      block.values[prefix] = best_after(end, &block.scores[prefix * end.multipliers.size()], end.multipliers.data());
  }
}

const double* LeftContexts::multipliers_before(const PrefixBlock& block, OptionId o, const Refined& refined) {
  const MeteredVector<double>& multipliers = ends_[block.end].multipliers;
  budget_.work(1 + multipliers.size() / 16);
  scratch_.assign(multipliers.begin(), multipliers.end());
  const MeteredVector<double>& earned = ends_[model_.options()[o].end].multipliers;
  for (const Refinement& refinement : refined.left_contexts)
    if (multipliers[refinement.required] != kUnreachableMultiplier)
      scratch_[refinement.required] -= earned[refinement.left] - earned[left_context_of_[o]];
  return scratch_.data();
}

void LeftContexts::refine(OptionId o, std::uint32_t end, LeftContext required) {
  std::vector<PhraseId> phrases = ends_[end].left_contexts[required];
  const TileOption& option = model_.options()[o];
  phrases.push_back(option.phrase);
  const double multiplier = earned(o);
  const LeftContext left = left_context(option.end, std::move(phrases), ends_[end].from_start[required], multiplier);
  auto refined_end = std::ranges::find(refinements_[o], end, &Refined::end);
  if (refined_end == refinements_[o].end()) {
    refined_end = refinements_[o].insert(refined_end, {end, {}});
    refined_[end].push_back(o);
  }
  refined_end->left_contexts.push_back({required, left});
}

}  // namespace widl
