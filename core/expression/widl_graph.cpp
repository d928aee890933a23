#include "expression/widl_graph.hpp"

#include <cmath>
#include <cstddef>
#include <string>

#include "errors.hpp"
#include "expression/widl_graph_compiler.hpp"
#include "log_zero.hpp"

namespace widl {

WidlGraph::WidlGraph(const Expression& expression, std::size_t components, SentenceWords& words)
    : components_(components) {
  if (expression.components() > 1 ? expression.components() != components : components < expression.components())
    throw InputError("the expression has " + std::to_string(expression.components()) +
                     " probabilities per choice, but there are weights for " + std::to_string(components) +
                     " WIDL features");
  WidlGraphCompiler(expression, words, *this);
}

namespace {

/// ln n! of a whole number. std::lgamma differs in its last digit between processors; logarithms do not.
double log_factorial(double n) {
  constexpr int kExact = 22;  // 22! is a double
  double product = 1;
  for (int k = 2; k <= kExact && k <= n; ++k) product *= k;
  double sum = std::log(product), lost = 0;
  for (double k = kExact + 1; k <= n; ++k) {  // Kahan's sum
    const double term = std::log(k) - lost, next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

double component(const std::vector<double>& values, std::size_t j) {
  return values.empty() ? 0 : values[values.size() == 1 ? 0 : j];
}

/// The total mass of the permutations. Not 1 minus the shuffles' mass, because masses sum to 1 only within a tolerance.
double permutation_mass(const InterleaveDistribution& delta, std::size_t j) {
  double sum = component(delta.other_permutations, j);
  for (const auto& listed : delta.listed) sum += component(listed.probabilities, j);
  return sum;
}

/// ln(n! - listed).
double log_unlisted(std::size_t n, std::size_t listed) {
  if (n > 18) return log_factorial(static_cast<double>(n));  // listed permutations are negligible here
  double all = 1;
  for (std::size_t k = 2; k <= n; ++k) all *= static_cast<double>(k);
  return std::log(all - static_cast<double>(listed));
}

}  // namespace

InterleavingCounts::InterleavingCounts(std::span<const std::uint64_t> units) {
  double sum = 0, divisor = 0;
  for (std::uint64_t u : units) {
    sum += static_cast<double>(u);
    if (u > 1) divisor += log_factorial(static_cast<double>(u));
  }
  auto n = static_cast<double>(units.size());
  permutations = log_factorial(n);
  all = log_factorial(sum) - divisor;
  // A second unit in any argument gives at least 1.5 times as many interleavings. Otherwise, and for a single argument,
  // there are no shuffles.
  bool any = n > 1 && sum > n;
  shuffles = any ? all + std::log1p(-std::exp(permutations - all)) : kLogZero;
  if (!any) all = permutations;
}

double log_share(const WidlGraph::Interleave& interleave, std::uint32_t memory, const InterleavingCounts& counts,
                 std::size_t j) {
  const InterleaveDistribution& delta = *interleave.delta;
  switch (delta.form) {
    case InterleaveDistribution::Form::uniform:
      return -counts.all;
    case InterleaveDistribution::Form::movement:
      return 0;
    case InterleaveDistribution::Form::listed:
      break;
  }
  if (memory == interleave.mixed()) return std::log(component(delta.shuffles, j)) - counts.shuffles;
  double share;
  if (memory == interleave.off()) {
    double others = component(delta.other_permutations, j);
    if (others == 0) return kLogZero;  // there may be no other interleavings to divide by
    share = std::log(others) - log_unlisted(interleave.min_units.size(), delta.listed.size());
  } else {
    share = std::log(component(delta.listed[interleave.trie[memory].listed].probabilities, j));
  }
  // If the chosen arguments allow no shuffles, the permutations share all of the mass.
  const bool shared = counts.shuffles == kLogZero && component(delta.shuffles, j) > 0;
  return shared && share != kLogZero ? share - std::log(permutation_mass(delta, j)) : share;
}

}  // namespace widl
