#include "search/sequence_bound.hpp"

#include <algorithm>
#include <cmath>

#include "log_zero.hpp"
#include "search/constants.hpp"
#include "search/row_loops.hpp"

namespace widl {
namespace {

constexpr std::size_t kWorkPerScore = 20;  // of a language model

}  // namespace

SequenceBound::SequenceBound(std::vector<std::uint32_t> multiplicity, std::vector<Option> options, const Scores& scores,
                             Budget& budget)
    : budget_(budget),
      multipliers_(std::move(multiplicity)),
      options_(std::move(options)),
      option_count_(static_cast<std::uint32_t>(options_.size())),
      columns_((std::size_t{option_count_} / row_loops::kLanes + 1) * row_loops::kLanes),
      pairs_(columns_ * option_count_) {
  for (std::uint32_t count : multipliers_.multiplicity) length_ += count;
  steps_.assign(pairs_ * option_count_, kFiniteLogZero);
  finishes_.assign(pairs_, kFiniteLogZero);
  auto first = scores.after(kStart, kStart);
  for (OptionId next = 0; next < option_count_; ++next) starts_.push_back(first(next) + options_[next].score);
  for (std::uint32_t p = 0; p <= option_count_; ++p)
    for (OptionId last = 0; last < option_count_; ++last) {
      const OptionId previous = p == option_count_ ? kStart : p;
      // A pair without room for its own words never occurs.
      if (previous != kStart && options_[previous].group == options_[last].group &&
          multipliers_.multiplicity[options_[last].group] < 2)
        continue;
      budget_.work(kWorkPerScore * option_count_);
      finishes_[pair(previous, last)] = scores.finish(previous, last);
      auto step = scores.after(previous, last);
      for (OptionId next = 0; next < option_count_; ++next)
        if (may_follow(previous, last, next))
          steps_[(std::size_t{last} * option_count_ + next) * columns_ + p] = step(next) + options_[next].score;
    }
  bound_ = solve(steps_, table_);
}

bool SequenceBound::may_follow(OptionId previous, OptionId last, OptionId next) const {
  const std::uint32_t group = options_[next].group;
  std::uint32_t realized = (options_[last].group == group) + (previous != kStart && options_[previous].group == group);
  return realized < multipliers_.multiplicity[group];
}

/// Fills the table backwards; returns the bound.
template <class Real>
double SequenceBound::solve(const MeteredVector<Real>& steps, MeteredVector<Real>& table) const {
  table.resize((std::size_t{length_} + 1) * pairs_);
  std::copy(finishes_.begin(), finishes_.end(), table.begin() + static_cast<std::ptrdiff_t>(length_ * pairs_));
  std::vector<Real> multipliers(option_count_), after(option_count_);
  for (OptionId o = 0; o < option_count_; ++o) multipliers[o] = static_cast<Real>(multipliers_[options_[o].group]);
  const std::size_t row_work = std::size_t{option_count_} * option_count_ / constants::kSumsPerUnit + 1;
  for (std::uint32_t placed = length_; placed-- > 1;)
    for (OptionId last = 0; last < option_count_; ++last) {
      budget_.work(row_work);
      const Real* completions = &table[(placed + 1) * pairs_ + last];
      for (OptionId next = 0; next < option_count_; ++next)
        after[next] = multipliers[next] + completions[next * columns_];
      row_loops::best_of_rows(&steps[last * pairs_], after.data(), option_count_, columns_,
                              static_cast<Real>(kFiniteLogZero), &table[placed * pairs_ + last * columns_]);
    }
  double best = kFiniteLogZero;
  for (OptionId next = 0; next < option_count_; ++next)
    best =
        std::max<double>(best, starts_[next] + multipliers_[options_[next].group] + table[pairs_ + pair(kStart, next)]);
  return best - multipliers_.sum();
}

/// Number of times that the best path of a solved table realizes each group.
std::vector<std::uint32_t> SequenceBound::best_visits(const MeteredVector<float>& table) const {
  std::vector<std::uint32_t> visits(multipliers_.groups(), 0);
  OptionId previous = kStart, last = kStart;
  for (std::uint32_t placed = 0; placed < length_; ++placed) {
    double best = -std::numeric_limits<double>::infinity();
    OptionId chosen = 0;
    for (OptionId next = 0; next < option_count_; ++next) {
      const double step_score = placed == 0 ? starts_[next] : step(previous, last, next);
      const double sum =
          step_score + multipliers_[options_[next].group] + table[(placed + 1) * pairs_ + pair(last, next)];
      if (sum > best) {
        best = sum;
        chosen = next;
      }
    }
    ++visits[options_[chosen].group];
    previous = last;
    last = chosen;
  }
  return visits;
}

void SequenceBound::tighten(unsigned iterations) {
  if (length_ == 0) return;
  const GroupMultipliers before = multipliers_;
  const auto out = catch_out_of_budget([&] {
    lower(iterations);
    MeteredVector<double> table(budget_);
    bound_ = solve(steps_, table);
    table_ = std::move(table);
  });
  if (out) multipliers_ = before;  // the multipliers of table_
  multiplier_sum_ = multipliers_.sum();
}

/// Finds the multipliers with the lowest bound. Stops where the budget is about to run out.
void SequenceBound::lower(unsigned iterations) {
  const MeteredVector<float> steps(steps_.begin(), steps_.end(), budget_);
  MeteredVector<float> table(budget_);
  MultiplierDescent descent(multipliers_, /*least_gain=*/1e-9, constants::kStepPatience);
  double unit = 0;
  for (double start : starts_) unit += std::abs(start) / option_count_;
  double step = constants::kFirstStep * unit;
  // The remaining budget must suffice for this pass and the last one.
  const auto two_passes = 3 * static_cast<std::size_t>(work(length_, option_count_)) / constants::kSumsPerUnit;
  for (unsigned i = 0; i < iterations && step > constants::kLastStep * unit; ++i) {
    if (!budget_.has(two_passes, table_.size() * sizeof(double))) break;
    if (!descent.goes_on(solve(steps, table))) {
      step *= constants::kShrink;
      continue;
    }
    const std::vector<std::uint32_t> visits = best_visits(table);
    realized_ = visits == multipliers_.multiplicity;  // then the bound is the optimum
    if (realized_ || !descent.step(visits, [&](double square) { return step / std::sqrt(square); })) break;
  }
  descent.restore_best();
}

}  // namespace widl
