#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "expression/grammar.hpp"
#include "search/budget.hpp"
#include "search/hash_table.hpp"
#include "strong_id.hpp"

namespace widl {

/// What a grammar allows to follow some prefix. Equal numbers mean equal futures.
using ChartId = Id<struct ChartKind>;

/// Recognizes strings of a context-free grammar word by word, from left to right.
///
/// A chart is the set of all that may follow the prefix read, each alternative written as what is left of the
/// innermost rule and what may follow that:
///
///   L(chart) = ⋃ L(form) · L(after)  over its entries,  and ε where the prefix is a string of the grammar.
///
/// As in Earley's algorithm only prefixes of strings of the grammar have a chart other than kDead. Other than
/// Earley's item sets, charts don't know positions: prefixes with the same alternatives left share one chart.
/// Where a rule is left-recursive, a form ends in a slash category [M/X], "what turns an X that was read into
/// an M": X itself if X = M, or the rest δ of a rule Y → α X δ (α deriving ε) and [M/Y]. With these
/// left corners no chart refers to itself, and entries of the same form are one, as
/// L(f)·L(a) ∪ L(f)·L(b) = L(f)·(L(a) ∪ L(b)). Charts are hash-consed; one recognizer per search and thread.
class Recognizer {
 public:
  static constexpr ChartId kDead{0};
  /// Constituents that may be open inside one another.
  static constexpr std::uint32_t kMaxDepth = 5'000;

  /// Both must outlive the recognizer.
  Recognizer(const Grammar& grammar, Budget& budget);
  /// One without limits.
  explicit Recognizer(const Grammar& grammar);

  ChartId start() const { return start_; }
  /// The chart after one more word, given by its number in the grammar; kDead if no string of the grammar goes on so.
  /// @throws InputError when more than kMaxDepth constituents are open; OutOfBudget
  ChartId scan(ChartId chart, std::uint32_t word);
  /// Whether the words read so far are a string of the grammar.
  bool accepts(ChartId chart) const { return charts_[chart].accepts; }

  const Grammar& grammar() const { return *grammar_; }
  std::size_t charts() const { return charts_.size(); }

 private:
  using FormId = std::uint32_t;
  using Suffix = Grammar::Suffix;
  static constexpr std::uint32_t kNoSlash = ~std::uint32_t{0};
  static constexpr ChartId kEnd{1};  // nothing may follow

  /// The end of a rule, then [into/from] unless `into` is kNoSlash.
  struct Form {
    Suffix suffix;
    std::uint32_t into, from;
    bool operator==(const Form&) const = default;
  };
  struct FormHash {
    std::size_t operator()(const Form& form) const {
      return mix(mix((std::uint64_t{form.suffix} << 32) | form.into) + form.from);
    }
  };
  /// What a form comes to without another word read: forms with a symbol to read, and perhaps nothing at all.
  struct Expansion {
    explicit Expansion(Budget& budget) : forms(budget) {}
    Counted<FormId> forms;
    bool vanishes = false;
    bool known = false;
  };
  struct Entry {
    FormId form;
    ChartId after;
    auto operator<=>(const Entry&) const = default;
  };
  struct Known {
    ChartId chart = kDead;
    bool is_known = false;
  };
  struct Chart {
    std::uint32_t first_entry, entry_count;
    std::uint32_t depth;
    bool accepts;
  };

  std::span<const Entry> entries(ChartId chart) const {
    return {entries_.data() + charts_[chart].first_entry, charts_[chart].entry_count};
  }
  FormId intern(Form form);
  ChartId intern(std::span<const Entry> sorted, bool accepts);
  const Expansion& expand(FormId form);
  /// Whether a string of the nonterminal can begin with one of its own; if not, [M/M] is nothing.
  bool left_recursive(std::uint32_t nonterminal);
  /// Whether a string of `nonterminal` can begin with one of `corner`, by left corners alone.
  bool is_left_corner(std::uint32_t nonterminal, std::uint32_t corner);
  /// The chart L(form) · L(after). Slash categories remain in it for left-recursive nonterminals only.
  ChartId chart_of(Form form, ChartId after);
  ChartId unite(ChartId a, ChartId b);
  ChartId compute(ChartId chart, std::uint32_t word);

  /// A recognizer with a budget of its own.
  Recognizer(const Grammar& grammar, std::unique_ptr<Budget> budget);

  template <class Key, class Value>
  using EntryAllocator = BudgetAllocator<std::pair<const Key, Value>>;

  const Grammar* grammar_;
  std::unique_ptr<Budget> own_budget_;
  Budget& budget_;
  std::unordered_map<Form, FormId, FormHash, std::equal_to<Form>, EntryAllocator<Form, FormId>> form_ids_{budget_};
  Counted<Form> forms_{budget_};
  Counted<Expansion> expansions_{budget_};       // by form
  Counted<Counted<bool>> left_corners_{budget_}; // by nonterminal; empty: not asked for yet
  Counted<Chart> charts_{budget_};
  Counted<Entry> entries_{budget_};
  std::unordered_multimap<std::uint64_t, ChartId, std::hash<std::uint64_t>, std::equal_to<std::uint64_t>,
                          EntryAllocator<std::uint64_t, ChartId>>
      chart_ids_{budget_};
  // By chart and word; by two charts; by form and chart.
  HashTable<Known, BudgetAllocator> scanned_{1024, budget_}, united_{1024, budget_}, made_{1024, budget_};
  std::uint32_t depth_ = 0;                      // of the recursion of chart_of
  ChartId start_ = kDead;
};

}  // namespace widl
