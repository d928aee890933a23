#include "tokens/token_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "errors.hpp"

namespace widl {
namespace {

constexpr std::size_t kMaxMasks = 4096;     // kept; 4 kB each with 32,000 tokens
constexpr std::size_t kMaxSteps = 200'000;  // kept; some 100 bytes each
constexpr double kRounding = 1e9;           // states are equal if their probabilities are, to nine decimals of ln

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr TokenConstraint::State kEnded = 1;

double log_add(double a, double b) {
  if (std::isinf(a) || std::isinf(b)) return std::max(a, b);
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

template <class Weighted>
double total(const std::vector<Weighted>& readings) {
  double sum = kImpossible;
  for (const auto& [reading, log] : readings) sum = log_add(sum, log);
  return sum;
}

std::uint32_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::uint32_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

TokenConstraint::TokenConstraint(std::uint32_t nodes, std::uint32_t final_node, std::vector<ConstraintArc> arcs,
                                 std::vector<std::string> texts, std::vector<ByteAutomaton> automata,
                                 std::vector<std::string> vocabulary, std::optional<std::uint32_t> end,
                                 std::optional<std::uint32_t> padding)
    : final_(final_node),
      arcs_(std::move(arcs)),
      begins_(nodes + 1),
      texts_(std::move(texts)),
      automata_(std::move(automata)),
      vocabulary_(std::move(vocabulary)),
      end_(end),
      padding_(padding) {
  for (const ByteAutomaton& automaton : automata_) {
    std::vector<bool>& continues = continues_.emplace_back();
    for (const auto& row : automaton.next)
      continues.push_back(std::any_of(row.begin(), row.end(), [](auto to) { return to != ByteAutomaton::kDead; }));
  }
  std::stable_sort(arcs_.begin(), arcs_.end(), [](auto& a, auto& b) { return a.source < b.source; });
  for (const ConstraintArc& arc : arcs_) ++begins_[arc.source + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  for (std::uint32_t token = 0; token < vocabulary_.size(); ++token)
    if (!vocabulary_[token].empty() && !is_special(token)) sorted_.push_back(token);
  std::sort(sorted_.begin(), sorted_.end(), [&](auto a, auto b) { return vocabulary_[a] < vocabulary_[b]; });
  for (std::size_t i = 0; i < sorted_.size(); ++i)
    common_.push_back(i == 0 ? 0 : common_prefix(vocabulary_[sorted_[i - 1]], vocabulary_[sorted_[i]]));
  Reading first{0, true, {}};
  for (std::uint32_t i = 0; i < begins_[1]; ++i)  // only the empty string has an empty text
    if (arcs_[i].text < texts_.size() && texts_[arcs_[i].text].empty())
      first.branches.push_back({i, {}, interned({arcs_[i].target, true, {}})});
  number_of({{interned(std::move(first)), 0.0}});
  number_of({});  // kEnded
}

const TokenConstraint::Readings& TokenConstraint::at(State state) const {
  if (state >= states_.size()) throw InputError("no state " + std::to_string(state) + " of this constraint");
  return states_[state];
}

TokenConstraint::State TokenConstraint::number_of(Readings readings) {
  const double sum = total(readings);
  Readings key = readings;
  for (std::size_t i = 0; i < key.size(); ++i) {
    readings[i].second -= sum;
    key[i].second = std::round(readings[i].second * kRounding) / kRounding;
  }
  const auto [entry, is_new] = numbers_.try_emplace(std::move(key), static_cast<State>(states_.size()));
  if (is_new) states_.push_back(std::move(readings));
  return entry->second;
}

TokenConstraint::ReadingId TokenConstraint::interned(Reading reading) {
  const auto [entry, is_new] = reading_numbers_.try_emplace(reading, static_cast<ReadingId>(readings_.size()));
  if (is_new) readings_.push_back(std::move(reading));
  return entry->second;
}

std::optional<TokenConstraint::Branch> TokenConstraint::stepped(const Branch* before, std::uint32_t number, bool enters,
                                                                unsigned char byte) {
  const ConstraintArc& arc = arcs_[number];
  Branch next{number, {}, before == nullptr || before->behind == kNone ? kNone : stepped(before->behind, byte)};
  bool leaves = false;
  const auto read = [&](std::uint32_t position) {
    if (arc.text < texts_.size()) {
      const std::string& text = texts_[arc.text];
      if (position >= text.size() || static_cast<unsigned char>(text[position]) != byte) return;
      if (position + 1 == text.size())
        leaves = true;
      else
        next.positions.push_back(position + 1);
      return;
    }
    const std::size_t slot = arc.text - texts_.size();
    const std::int32_t to = automata_[slot].next[position][byte];
    if (to == ByteAutomaton::kDead) return;
    const auto reached = static_cast<std::uint32_t>(to);
    leaves = leaves || automata_[slot].accepts[reached];
    if (continues_[slot][reached]) next.positions.push_back(reached);
  };
  if (enters) read(0);
  if (before != nullptr) std::for_each(before->positions.begin(), before->positions.end(), read);
  if (leaves) {
    Reading behind = next.behind == kNone ? Reading{arc.target, false, {}} : readings_[next.behind];
    behind.here = true;
    next.behind = interned(std::move(behind));
  }
  if (next.positions.empty() && next.behind == kNone) return std::nullopt;
  std::sort(next.positions.begin(), next.positions.end());
  next.positions.erase(std::unique(next.positions.begin(), next.positions.end()), next.positions.end());
  return next;
}

TokenConstraint::ReadingId TokenConstraint::stepped(ReadingId id, unsigned char byte) {
  const Reading reading = readings_[id];  // a copy: `readings_` grows
  Reading next{reading.node, false, {}};
  const auto keep = [&](std::optional<Branch> branch) {
    if (branch) next.branches.push_back(std::move(*branch));
  };
  if (!reading.here) {
    for (const Branch& branch : reading.branches) keep(stepped(&branch, branch.arc, false, byte));
  } else {
    auto branch = reading.branches.begin();
    for (std::uint32_t arc = begins_[reading.node]; arc < begins_[reading.node + 1]; ++arc) {
      const bool has_branch = branch != reading.branches.end() && branch->arc == arc;
      keep(stepped(has_branch ? &*branch : nullptr, arc, true, byte));
      if (has_branch) ++branch;
    }
  }
  return next.branches.empty() ? kNone : interned(std::move(next));
}

void TokenConstraint::add_parts(ReadingId id, double log, Readings& to) {
  const Reading reading = readings_[id];  // a copy: `readings_` grows
  if (reading.here) {
    to.emplace_back(id, log);
    return;
  }
  for (const Branch& branch : reading.branches) {
    const double along = log + arcs_[branch.arc].log_probability;
    if (branch.positions.empty())
      add_parts(branch.behind, along, to);
    else
      to.emplace_back(interned({reading.node, false, {branch}}), along);
  }
}

const TokenConstraint::Readings& TokenConstraint::after(ReadingId id, unsigned char byte) {
  const std::uint64_t key = std::uint64_t{id} << 8 | byte;
  if (const auto entry = steps_.find(key); entry != steps_.end()) return entry->second;
  Readings parts;
  if (const ReadingId next = stepped(id, byte); next != kNone) {
    // A part along one arc has the arc's probability already.
    const Reading& reading = readings_[id];
    add_parts(next, reading.here ? 0.0 : -arcs_[reading.branches[0].arc].log_probability, parts);
  }
  return steps_.emplace(key, std::move(parts)).first->second;
}

void TokenConstraint::step(const Readings& from, unsigned char byte, Readings& to) {
  to.clear();
  for (const auto& [reading, log] : from)
    for (const auto& [part, more] : after(reading, byte)) to.emplace_back(part, log + more);
  if (to.size() < 2) return;
  std::sort(to.begin(), to.end());
  std::size_t size = 0;
  for (const Weighted& part : to) {
    if (size > 0 && to[size - 1].first == part.first)
      to[size - 1].second = log_add(to[size - 1].second, part.second);
    else
      to[size++] = part;
  }
  to.resize(size);
}

double TokenConstraint::complete(ReadingId id) const {
  const Reading& reading = readings_[id];
  if (reading.here && reading.node == final_) return 0.0;
  double sum = kImpossible;
  for (const Branch& branch : reading.branches)
    if (branch.behind != kNone) sum = log_add(sum, arcs_[branch.arc].log_probability + complete(branch.behind));
  return sum;
}

double TokenConstraint::complete(const Readings& readings) const {
  double sum = kImpossible;
  for (const auto& [id, log] : readings) {
    const Reading& reading = readings_[id];
    // A part along one arc has the arc's probability already.
    const double along = reading.here ? 0.0 : arcs_[reading.branches[0].arc].log_probability;
    sum = log_add(sum, log - along + complete(id));
  }
  return sum;
}

template <class Visit>
void TokenConstraint::walk(const Readings& from, Visit&& visit) {
  if (steps_.size() > kMaxSteps) steps_.clear();
  std::vector<Readings> after(1, from);  // by number of bytes of the token
  std::uint32_t reached = 0;             // bytes of the current token after which readings remain
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    // Tokens that begin with a dead-end prefix.
    if (i > 0 && common_[i] > reached) continue;
    const std::string& token = vocabulary_[sorted_[i]];
    reached = i == 0 ? 0 : std::min(common_[i], reached);
    if (after.size() < token.size() + 1) after.resize(token.size() + 1);
    while (reached < token.size()) {
      step(after[reached], static_cast<unsigned char>(token[reached]), after[reached + 1]);
      if (after[reached + 1].empty()) break;
      ++reached;
    }
    if (reached == token.size()) visit(sorted_[i], after[reached]);
  }
}

TokenConstraint::Mask TokenConstraint::mask(State state) {
  std::scoped_lock hold(mutex_);
  std::vector<ReadingId> key;
  for (const auto& [reading, log] : at(state)) key.push_back(reading);
  if (const auto entry = masks_.find(key); entry != masks_.end()) return entry->second;
  auto bits = std::make_shared<std::vector<std::uint32_t>>((vocabulary_.size() + 31) / 32);
  walk(at(state), [&](std::uint32_t token, const Readings&) { (*bits)[token / 32] |= 1u << token % 32; });
  if (end_ && is_complete(state)) (*bits)[*end_ / 32] |= 1u << *end_ % 32;
  if (padding_ && state == kEnded) (*bits)[*padding_ / 32] |= 1u << *padding_ % 32;
  if (masks_.size() >= kMaxMasks) masks_.clear();
  masks_.emplace(std::move(key), bits);
  return bits;
}

std::vector<float> TokenConstraint::log_probabilities(State state) {
  std::scoped_lock hold(mutex_);
  const Readings& readings = at(state);
  const double before = total(readings);
  std::vector<float> logs(vocabulary_.size(), -std::numeric_limits<float>::infinity());
  walk(readings,
       [&](std::uint32_t token, const Readings& after) { logs[token] = static_cast<float>(total(after) - before); });
  if (end_) logs[*end_] = state == kEnded ? 0.0f : static_cast<float>(complete(readings) - before);
  if (padding_ && state == kEnded) logs[*padding_] = 0.0f;
  return logs;
}

std::optional<TokenConstraint::State> TokenConstraint::advance(State state, std::uint32_t token) {
  std::scoped_lock hold(mutex_);
  Readings readings = at(state), next;
  if (is_special(token)) {
    const bool is_allowed = token == end_ ? is_complete(state) : state == kEnded;
    return is_allowed ? std::optional(kEnded) : std::nullopt;
  }
  if (token >= vocabulary_.size() || vocabulary_[token].empty()) return std::nullopt;
  if (steps_.size() > kMaxSteps) steps_.clear();
  for (const char byte : vocabulary_[token]) {
    step(readings, static_cast<unsigned char>(byte), next);
    std::swap(readings, next);
  }
  if (readings.empty()) return std::nullopt;
  const std::size_t before = states_.size();
  const State after = number_of(std::move(readings));
  if (after == before) history_.emplace_back(state, token);
  return after;
}

bool TokenConstraint::is_complete(State state) const { return state == kEnded || complete(at(state)) != kImpossible; }

bool TokenConstraint::may_end(State state) {
  std::scoped_lock hold(mutex_);
  return is_complete(state);
}

std::vector<std::pair<TokenConstraint::State, std::uint32_t>> TokenConstraint::history() {
  std::scoped_lock hold(mutex_);
  return history_;
}

bool TokenConstraint::has_ended(State state) {
  std::scoped_lock hold(mutex_);
  at(state);
  return state == kEnded;
}

}  // namespace widl
