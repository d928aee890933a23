#include "metrics/metric.hpp"

#include <algorithm>
#include <cmath>

// MetricStatistics counts the n-grams; here totals become scores.
namespace widl {
namespace {

constexpr std::size_t kLogs = 1 << 17;

double chrf(const ChrfTerm& term, std::span<const double> totals) {
  // sacrebleu's mean over the orders that occur (its effective order).
  const double factor = term.beta * term.beta;
  double precision = 0, recall = 0;
  std::size_t effective = 0;
  for (std::size_t n = 0; n < term.orders; ++n) {
    const double hypothesis = totals[3 * n], reference = totals[3 * n + 1], matches = totals[3 * n + 2];
    if (hypothesis > 0 && reference > 0) {
      precision += matches / hypothesis;
      recall += matches / reference;
      ++effective;
    }
  }
  if (effective == 0 || precision + recall == 0) return 0;
  precision /= static_cast<double>(effective);
  recall /= static_cast<double>(effective);
  return 100 * (1 + factor) * precision * recall / (factor * precision + recall);
}

double ratio(std::span<const double> totals) {
  if (totals[1] > 0) return 100 * totals[0] / totals[1];
  return totals[0] > 0 ? 100 : 0;
}

}  // namespace

void Metric::add(double coefficient, const std::variant<BleuTerm, ChrfTerm, RatioTerm>& term) {
  terms_.push_back({coefficient, statistics_, term});
  const auto* bleu = std::get_if<BleuTerm>(&term);
  const auto* chrf = std::get_if<ChrfTerm>(&term);
  statistics_ += bleu ? 2 * bleu->max_order + 2 : chrf ? 3 * chrf->orders : 2;
  if (!bleu || !logs_.empty()) return;
  logs_.resize(kLogs);
  for (std::size_t i = 0; i < kLogs; ++i) logs_[i] = std::log(static_cast<double>(i));
}

double Metric::score(std::span<const double> totals) const {
  double sum = 0;
  for (const Term& term : terms_) sum += term.coefficient * value(term, totals);
  return sum;
}

double Metric::term(std::size_t index, std::span<const double> totals) const { return value(terms_[index], totals); }

double Metric::value(const Term& term, std::span<const double> totals) const {
  const auto own = totals.subspan(term.offset);
  if (const auto* term_of_bleu = std::get_if<BleuTerm>(&term.metric)) return bleu(*term_of_bleu, own);
  if (const auto* term_of_chrf = std::get_if<ChrfTerm>(&term.metric)) return chrf(*term_of_chrf, own);
  return ratio(own);
}

/// Matches sacrebleu's compute_bleu (Papineni et al. 2002; Chen & Cherry 2014 for the smoothing methods).
double Metric::bleu(const BleuTerm& term, std::span<const double> totals) const {
  const std::size_t orders = term.max_order;
  const double length = totals[2 * orders], reference = totals[2 * orders + 1];
  if (std::all_of(totals.begin(), totals.begin() + static_cast<std::ptrdiff_t>(orders),
                  [](double matches) { return matches == 0; }))
    return 0;
  double sum = 0, halvings = 0;
  for (std::size_t n = 0; n < orders; ++n) {
    double matches = totals[n], ngrams = totals[orders + n];
    if (term.smoothing == Smoothing::AddK && n > 0) {
      matches += term.smooth_value;
      ngrams += term.smooth_value;
    }
    if (ngrams == 0) return 0;
    if (matches > 0) {
      sum += log(matches);
    } else if (term.smoothing == Smoothing::Exponential) {
      halvings += 1;
      sum -= halvings * std::log(2.0);
    } else if (term.smoothing == Smoothing::Floor && term.smooth_value > 0) {
      sum += std::log(term.smooth_value);
    } else {
      return 0;
    }
    sum -= log(ngrams);
  }
  const double brevity = length < reference ? 1 - reference / length : 0;
  return 100 * std::exp(brevity + sum / static_cast<double>(orders));
}

double Metric::log(double x) const {
  const auto index = static_cast<std::size_t>(x);
  return index < logs_.size() && static_cast<double>(index) == x ? logs_[index] : std::log(x);
}

}  // namespace widl
