#include "expression/expression.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>

#include "errors.hpp"
#include "expression/number.hpp"

namespace widl {
namespace {

using Kind = Expression::Kind;
using Form = InterleaveDistribution::Form;

constexpr double kSumTolerance = 1e-6;
constexpr std::uint64_t kManyUnits = std::uint64_t{1} << 62;  // two of them still add up

std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return std::min(kManyUnits, a + b); }

std::string counted(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

void require_arguments(const std::vector<ExpressionPtr>& arguments, Kind kind) {
  if (arguments.empty() && kind != Kind::precedence)
    throw InputError(std::string(sign(kind)) + " needs at least one argument");
  for (const ExpressionPtr& argument : arguments) {
    if (!argument) throw InputError(std::string(sign(kind)) + " lacks an argument");
    if (argument->min_units() == 0 && kind != Kind::precedence && kind != Kind::disjunction)
      throw InputError(std::string(sign(kind)) + ": an argument may be empty; only · and ∨ can have such");
  }
}

/// Normalizes -0 to 0, which prints and compares alike, and rounds values just above 1 down to 1, so that the remaining
/// mass is never negative.
void require_probability(double& p, Kind kind) {
  if (!(p >= 0 && p <= 1 + kSumTolerance))
    throw InputError(std::string(sign(kind)) + ": " + rounded(p) + " is not a probability");
  if (p == 0) p = 0;
  p = std::min(p, 1.0);
}

void require_sum_of_one(double sum, std::size_t j, std::size_t components, Kind kind) {
  if (std::abs(sum - 1) <= kSumTolerance) return;
  std::string which = components == 1 ? "" : " of component " + std::to_string(j + 1);
  throw InputError(std::string(sign(kind)) + ": the probabilities" + which + " sum to " + rounded(sum) + ", not to 1");
}

void require_movement_base(double base, Kind kind) {
  if (!(base > 0 && base < 1))
    throw InputError(std::string(sign(kind)) + ": expmove is " + rounded(base) +
                     "; a number between 0 and 1 was expected");
}

bool all_positive(const std::vector<double>& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(), [](double p) { return p > 0; });
}

std::size_t row_size(const std::vector<std::vector<double>>& rows, std::size_t arguments) {
  if (rows.size() != arguments)
    throw InputError("∨ has " + counted(arguments, "argument") + ", but probabilities for " +
                     std::to_string(rows.size()));
  for (const auto& row : rows) {
    if (row.empty()) throw InputError("∨: an argument has no probability");
    if (row.size() != rows.front().size())
      throw InputError("∨: every argument needs the same number of probabilities; found " +
                       std::to_string(rows.front().size()) + " and " + std::to_string(row.size()));
  }
  return rows.front().size();
}

/// n! if it is at most `limit`, else a number larger than `limit`.
std::size_t factorial_up_to(std::size_t n, std::size_t limit) {
  std::size_t product = 1;
  for (std::size_t k = 2; k <= n && product <= limit; ++k) product *= k;
  return product;
}

/// Gives every vector of the distribution the same length; omitted masses become zeros.
std::size_t fill_components(InterleaveDistribution& delta) {
  std::size_t count = 0;
  auto see = [&](const std::vector<double>& values) {
    if (values.empty()) return;
    if (count != 0 && count != values.size())
      throw InputError("∥: every order needs the same number of probabilities; found " + std::to_string(count) +
                       " and " + std::to_string(values.size()));
    count = values.size();
  };
  for (const auto& listed : delta.listed) {
    if (listed.probabilities.empty()) throw InputError("∥: a listed order has no probability");
    see(listed.probabilities);
  }
  see(delta.other_permutations);
  see(delta.shuffles);
  if (count == 0) throw InputError("∥: no order, perms or shuffles has a probability");
  delta.other_permutations.resize(count);
  delta.shuffles.resize(count);
  return count;
}

void require_permutations(const InterleaveDistribution& delta, std::size_t arguments) {
  std::set<std::vector<std::uint32_t>> seen;
  std::vector<std::uint32_t> identity(arguments);
  std::iota(identity.begin(), identity.end(), 0u);
  for (const auto& listed : delta.listed) {
    auto shown = [&] {
      std::string order;
      for (std::uint32_t k : listed.permutation) {
        if (!order.empty()) order += ' ';
        order += std::to_string(std::uint64_t{k} + 1);
      }
      return order;
    };
    std::vector<std::uint32_t> sorted = listed.permutation;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != identity)
      throw InputError("∥: the order '" + shown() + "' is not a permutation of its " + counted(arguments, "argument"));
    if (!seen.insert(listed.permutation).second) throw InputError("∥: the order '" + shown() + "' is listed twice");
  }
}

