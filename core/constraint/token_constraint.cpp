#include "constraint/token_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "errors.hpp"

namespace widl {
namespace {

constexpr std::size_t kMostMasks = 4096;  // kept; 4 kB each with 32,000 tokens
constexpr double kRounding = 1e9;         // states are equal if their probabilities are, to nine decimals of ln

double log_add(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }

std::uint32_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::uint32_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

TokenConstraint::TokenConstraint(std::uint32_t nodes, std::uint32_t final_node, std::vector<ConstraintArc> arcs,
                                 std::vector<std::string> texts, std::vector<ByteAutomaton> automata,
                                 std::vector<std::string> vocabulary, std::optional<std::uint32_t> end)
    : final_(final_node),
      arcs_(std::move(arcs)),
      begins_(nodes + 1),
      texts_(std::move(texts)),
      automata_(std::move(automata)),
      vocabulary_(std::move(vocabulary)),
      end_(end) {
  std::stable_sort(arcs_.begin(), arcs_.end(), [](auto& a, auto& b) { return a.source < b.source; });
  for (const ConstraintArc& arc : arcs_) ++begins_[arc.source + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  for (std::uint32_t token = 0; token < vocabulary_.size(); ++token)
    if (!vocabulary_[token].empty() && token != end_) sorted_.push_back(token);
  std::sort(sorted_.begin(), sorted_.end(), [&](auto a, auto b) { return vocabulary_[a] < vocabulary_[b]; });
  for (std::size_t i = 0; i < sorted_.size(); ++i)
    common_.push_back(i == 0 ? 0 : common_prefix(vocabulary_[sorted_[i - 1]], vocabulary_[sorted_[i]]));
  Positions first{{{kNode, 0}, 0.0}};
  for (const ConstraintArc& arc : std::span(arcs_).first(begins_[1]))  // only the empty string has an empty text
    if (arc.text < texts_.size() && texts_[arc.text].empty())
      first.push_back({{kNode, arc.target}, arc.log_probability});
  number_of(std::move(first));
}

const TokenConstraint::Positions& TokenConstraint::at(State state) const {
  if (state >= states_.size()) throw InputError("no state " + std::to_string(state) + " of this constraint");
  return states_[state];
}

TokenConstraint::State TokenConstraint::number_of(Positions positions) {
  const double sum = total(positions);
  Positions key = positions;
  for (std::size_t i = 0; i < key.size(); ++i) {
    positions[i].second -= sum;
    key[i].second = std::round(positions[i].second * kRounding) / kRounding;
  }
  const auto [entry, is_new] = numbers_.try_emplace(std::move(key), static_cast<State>(states_.size()));
  if (is_new) states_.push_back(std::move(positions));
  return entry->second;
}

bool TokenConstraint::accepts(const Position& position) const {
  if (position.arc == kNode) return false;
  const std::uint32_t text = arcs_[position.arc].text;
  return text >= texts_.size() && automata_[text - texts_.size()].accepts[position.at];
}

/// ln of the probability of a prefix. A slot that may end here also has a position at the node after it, and is counted
/// there.
double TokenConstraint::total(const Positions& positions) const {
  double sum = -std::numeric_limits<double>::infinity();
  for (const auto& [position, log] : positions)
    if (!accepts(position)) sum = std::isinf(sum) ? log : log_add(sum, log);
  return sum;
}

void TokenConstraint::follow(std::uint32_t number, std::uint32_t at, unsigned char byte, double log,
                             Positions& to) const {
  const ConstraintArc& arc = arcs_[number];
  if (arc.text < texts_.size()) {
    const std::string& text = texts_[arc.text];
    if (at >= text.size() || static_cast<unsigned char>(text[at]) != byte) return;
    to.push_back(at + 1 == text.size() ? Weighted{{kNode, arc.target}, log} : Weighted{{number, at + 1}, log});
    return;
  }
  const ByteAutomaton& automaton = automata_[arc.text - texts_.size()];
  const std::int32_t next = automaton.next[at][byte];
  if (next == ByteAutomaton::kDead) return;
  to.push_back({{number, static_cast<std::uint32_t>(next)}, log});
  if (automaton.accepts[static_cast<std::size_t>(next)]) to.push_back({{kNode, arc.target}, log});
}

void TokenConstraint::step(const Positions& from, unsigned char byte, Positions& to) const {
  to.clear();
  for (const auto& [position, log] : from) {
    if (position.arc != kNode) {
      follow(position.arc, position.at, byte, log, to);
      continue;
    }
    for (std::uint32_t i = begins_[position.at]; i < begins_[position.at + 1]; ++i)
      follow(i, 0, byte, log + arcs_[i].log_probability, to);
  }
  if (to.size() < 2) return;
  std::sort(to.begin(), to.end());
  std::size_t size = 0;
  for (const Weighted& position : to) {
    if (size > 0 && to[size - 1].first == position.first)
      to[size - 1].second = log_add(to[size - 1].second, position.second);
    else
      to[size++] = position;
  }
  to.resize(size);
}

template <class Visit>
void TokenConstraint::walk(const Positions& from, Visit&& visit) const {
  std::vector<Positions> after(1, from);  // by number of bytes of the token
  std::uint32_t reached = 0;              // bytes of the current token after which positions remain
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
  std::vector<Position> key;
  for (const auto& [position, log] : at(state)) key.push_back(position);
  if (const auto entry = masks_.find(key); entry != masks_.end()) return entry->second;
  auto bits = std::make_shared<std::vector<std::uint32_t>>((vocabulary_.size() + 31) / 32);
  walk(at(state), [&](std::uint32_t token, const Positions&) { (*bits)[token / 32] |= 1u << token % 32; });
  if (end_ && std::binary_search(key.begin(), key.end(), Position{kNode, final_}))
    (*bits)[*end_ / 32] |= 1u << *end_ % 32;
  if (masks_.size() >= kMostMasks) masks_.clear();
  masks_.emplace(std::move(key), bits);
  return bits;
}

std::vector<float> TokenConstraint::log_probabilities(State state) {
  std::scoped_lock hold(mutex_);
  const Positions& positions = at(state);
  const double before = total(positions);
  std::vector<float> logs(vocabulary_.size(), -std::numeric_limits<float>::infinity());
  walk(positions,
       [&](std::uint32_t token, const Positions& after) { logs[token] = static_cast<float>(total(after) - before); });
  for (const auto& [position, log] : positions)
    if (end_ && position == Position{kNode, final_}) logs[*end_] = static_cast<float>(log - before);
  return logs;
}

std::optional<TokenConstraint::State> TokenConstraint::advance(State state, std::uint32_t token) {
  std::scoped_lock hold(mutex_);
  if (token >= vocabulary_.size() || token == end_ || vocabulary_[token].empty()) return std::nullopt;
  Positions positions = at(state), next;
  for (const char byte : vocabulary_[token]) {
    step(positions, static_cast<unsigned char>(byte), next);
    std::swap(positions, next);
  }
  if (positions.empty()) return std::nullopt;
  return number_of(std::move(positions));
}

bool TokenConstraint::may_end(State state) {
  std::scoped_lock hold(mutex_);
  const Positions& positions = at(state);
  return std::any_of(positions.begin(), positions.end(), [&](const Weighted& position) {
    return position.first == Position{kNode, final_};
  });
}

}  // namespace widl
