#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace widl {

class Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

/// δ of ∥: how the mass is spread over the ways to interleave the arguments. Permutations list argument numbers, from 0,
/// in the order realized. Every probability is a vector of the same J components.
struct InterleaveDistribution {
  enum class Form {
    listed,    ///< some permutations, `other_permutations`, `shuffles`
    uniform,   ///< all interleavings alike
    movement,  ///< permutations, scored a^d with d the total movement; unnormalized
  };
  struct Listed {
    std::vector<std::uint32_t> permutation;
    std::vector<double> probabilities;
  };

  Form form = Form::listed;
  std::vector<Listed> listed;
  std::vector<double> other_permutations;  ///< mass of the permutations not listed; empty: none
  std::vector<double> shuffles;            ///< mass of the other interleavings; empty: none
  double movement_base = 0;                ///< the a of a^d

  static InterleaveDistribution uniform() { return {Form::uniform, {}, {}, {}, 0}; }
  static InterleaveDistribution movement(double base) { return {Form::movement, {}, {}, {}, base}; }
};

/// A WIDL-expression (Soricut & Marcu 2006, §2.1): an immutable tree that may share sub-expressions
/// and may be deep; walk it with NodeTable, never by recursion.
///
/// Constructors check everything and throw InputError naming the operator. They return a well-formed expression with at
/// least one derivation. A choice or an order is *possible* if its probability is non-zero in every component;
/// derivations are made of possible ones.
class Expression : public std::enable_shared_from_this<Expression> {
 public:
  enum class Kind { word, precedence, disjunction, interleave, lock, tiles };

  /// A span [begin, end) of source positions and its alternatives.
  struct Span {
    std::uint32_t begin, end;
    ExpressionPtr content;
  };

  static ExpressionPtr word(std::string text);
  /// The parts in their order; a single part is returned unchanged. Without parts it is the empty string, which is only
  /// allowed as an argument of · and ∨.
  static ExpressionPtr precedence(std::vector<ExpressionPtr> parts);
  static ExpressionPtr lock(ExpressionPtr content);
  /// probabilities[k] holds the J components of argument k; each component sums to 1 within 1e-6.
  static ExpressionPtr disjunction(std::vector<ExpressionPtr> arguments,
                                   std::vector<std::vector<double>> probabilities);
  /// Like `disjunction`, for unnormalized scores in (0, 1], such as the scores of pruned phrase tables.
  static ExpressionPtr scored_disjunction(std::vector<ExpressionPtr> arguments,
                                          std::vector<std::vector<double>> scores);
  static ExpressionPtr interleave(std::vector<ExpressionPtr> arguments, InterleaveDistribution delta);
  /// ∨ over all segmentations of positions [0, length) into the given spans, of ∥expmove(the
  /// segmentation's spans); `base` is the a of a^d, with d the total movement.
  static ExpressionPtr tiles(std::uint32_t length, std::vector<Span> spans, double base);

  ~Expression();
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  Kind kind() const { return kind_; }
  const std::string& text() const { return text_; }  // word
  const std::vector<ExpressionPtr>& arguments() const { return arguments_; }
  const std::vector<std::vector<double>>& probabilities() const { return probabilities_; }
  bool scored() const { return scored_; }                         // disjunction
  const InterleaveDistribution& delta() const { return delta_; }  // interleave
  std::uint32_t length() const { return length_; }                // tiles
  double movement_base() const { return movement_base_; }         // tiles
  /// The span of arguments()[k], for tiles.
  std::pair<std::uint32_t, std::uint32_t> span(std::size_t k) const { return spans_[k]; }

  /// J, the number of probabilities per choice. 0: the expression has no choices. If other operators have J
  /// probabilities, an operator's single probability counts in every component.
  std::size_t components() const { return components_; }
  /// Whether argument k of a disjunction can be chosen.
  bool possible(std::size_t k) const;
  /// Fewest and most units (unlocked words and locked blocks) of a derivation; 2^62 means "or more". 0: the derivation
  /// may be empty.
  std::uint64_t min_units() const { return min_units_; }
  std::uint64_t max_units() const { return max_units_; }
  /// Equal for equal expressions, regardless of shared nodes.
  std::size_t hash() const { return hash_; }

 private:
  Expression(Kind kind, std::vector<ExpressionPtr> arguments) : kind_(kind), arguments_(std::move(arguments)) {}
  static std::shared_ptr<Expression> make(Kind kind, std::vector<ExpressionPtr> arguments);
  static ExpressionPtr make_disjunction(std::vector<ExpressionPtr> arguments, std::vector<std::vector<double>> rows,
                                        bool scored);
  void check_interleave();
  void set_components(std::size_t components);
  void set_units(std::uint64_t fewest, std::uint64_t most);
  void set_hash();

  Kind kind_;
  bool scored_ = false;
  std::string text_;
  std::vector<ExpressionPtr> arguments_;
  std::vector<std::vector<double>> probabilities_;
  InterleaveDistribution delta_;
  std::uint32_t length_ = 0;
  double movement_base_ = 1;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans_;
  std::size_t components_ = 0;
  std::uint64_t min_units_ = 1, max_units_ = 1;
  std::size_t hash_ = 0;
};

/// The operator's sign: · ∨ ∥ × or the word tiles; for messages.
const char* sign(Expression::Kind kind);

}  // namespace widl