struct Reach {
  std::uint64_t fewest, most;
};

/// Units of the segmentations that cover [0, position), for every reachable position.
std::unordered_map<std::uint32_t, Reach> segmentations(const std::vector<Expression::Span>& sorted) {
  std::unordered_map<std::uint32_t, Reach> reached = {{0, {0, 0}}};
  for (const Expression::Span& span : sorted) {
    auto from = reached.find(span.begin);
    if (from == reached.end()) continue;
    Reach here = {plus(from->second.fewest, span.content->min_units()),
                  plus(from->second.most, span.content->max_units())};
    auto [to, added] = reached.try_emplace(span.end, here);
    if (added) continue;
    to->second = {std::min(to->second.fewest, here.fewest), std::max(to->second.most, here.most)};
  }
  return reached;
}

std::string shown(const Expression::Span& span) { return std::to_string(span.begin) + "-" + std::to_string(span.end); }

}  // namespace

const char* sign(Kind kind) {
  switch (kind) {
    case Kind::word:
      return "word";
    case Kind::precedence:
      return "·";
    case Kind::disjunction:
      return "∨";
    case Kind::interleave:
      return "∥";
    case Kind::lock:
      return "×";
    case Kind::tiles:
      return "tiles";
  }
  throw InternalError("unknown kind of expression");
}

ExpressionPtr Expression::word(std::string text) {
  if (text.empty()) throw InputError("a word can't be empty");
  if (text.find_first_of(std::string_view(" \t\n\v\f\r\0", 7)) != std::string::npos)
    throw InputError(
        "a word can't contain white space or a null character; "
        "several words are several expressions, joined by ·");
  auto node = make(Kind::word, {});
  node->text_ = std::move(text);
  node->set_hash();
  return node;
}

ExpressionPtr Expression::precedence(std::vector<ExpressionPtr> parts) {
  require_arguments(parts, Kind::precedence);
  if (parts.size() == 1) return parts[0];
  auto node = make(Kind::precedence, std::move(parts));
  std::uint64_t fewest = 0, most = 0;
  for (const ExpressionPtr& part : node->arguments_) {
    fewest = plus(fewest, part->min_units_);
    most = plus(most, part->max_units_);
  }
  node->set_units(fewest, most);
  node->set_components(0);
  node->set_hash();
  return node;
}

ExpressionPtr Expression::lock(ExpressionPtr content) {
  auto node = make(Kind::lock, {std::move(content)});
  node->set_components(0);
  node->set_hash();
  return node;
}

ExpressionPtr Expression::disjunction(std::vector<ExpressionPtr> arguments,
                                      std::vector<std::vector<double>> probabilities) {
  require_arguments(arguments, Kind::disjunction);
  std::size_t count = row_size(probabilities, arguments.size());
  for (std::size_t j = 0; j < count; ++j) {
    double sum = 0;
    for (auto& row : probabilities) {
      require_probability(row[j], Kind::disjunction);
      sum += row[j];
    }
    require_sum_of_one(sum, j, count, Kind::disjunction);
  }
  return make_disjunction(std::move(arguments), std::move(probabilities), false);
}

