#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace widl {

class Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

/// δ of ∥: how the mass is spread over the ways to interleave the arguments (design: "Interleave
/// distributions"). Permutations list argument numbers, from 0, in the order realized.
struct InterleaveDistribution {
  struct Listed {
    std::vector<std::uint32_t> permutation;
    double probability;
  };
  std::vector<Listed> listed;
  double other_permutations = 0;
  double shuffles = 0;
};

/// A WIDL-expression (Soricut & Marcu 2006, §2.1): an immutable tree that may share sub-expressions.
///
/// Constructors check everything that can be checked locally and throw InputError naming the
/// operator; what they return is a well-formed expression.
class Expression {
 public:
  enum class Kind { word, precedence, disjunction, interleave, lock, tiles };

  /// A span [begin, end) of source positions and what it can become.
  struct Span {
    std::uint32_t begin, end;
    ExpressionPtr content;
  };

  static ExpressionPtr word(std::string text);
  static ExpressionPtr precedence(std::vector<ExpressionPtr> parts);
  static ExpressionPtr lock(ExpressionPtr content);
  /// probabilities[k] holds the J components of argument k; each component sums to 1 within 1e-6.
  static ExpressionPtr disjunction(std::vector<ExpressionPtr> arguments,
                                   std::vector<std::vector<double>> probabilities);
  /// As `disjunction`, for unnormalised scores in (0, 1], as phrase tables have them after pruning.
  static ExpressionPtr scored_disjunction(std::vector<ExpressionPtr> arguments,
                                          std::vector<std::vector<double>> scores);
  static ExpressionPtr interleave(std::vector<ExpressionPtr> arguments, InterleaveDistribution delta);
  /// ∨ over all segmentations of positions [0, length) into the given spans, of ∥expmove(the
  /// segmentation's spans); `base` is the a of a^d, with d the total movement.
  static ExpressionPtr tiles(std::uint32_t length, std::vector<Span> spans, double base);

  Kind kind() const { return kind_; }
  const std::string& text() const { return text_; }                    // word
  const std::vector<ExpressionPtr>& arguments() const { return arguments_; }
  const std::vector<std::vector<double>>& probabilities() const { return probabilities_; }
  const InterleaveDistribution& delta() const { return delta_; }       // interleave
  std::uint32_t length() const { return length_; }                     // tiles
  double movement_base() const { return movement_base_; }              // tiles
  /// The span of arguments()[k], for tiles.
  std::pair<std::uint32_t, std::uint32_t> span(std::size_t k) const { return spans_[k]; }

 private:
  explicit Expression(Kind kind) : kind_(kind) {}

  Kind kind_;
  std::string text_;
  std::vector<ExpressionPtr> arguments_;
  std::vector<std::vector<double>> probabilities_;
  InterleaveDistribution delta_;
  std::uint32_t length_ = 0;
  double movement_base_ = 1;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans_;
};

}  // namespace widl
