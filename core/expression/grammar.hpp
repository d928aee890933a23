#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/vocabulary.hpp"

namespace widl {

/// A context-free grammar over words, trimmed to the rules that some string can use.
///
/// What is kept beside the rules is what a left-corner recognizer asks for: which symbols a rule can begin
/// with, those included that stand behind nonterminals which derive the empty string.
class Grammar {
 public:
  enum class Kind { word, any_word, nonterminal };
  /// As rules are given: the text is a word or a nonterminal's name, and unused for `any_word`.
  struct SymbolText {
    Kind kind;
    std::string text;
  };
  struct RuleText {
    std::string left;
    std::vector<SymbolText> right;  // none: the left side derives the empty string
  };

  struct Symbol {
    Kind kind;
    std::uint32_t number;  ///< of the word or nonterminal
    auto operator<=>(const Symbol&) const = default;
  };
  /// The end of a right-hand side; equal ends are one. The empty one is kEmpty.
  using Suffix = std::uint32_t;
  static constexpr Suffix kEmpty = 0;
  /// A place where a symbol can be the first of a rule's strings: what follows it, and the left side.
  struct Corner {
    std::uint32_t left;
    Suffix rest;
  };

  /// The first rule's left side is the start symbol.
  /// @throws InputError for an undefined nonterminal, no rules, or a start symbol that derives no string.
  explicit Grammar(std::span<const RuleText> rules);

  /// The number of a word that the rules name; words() for any other.
  std::uint32_t word(std::string_view text) const { return words_.find(text).value_or(words()); }
  std::uint32_t words() const { return static_cast<std::uint32_t>(words_.size()); }
  std::uint32_t nonterminals() const { return static_cast<std::uint32_t>(names_.size()); }
  /// Rules that are left.
  std::size_t size() const { return rules_; }

  /// The suffix that is the start symbol alone.
  Suffix start() const { return start_; }
  Symbol first(Suffix suffix) const { return suffixes_[suffix].first; }
  Suffix tail(Suffix suffix) const { return suffixes_[suffix].tail; }
  bool nullable(Symbol symbol) const { return symbol.kind == Kind::nonterminal && nullable_[symbol.number]; }

  std::span<const Corner> corners_of_word(std::uint32_t word) const {
    return word < words() ? std::span<const Corner>(word_corners_[word]) : std::span<const Corner>();
  }
  std::span<const Corner> corners_of_any_word() const { return any_corners_; }
  std::span<const Corner> corners_of(std::uint32_t nonterminal) const { return corners_[nonterminal]; }
  /// Nonterminals that a rule of this one can begin with.
  std::span<const std::uint32_t> begins_with(std::uint32_t nonterminal) const { return begins_with_[nonterminal]; }

 private:
  struct Rule {
    std::uint32_t left;
    std::vector<Symbol> right;
  };
  struct SuffixParts {
    Symbol first;
    Suffix tail;
  };

  std::vector<Rule> number(std::span<const RuleText> rules);
  void trim(std::vector<Rule>& rules) const;
  void find_nullable(const std::vector<Rule>& rules);
  void find_corners(const std::vector<Rule>& rules);
  Suffix intern(Symbol first, Suffix tail);

  Vocabulary words_, names_;  // of terminals, of nonterminals
  std::size_t rules_ = 0;
  std::vector<SuffixParts> suffixes_{{}};
  std::map<std::pair<Symbol, Suffix>, Suffix> suffix_ids_;
  Suffix start_ = kEmpty;
  std::vector<bool> nullable_;
  std::vector<std::vector<Corner>> word_corners_, corners_;
  std::vector<Corner> any_corners_;
  std::vector<std::vector<std::uint32_t>> begins_with_;
};

}  // namespace widl