ExpressionPtr Expression::scored_disjunction(std::vector<ExpressionPtr> arguments,
                                             std::vector<std::vector<double>> scores) {
  require_arguments(arguments, Kind::disjunction);
  row_size(scores, arguments.size());
  for (const auto& row : scores)
    for (double score : row)
      if (!(score > 0 && score <= 1)) throw InputError("∨: the score " + rounded(score) + " is not in (0, 1]");
  return make_disjunction(std::move(arguments), std::move(scores), true);
}

ExpressionPtr Expression::make_disjunction(std::vector<ExpressionPtr> arguments, std::vector<std::vector<double>> rows,
                                           bool scored) {
  auto node = make(Kind::disjunction, std::move(arguments));
  node->probabilities_ = std::move(rows);
  node->scored_ = scored;
  std::uint64_t fewest = kManyUnits, most = 0;
  bool some = false;
  for (std::size_t k = 0; k < node->arguments_.size(); ++k) {
    if (!node->possible(k)) continue;
    some = true;
    fewest = std::min(fewest, node->arguments_[k]->min_units_);
    most = std::max(most, node->arguments_[k]->max_units_);
  }
  if (!some) throw InputError("∨: no argument has a non-zero probability in every component");
  node->set_units(fewest, most);
  node->set_components(node->probabilities_[0].size());
  node->set_hash();
  return node;
}

ExpressionPtr Expression::interleave(std::vector<ExpressionPtr> arguments, InterleaveDistribution delta) {
  auto node = make(Kind::interleave, std::move(arguments));
  node->delta_ = std::move(delta);
  std::size_t components = 1;
  switch (node->delta_.form) {
    case Form::listed:
      components = fill_components(node->delta_);
      node->check_interleave();
      break;
    case Form::uniform:
      break;
    case Form::movement:
      require_movement_base(node->delta_.movement_base, Kind::interleave);
      break;
  }
  std::uint64_t fewest = 0, most = 0;
  for (const ExpressionPtr& argument : node->arguments_) {
    fewest = plus(fewest, argument->min_units_);
    most = plus(most, argument->max_units_);
  }
  node->set_units(fewest, most);
  node->set_components(components);
  node->set_hash();
  return node;
}

void Expression::check_interleave() {
  const std::size_t n = arguments_.size(), count = delta_.shuffles.size();
  require_permutations(delta_, n);
  for (std::size_t j = 0; j < count; ++j) {
    double sum = 0;
    auto add = [&](std::vector<double>& values) {
      require_probability(values[j], kind_);
      sum += values[j];
    };
    for (auto& listed : delta_.listed) add(listed.probabilities);
    add(delta_.other_permutations);
    add(delta_.shuffles);
    require_sum_of_one(sum, j, count, kind_);
  }
  auto mass = [](const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); };
  if (mass(delta_.other_permutations) > 0 && delta_.listed.size() >= factorial_up_to(n, delta_.listed.size()))
    throw InputError("∥: perms has " + rounded(mass(delta_.other_permutations)) + ", but every permutation of its " +
                     counted(n, "argument") + " is listed");
  bool some_shuffle = false, always_shuffles = false;
  for (const ExpressionPtr& argument : arguments_) {
    some_shuffle = some_shuffle || (n > 1 && argument->max_units_ > 1);
    always_shuffles = always_shuffles || (n > 1 && argument->min_units_ > 1);
  }
  if (mass(delta_.shuffles) > 0 && !some_shuffle)
    throw InputError("∥: shuffles has " + rounded(mass(delta_.shuffles)) + ", but there are none: " +
                     (n == 1 ? "it has one argument" : "every argument is a single word or locked"));
  bool orders = all_positive(delta_.other_permutations);
  for (const auto& listed : delta_.listed) orders = orders || all_positive(listed.probabilities);
  if (orders || (all_positive(delta_.shuffles) && always_shuffles)) return;
  throw InputError(all_positive(delta_.shuffles)
                       ? "∥: all its mass is on shuffles, but some choices of its arguments leave none"
                       : "∥: no order has a non-zero probability in every component");
}

