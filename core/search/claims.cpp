#include "search/claims.hpp"

#include <numeric>
#include <utility>

namespace widl {

Claims::Claims(const TileModel& model, const TileOrientations* orientations, const Scorer& scorer, Budget& budget)
    : model_(model), scorer_(scorer), budget_(budget), reach_(scorer.reach()) {
  ends_.assign(model.length() + 1, ClaimEnd(budget));
  heads_.resize(ends_.size());
  blocks_.assign(ends_.size() * ends_.size(), kNone);
  refinements_.resize(model.options().size());
  refined_.resize(ends_.size());
  if (orientations) relief_ = orientations->relief();
  tail(0, {}, true, 0);
  std::vector<std::map<std::uint32_t, std::uint32_t>> heads(ends_.size());
  const Scorer::Known nothing = scorer.known({}, false);
  for (const TileOption& option : model.options()) {
    budget.work(3 * kWorkPerScore);
    const double behind = scorer.estimate_of(option.phrase).bound - scorer.head_bound_after(nothing, option.phrase);
    behind_head_.push_back(behind);
    for (const bool monotone : {false, true})
      own_[monotone].push_back(option.score + behind + (orientations ? orientations->best(monotone, option.label) : 0));
    tail_of_.push_back(tail(option.end, {option.phrase}, false, 0));
    const auto [head, is_new] = heads[option.begin].try_emplace(
        scorer.head(option.phrase), static_cast<std::uint32_t>(heads_[option.begin].size()));
    if (is_new) heads_[option.begin].push_back(option.phrase);
    head_of_.push_back(head->second);
  }
  sort_heads();
}

/// Those with equal first words become neighbours.
void Claims::sort_heads() {
  std::vector<std::vector<std::uint32_t>> places(heads_.size());
  for (std::size_t begin = 0; begin < heads_.size(); ++begin) {
    std::vector<std::uint32_t> order(heads_[begin].size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(scorer_.words(heads_[begin][a]), scorer_.words(heads_[begin][b]));
    });
    std::vector<PhraseId> sorted;
    places[begin].resize(order.size());
    for (const std::uint32_t head : order) {
      places[begin][head] = static_cast<std::uint32_t>(sorted.size());
      sorted.push_back(heads_[begin][head]);
    }
    heads_[begin] = std::move(sorted);
  }
  for (std::size_t o = 0; o < head_of_.size(); ++o) head_of_[o] = places[model_.options()[o].begin][head_of_[o]];
}

Claims::Tail Claims::tail(std::uint32_t position, std::vector<PhraseId> phrases, bool from_start, double price) {
  ClaimEnd& end = ends_[position];
  const auto [known, is_new] =
      end.numbers.try_emplace(scorer_.signature(phrases, from_start), static_cast<Tail>(end.tails.size()));
  if (!is_new) {
    revive(position, known->second, price);
    return known->second;
  }
  if (end.tails.size() == end.prices.size()) lengthen_rows(position);
  const Tail number = known->second;
  end.tails.push_back(std::move(phrases));
  end.from_start.push_back(from_start);
  end.prices[number] = price;
  score_behind(position, number);
  return number;
}

/// A tail that nothing left is left again, and so is what short options leave behind it: at nobody's price those would
/// gain so much that all bounds would be lost in rounding.
void Claims::revive(std::uint32_t position, Tail tail, double price) {
  double& known = ends_[position].prices[tail];
  if (known != kNobodysPrice || price == kNobodysPrice) return;
  known = price;
  for (const Option o : refined_[position])
    for (const Refinement& one : refinements(o, position))
      if (one.claimed == tail) revive(model_.options()[o].end, one.left, earned(o));
}

void Claims::lengthen_rows(std::uint32_t position) {
  ClaimEnd& end = ends_[position];
  const std::size_t old = end.prices.size(), now = std::max(RowLoops::kLanes, 2 * old);
  for (ClaimBlock& block : block_list_) {
    if (block.end != position) continue;
    Counted<double> longer(block.values.size() * now, kNeverClaimed, budget_);
    for (const std::uint32_t h : block.live) std::copy_n(&block.scores[h * old], old, &longer[h * now]);
    block.scores = std::move(longer);
  }
  end.prices.resize(now, 0.0);
  end.finishes.resize(now, kNeverClaimed);
  end.used.resize(now, kNeverClaimed);
  end.claimed.resize(now, kNeverClaimed);
}

void Claims::score_behind(std::uint32_t position, Tail tail) {
  const Scorer::Known context = known(position, tail);
  ends_[position].finishes[tail] = scorer_.finish_bound_after(context) + relief_;
  for (std::uint32_t begin = 0; begin < ends_.size(); ++begin)
    if (blocks_[position * ends_.size() + begin] != kNone) score(block(position, begin), context, tail);
}

void Claims::score(ClaimBlock& block, const Scorer::Known& context, Tail tail) {
  const std::vector<PhraseId>& heads = heads_[block.begin];
  const std::size_t row = ends_[block.end].prices.size();
  budget_.work(kWorkPerScore * block.live.size());
  scorer_.head_bounds_after(context, heads, block.live, block.scores.data() + tail, row);
}

void Claims::add_block(std::uint32_t end, std::uint32_t begin) {
  std::uint32_t& number = blocks_[end * ends_.size() + begin];
  if (number != kNone) return;
  number = static_cast<std::uint32_t>(block_list_.size());
  const std::size_t heads = heads_[begin].size();
  ClaimBlock block{end, begin, Counted<std::uint32_t>(heads, 0, budget_),
                   Counted<double>(heads * ends_[end].prices.size(), kNeverClaimed, budget_),
                   Counted<double>(heads, kNeverClaimed, budget_), Counted<double>(heads, kNeverClaimed, budget_)};
  std::iota(block.live.begin(), block.live.end(), 0);
  block_list_.push_back(std::move(block));
  for (Tail t = 0; t < ends_[end].tails.size(); ++t) score(block_list_.back(), known(end, t), t);
}

void Claims::value_heads() {
  for (ClaimBlock& block : block_list_) {
    const ClaimEnd& end = ends_[block.end];
    budget_.work(1 + block.live.size() * end.prices.size() / 8);
    for (const std::uint32_t h : block.live)
      block.values[h] = best_claim(end, &block.scores[h * end.prices.size()], end.prices.data());
  }
}

const double* Claims::prices_before(const ClaimBlock& block, Option o, const Refined& refined) {
  const Counted<double>& prices = ends_[block.end].prices;
  budget_.work(1 + prices.size() / 16);
  scratch_.assign(prices.begin(), prices.end());
  const Counted<double>& behind = ends_[model_.options()[o].end].prices;
  for (const Refinement& one : refined.tails)
    if (prices[one.claimed] != kNobodysPrice) scratch_[one.claimed] -= behind[one.left] - behind[tail_of_[o]];
  return scratch_.data();
}

bool Claims::refine(Option o, std::uint32_t end, Tail claimed) {
  std::vector<PhraseId> phrases = ends_[end].tails[claimed];
  const TileOption& option = model_.options()[o];
  phrases.push_back(option.phrase);
  const double price = earned(o);
  const Tail left = tail(option.end, std::move(phrases), ends_[end].from_start[claimed], price);
  auto known = std::ranges::find(refinements_[o], end, &Refined::end);
  if (known == refinements_[o].end()) {
    known = refinements_[o].insert(known, {end, {}});
    refined_[end].push_back(o);
  }
  known->tails.push_back({claimed, left});
  return left != tail_of_[o];
}

}  // namespace widl
