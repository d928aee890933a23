#include "expression/grammar.hpp"

#include <algorithm>

#include "errors.hpp"

namespace widl {
namespace {

/// The nonterminals of which a rule has only symbols that `counts` accepts or that are found already:
/// the least fixed point, each rule looked at again only when another of its nonterminals is found.
template <class Rules, class Counts>
std::vector<bool> fixed_point(const Rules& rules, std::size_t nonterminals, Counts&& counts) {
  std::vector<bool> found(nonterminals);
  std::vector<std::vector<std::uint32_t>> users(nonterminals);
  std::vector<std::size_t> missing(rules.size());
  std::vector<std::uint32_t> ready;
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    for (Grammar::Symbol symbol : rules[r].right) {
      if (symbol.kind == Grammar::Kind::nonterminal) users[symbol.number].push_back(r);
      if (symbol.kind == Grammar::Kind::nonterminal || !counts(symbol)) ++missing[r];
    }
    if (missing[r] == 0) ready.push_back(r);
  }
  while (!ready.empty()) {
    std::uint32_t left = rules[ready.back()].left;
    ready.pop_back();
    if (found[left]) continue;
    found[left] = true;
    for (std::uint32_t user : users[left])
      if (--missing[user] == 0) ready.push_back(user);
  }
  return found;
}

}  // namespace

Grammar::Grammar(std::span<const RuleText> texts) {
  std::vector<Rule> rules = number(texts);
  trim(rules);
  rules_ = rules.size();
  start_ = intern({Kind::nonterminal, 0}, kEmpty);
  find_nullable(rules);
  find_corners(rules);
}

std::vector<Grammar::Rule> Grammar::number(std::span<const RuleText> texts) {
  if (texts.empty()) throw InputError("a grammar needs at least one rule");
  std::vector<Rule> rules;
  for (const RuleText& text : texts) names_.intern(text.left);
  for (const RuleText& text : texts) {
    Rule& rule = rules.emplace_back(Rule{names_.intern(text.left), {}});
    for (const SymbolText& symbol : text.right) {
      std::uint32_t number = 0;
      if (symbol.kind == Kind::word) number = words_.intern(symbol.text);
      if (symbol.kind == Kind::nonterminal) {
        auto found = names_.find(symbol.text);
        if (!found) throw InputError("the nonterminal '" + symbol.text + "' has no rule");
        number = *found;
      }
      rule.right.push_back({symbol.kind, number});
    }
  }
  return rules;
}

/// Leaves the rules that take part in a derivation of some string from the start symbol.
void Grammar::trim(std::vector<Rule>& rules) const {
  std::vector<bool> productive = fixed_point(rules, nonterminals(), [](Symbol) { return true; });
  if (!productive[0])
    throw InputError("the start symbol '" + std::string(names_.word(0)) +
                     "' derives no string: each of its derivations goes on for ever");
  std::erase_if(rules, [&](const Rule& rule) {
    return std::any_of(rule.right.begin(), rule.right.end(), [&](Symbol symbol) {
      return symbol.kind == Kind::nonterminal && !productive[symbol.number];
    });
  });
  std::vector<std::vector<const Rule*>> by_left(nonterminals());
  for (const Rule& rule : rules) by_left[rule.left].push_back(&rule);
  std::vector<bool> reached(nonterminals());
  std::vector<std::uint32_t> open = {0};
  reached[0] = true;
  while (!open.empty()) {
    std::uint32_t left = open.back();
    open.pop_back();
    for (const Rule* rule : by_left[left])
      for (Symbol symbol : rule->right)
        if (symbol.kind == Kind::nonterminal && !reached[symbol.number]) {
          reached[symbol.number] = true;
          open.push_back(symbol.number);
        }
  }
  std::erase_if(rules, [&](const Rule& rule) { return !reached[rule.left]; });
}

void Grammar::find_nullable(const std::vector<Rule>& rules) {
  nullable_ = fixed_point(rules, nonterminals(), [](Symbol) { return false; });
}

void Grammar::find_corners(const std::vector<Rule>& rules) {
  word_corners_.resize(words());
  corners_.resize(nonterminals());
  begins_with_.resize(nonterminals());
  for (const Rule& rule : rules) {
    std::vector<Suffix> suffixes(rule.right.size() + 1, kEmpty);
    for (std::size_t i = rule.right.size(); i-- > 0;) suffixes[i] = intern(rule.right[i], suffixes[i + 1]);
    for (std::size_t i = 0; i < rule.right.size(); ++i) {
      const Symbol symbol = rule.right[i];
      const Corner corner{rule.left, suffixes[i + 1]};
      if (symbol.kind == Kind::word) word_corners_[symbol.number].push_back(corner);
      if (symbol.kind == Kind::any_word) any_corners_.push_back(corner);
      if (symbol.kind == Kind::nonterminal) {
        corners_[symbol.number].push_back(corner);
        begins_with_[rule.left].push_back(symbol.number);
      }
      if (!nullable(symbol)) break;
    }
  }
}

Grammar::Suffix Grammar::intern(Symbol first, Suffix tail) {
  auto [entry, added] = suffix_ids_.try_emplace({first, tail}, static_cast<Suffix>(suffixes_.size()));
  if (added) suffixes_.push_back({first, tail});
  return entry->second;
}

}  // namespace widl
