#include "phrase_table/orientation_counts.hpp"

#include <algorithm>
#include <span>

namespace widl {
namespace {

constexpr double kSmoothing = 0.5;

std::vector<bool> edges_of(const BitextSide& side) {
  std::vector<bool> edges(side.words.size() + 1);
  for (std::uint32_t begin : side.begins) edges[begin] = true;
  return edges;
}

}  // namespace

OrientationCounter::OrientationCounter(const Bitext& bitext, const OrientationModel& model, std::uint32_t max_length,
                                       const ScratchSpace& space)
    : bitext_(bitext),
      model_(model),
      max_length_(max_length),
      source_edges_(edges_of(bitext.source())),
      target_edges_(edges_of(bitext.target())),
      targets_(space) {
  if (model.neighbour == OrientationModel::Neighbour::word) return;
  targets_.assign(bitext.source().words.size(), {});
  for (std::uint32_t target = 0; target < bitext.target().words.size(); ++target)
    for (std::uint32_t source : bitext.links(target)) {
      Range& range = targets_[source];
      range = {std::min(range.first, target), std::max(range.last, target)};
    }
}

Orientations OrientationCounter::orientations(const PhrasePairSpan& pair) const {
  if (!known_.empty()) return known_[pair.source_begin];
  const std::uint32_t source_end = pair.source_begin + pair.source_length;
  const std::uint32_t target_end = pair.target_begin + pair.target_length;
  Orientations found;
  if (model_.backward)
    found.backward = orientation(pair.target_begin - 1, target_edges_[pair.target_begin],
                                 source_edges_[pair.source_begin], pair, Side::before);
  if (model_.forward)
    found.forward = orientation(target_end, target_edges_[target_end], source_edges_[source_end], pair, Side::behind);
  return found;
}

void OrientationCounter::count(const PhrasePairSpan& pair, OrientationCounts& counts) const {
  const Orientations found = orientations(pair);
  if (model_.backward) ++counts[model_.backward_scores() + found.backward];
  if (model_.forward) ++counts[model_.forward_scores() + found.forward];
}

/// Towards a target word. `is_outside`: it is not in the sentence; `at_edge`: nor is the source word of a monotone
/// neighbour, which is on the side `monotone`.
std::uint8_t OrientationCounter::orientation(std::uint32_t target, bool is_outside, bool at_edge,
                                             const PhrasePairSpan& pair, Side monotone) const {
  const std::uint8_t discontinuous = model_.type == OrientationModel::Type::monotonicity ? 1 : 2;
  if (is_outside) return at_edge ? 0 : discontinuous;
  bool next_before = false, next_behind = false, far_before = false, far_behind = false;
  const std::uint32_t end = pair.source_begin + pair.source_length;
  for (std::uint32_t source : bitext_.links(target)) {
    next_before |= source + 1 == pair.source_begin;
    next_behind |= source == end;
    far_before |= source + 1 < pair.source_begin;
    far_behind |= source > end;
  }
  const bool before = monotone == Side::before;
  const bool is_monotone = before ? next_before : next_behind, is_swap = before ? next_behind : next_before;
  const bool words_only = model_.neighbour == OrientationModel::Neighbour::word;
  const Side swapped = before ? Side::behind : Side::before;
  const auto is_next_to = [&](Side side) {
    return !words_only && has_neighbour(target, monotone, pair, side, true);
  };
  if ((is_monotone && !is_swap) || is_next_to(monotone)) return 0;
  if (model_.type == OrientationModel::Type::monotonicity) return discontinuous;
  if ((is_swap && !is_monotone) || is_next_to(swapped)) return 1;
  if (model_.type != OrientationModel::Type::mslr) return discontinuous;
  if (!words_only)
    return !has_neighbour(target, monotone, pair, monotone, false) &&
                   has_neighbour(target, monotone, pair, swapped, false) ? 3 : 2;
  // What is linked on both sides, or on none, goes to the right.
  const bool on_monotone_side = is_monotone || (before ? far_before : far_behind);
  const bool on_swap_side = is_swap || (before ? far_behind : far_before);
  return on_swap_side && !on_monotone_side ? 3 : 2;
}

bool OrientationCounter::has_neighbour(std::uint32_t target, Side onward, const PhrasePairSpan& pair, Side side,
                                       bool adjacent) const {
  constexpr std::uint32_t kAnywhere = ~std::uint32_t{0};
  const std::uint32_t source_end = pair.source_begin + pair.source_length;
  Block limits{0, kAnywhere, 0, kAnywhere}, block;
  if (onward == Side::before) limits.target_end = target + 1;
  else limits.target_begin = target;
  if (side == Side::before) limits.source_end = pair.source_begin;
  else limits.source_begin = source_end;
  if (source_edges_[side == Side::before ? pair.source_begin : source_end]) return false;
  // The smallest such pair takes all words up to the next ones with links, which any other has, too.
  if (!reach_links(target, onward, false, block)) return false;
  if (adjacent && !reach_links(side == Side::before ? pair.source_begin - 1 : source_end, side, true, block)) return false;
  return closes(block, limits);
}

bool OrientationCounter::reach_links(std::uint32_t position, Side onward, bool source, Block& block) const {
  const std::vector<bool>& edges = source ? source_edges_ : target_edges_;
  std::uint32_t& begin = source ? block.source_begin : block.target_begin;
  std::uint32_t& end = source ? block.source_end : block.target_end;
  const bool before = onward == Side::before;
  begin = position;
  end = position + 1;
  for (;; before ? --begin : ++end) {
    const std::uint32_t at = before ? begin : end - 1;
    if (source ? !targets_[at].empty() : !bitext_.links(at).empty()) return true;
    if (edges[before ? begin : end]) return false;
  }
}

bool OrientationCounter::closes(Block block, const Block& limits) const {
  Block done;  // what the links of were followed
  const auto include = [](std::uint32_t& begin, std::uint32_t& end, std::uint32_t first, std::uint32_t last) {
    begin = std::min(begin, first);
    end = std::max(end, last + 1);
  };
  const auto follow = [](std::uint32_t begin, std::uint32_t end, std::uint32_t& done_begin, std::uint32_t& done_end,
                         const auto& links_of) {
    if (done_begin >= done_end) done_begin = done_end = begin;
    while (done_begin > begin) links_of(--done_begin);
    while (done_end < end) links_of(done_end++);
  };
  const bool limited = model_.neighbour == OrientationModel::Neighbour::phrase;
  for (;;) {
    follow(block.target_begin, block.target_end, done.target_begin, done.target_end, [&](std::uint32_t target) {
      const auto links = bitext_.links(target);
      if (!links.empty()) include(block.source_begin, block.source_end, links.front(), links.back());
    });
    follow(block.source_begin, block.source_end, done.source_begin, done.source_end, [&](std::uint32_t source) {
      const Range& range = targets_[source];
      if (!range.empty()) include(block.target_begin, block.target_end, range.first, range.last);
    });
    if (block.source_begin < limits.source_begin || block.source_end > limits.source_end ||
        block.target_begin < limits.target_begin || block.target_end > limits.target_end)
      return false;
    if (limited && (block.source_end - block.source_begin > max_length_ || block.target_end - block.target_begin > max_length_))
      return false;
    if (done.target_begin == block.target_begin && done.target_end == block.target_end) return true;
  }
}

void OrientationCounter::score(const OrientationCounts& counts, std::vector<Probability>& scores) const {
  scores.clear();
  const std::size_t size = model_.orientations();
  for (std::size_t first = 0; first < model_.scores(); first += size) {
    double sum = 0;
    for (std::size_t i = first; i < first + size; ++i) sum += counts[i] + kSmoothing;
    for (std::size_t i = first; i < first + size; ++i) scores.push_back(Probability::of((counts[i] + kSmoothing) / sum));
  }
}

}  // namespace widl