ExpressionPtr Expression::tiles(std::uint32_t length, std::vector<Span> spans, double base) {
  require_movement_base(base, Kind::tiles);
  if (length == 0) throw InputError("tiles: the length must be at least 1");
  std::vector<ExpressionPtr> contents;
  for (const Span& span : spans) {
    if (span.begin >= span.end || span.end > length)
      throw InputError("tiles: the span " + shown(span) + " is not within 0-" + std::to_string(length));
    contents.push_back(span.content);
  }
  auto node = make(Kind::tiles, std::move(contents));
  node->length_ = length;
  node->movement_base_ = base;
  for (const Span& span : spans) node->spans_.emplace_back(span.begin, span.end);
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  for (std::size_t k = 1; k < spans.size(); ++k)
    if (spans[k].begin == spans[k - 1].begin && spans[k].end == spans[k - 1].end)
      throw InputError("tiles: the span " + shown(spans[k]) + " is given twice; join its alternatives by ∨");
  auto reached = segmentations(spans);
  auto complete = reached.find(length);
  if (complete == reached.end()) throw InputError("tiles: no sequence of its spans covers 0-" + std::to_string(length));
  node->set_units(complete->second.fewest, complete->second.most);
  node->set_components(0);
  node->set_hash();
  return node;
}

bool Expression::possible(std::size_t k) const { return all_positive(probabilities_[k]); }

std::shared_ptr<Expression> Expression::make(Kind kind, std::vector<ExpressionPtr> arguments) {
  if (kind != Kind::word) require_arguments(arguments, kind);
  return std::shared_ptr<Expression>(new Expression(kind, std::move(arguments)));
}

Expression::~Expression() {
  // A chain of owners would be destroyed recursively, to the depth of the expression.
  std::vector<ExpressionPtr> doomed = std::move(arguments_);
  while (!doomed.empty()) {
    ExpressionPtr last = std::move(doomed.back());
    doomed.pop_back();
    if (last.use_count() > 1) continue;
    auto& arguments = const_cast<Expression&>(*last).arguments_;
    std::move(arguments.begin(), arguments.end(), std::back_inserter(doomed));
    arguments.clear();
  }
}

void Expression::set_components(std::size_t components) {
  components_ = components;
  for (const ExpressionPtr& argument : arguments_) {
    std::size_t theirs = argument->components_;
    if (theirs > 1 && components_ > 1 && theirs != components_)
      throw InputError(std::string(sign(kind_)) + ": " + std::to_string(components_) + " and " +
                       std::to_string(theirs) + " probabilities per choice in one expression");
    components_ = std::max(components_, theirs);
  }
}

void Expression::set_units(std::uint64_t fewest, std::uint64_t most) {
  min_units_ = fewest;
  max_units_ = most;
}

void Expression::set_hash() {
  std::size_t value = static_cast<std::size_t>(kind_);
  auto mix = [&](std::size_t other) {
    value = (value ^ (other + 0x9e3779b97f4a7c15u + (value << 6) + (value >> 2))) * 0xff51afd7ed558ccdu;
  };
  auto mix_all = [&](const std::vector<double>& numbers) {
    mix(numbers.size());
    for (double number : numbers) mix(std::hash<double>{}(number));
  };
  mix(std::hash<std::string>{}(text_));
  mix(scored_);
  for (const auto& row : probabilities_) mix_all(row);
  mix(static_cast<std::size_t>(delta_.form));
  for (const auto& listed : delta_.listed) {
    for (std::uint32_t k : listed.permutation) mix(k);
    mix_all(listed.probabilities);
  }
  mix_all(delta_.other_permutations);
  mix_all(delta_.shuffles);
  mix(std::hash<double>{}(delta_.movement_base));
  mix(length_);
  mix(std::hash<double>{}(movement_base_));
  for (auto [begin, end] : spans_) mix((std::size_t{begin} << 32) | end);
  for (const ExpressionPtr& argument : arguments_) mix(argument->hash_);
  hash_ = value;
}

}  // namespace widl
