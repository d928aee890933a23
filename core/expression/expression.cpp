#include "expression/expression.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "errors.hpp"

namespace widl {
namespace {

constexpr double kSumTolerance = 1e-6;

void require_arguments(const std::vector<ExpressionPtr>& arguments, const char* name) {
  if (arguments.empty()) throw InputError(std::string(name) + " needs at least one argument");
  for (const ExpressionPtr& argument : arguments)
    if (!argument) throw InputError(std::string(name) + " has an empty argument");
}

void require_probability(double p, const char* name) {
  if (!(p >= 0 && p <= 1))
    throw InputError(std::string(name) + ": " + std::to_string(p) + " is not a probability");
}

void require_sum_of_one(double sum, const char* name) {
  if (std::abs(sum - 1) > kSumTolerance)
    throw InputError(std::string(name) + ": the probabilities sum to " + std::to_string(sum) +
                     ", not to 1");
}

std::size_t components(const std::vector<std::vector<double>>& rows, std::size_t arguments) {
  if (rows.size() != arguments)
    throw InputError("∨ has " + std::to_string(arguments) + " arguments, but probabilities for " +
                     std::to_string(rows.size()));
  for (const auto& row : rows)
    if (row.empty() || row.size() != rows.front().size())
      throw InputError("∨: every argument needs the same number of probabilities");
  return rows.front().size();
}

}  // namespace

ExpressionPtr Expression::word(std::string text) {
  if (text.empty()) throw InputError("a word can't be empty");
  auto made = std::shared_ptr<Expression>(new Expression(Kind::word));
  made->text_ = std::move(text);
  return made;
}

ExpressionPtr Expression::precedence(std::vector<ExpressionPtr> parts) {
  require_arguments(parts, "·");
  auto made = std::shared_ptr<Expression>(new Expression(Kind::precedence));
  made->arguments_ = std::move(parts);
  return made;
}

ExpressionPtr Expression::lock(ExpressionPtr content) {
  auto made = std::shared_ptr<Expression>(new Expression(Kind::lock));
  made->arguments_ = {std::move(content)};
  require_arguments(made->arguments_, "×");
  return made;
}

ExpressionPtr Expression::disjunction(std::vector<ExpressionPtr> arguments,
                                      std::vector<std::vector<double>> probabilities) {
  require_arguments(arguments, "∨");
  std::size_t count = components(probabilities, arguments.size());
  for (std::size_t j = 0; j < count; ++j) {
    double sum = 0;
    for (const auto& row : probabilities) {
      require_probability(row[j], "∨");
      sum += row[j];
    }
    require_sum_of_one(sum, "∨");
  }
  auto made = std::shared_ptr<Expression>(new Expression(Kind::disjunction));
  made->arguments_ = std::move(arguments);
  made->probabilities_ = std::move(probabilities);
  return made;
}

ExpressionPtr Expression::scored_disjunction(std::vector<ExpressionPtr> arguments,
                                             std::vector<std::vector<double>> scores) {
  require_arguments(arguments, "∨");
  components(scores, arguments.size());
  for (const auto& row : scores)
    for (double score : row)
      if (!(score > 0 && score <= 1))
        throw InputError("∨: the score " + std::to_string(score) + " is not in (0, 1]");
  auto made = std::shared_ptr<Expression>(new Expression(Kind::disjunction));
  made->arguments_ = std::move(arguments);
  made->probabilities_ = std::move(scores);
  return made;
}

ExpressionPtr Expression::interleave(std::vector<ExpressionPtr> arguments,
                                     InterleaveDistribution delta) {
  require_arguments(arguments, "∥");
  double sum = delta.other_permutations + delta.shuffles;
  require_probability(delta.other_permutations, "∥");
  require_probability(delta.shuffles, "∥");
  for (const auto& listed : delta.listed) {
    require_probability(listed.probability, "∥");
    sum += listed.probability;
    std::vector<std::uint32_t> sorted = listed.permutation, identity(arguments.size());
    std::sort(sorted.begin(), sorted.end());
    std::iota(identity.begin(), identity.end(), 0u);
    if (sorted != identity)
      throw InputError("∥: a listed order is not a permutation of its " +
                       std::to_string(arguments.size()) + " arguments");
  }
  require_sum_of_one(sum, "∥");
  auto made = std::shared_ptr<Expression>(new Expression(Kind::interleave));
  made->arguments_ = std::move(arguments);
  made->delta_ = std::move(delta);
  return made;
}

ExpressionPtr Expression::tiles(std::uint32_t length, std::vector<Span> spans, double base) {
  if (!(base > 0 && base < 1)) throw InputError("tiles: the movement base must be between 0 and 1");
  auto made = std::shared_ptr<Expression>(new Expression(Kind::tiles));
  made->length_ = length;
  made->movement_base_ = base;
  for (Span& span : spans) {
    if (span.begin >= span.end || span.end > length)
      throw InputError("tiles: the span [" + std::to_string(span.begin) + ", " +
                       std::to_string(span.end) + ") is not within 0.." + std::to_string(length));
    made->spans_.emplace_back(span.begin, span.end);
    made->arguments_.push_back(std::move(span.content));
  }
  if (length > 0) require_arguments(made->arguments_, "tiles");
  return made;
}

}  // namespace widl
