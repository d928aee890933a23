#include "search/recognizer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "errors.hpp"

namespace widl {

using Kind = Grammar::Kind;

namespace {

constexpr std::size_t kWorkPerEntry = 4;

[[noreturn]] void too_deep() {
  throw InputError("the grammar nests more than " + std::to_string(Recognizer::kMaxDepth) +
                   " constituents in one another");
}

}  // namespace

Recognizer::Recognizer(const Grammar& grammar, Budget& budget) : grammar_(&grammar), budget_(budget) {
  const Budget::Grace grace(budget_);  // linear in the grammar
  left_corners_.assign(grammar.nonterminals(), Counted<bool>(budget_));
  charts_.assign({{0, 0, 0, false}, {0, 0, 0, true}});
  start_ = chart_of({grammar.start(), kNoSlash, 0}, kEnd);
}

Recognizer::Recognizer(const Grammar& grammar, std::unique_ptr<Budget> budget) : Recognizer(grammar, *budget) {
  own_budget_ = std::move(budget);
}

Recognizer::Recognizer(const Grammar& grammar) : Recognizer(grammar, std::make_unique<Budget>()) {}

ChartId Recognizer::scan(ChartId chart, std::uint32_t word) {
  if (chart == kDead) return kDead;
  depth_ = 0;
  std::uint64_t key = (std::uint64_t{chart} << 32) | word;
  if (Known known = *scanned_.find_or_insert(key).first; known.is_known) return known.chart;
  ChartId next = compute(chart, word);
  *scanned_.find_or_insert(key).first = {next, true};
  return next;
}

ChartId Recognizer::compute(ChartId chart, std::uint32_t word) {
  ChartId next = kDead;
  const auto given = entries(chart);
  budget_.work(kWorkPerEntry * given.size() + kWorkPerEntry);
  for (const Entry& entry : std::vector<Entry>(given.begin(), given.end())) {
    const Form form = forms_[entry.form];
    const Grammar::Symbol symbol = grammar_->first(form.suffix);
    const Form rest{grammar_->tail(form.suffix), form.into, form.from};
    if (symbol.kind == Kind::any_word || (symbol.kind == Kind::word && symbol.number == word))
      next = unite(next, chart_of(rest, entry.after));
    if (symbol.kind != Kind::nonterminal) continue;
    ChartId after = kDead;  // made when needed
    auto begin_with = [&](std::span<const Grammar::Corner> corners) {
      for (const Grammar::Corner& corner : corners) {
        budget_.work(1);
        if (!is_left_corner(symbol.number, corner.left)) continue;
        if (after == kDead) after = chart_of(rest, entry.after);
        next = unite(next, chart_of({corner.rest, symbol.number, corner.left}, after));
      }
    };
    begin_with(grammar_->corners_of_word(word));
    begin_with(grammar_->corners_of_any_word());
  }
  return next;
}

ChartId Recognizer::chart_of(Form form, ChartId after) {
  const FormId number = intern(form);
  std::uint64_t key = (std::uint64_t{number} << 32) | after;
  if (Known known = *made_.find_or_insert(key).first; known.is_known) return known.chart;
  if (++depth_ > kMaxDepth) too_deep();
  budget_.work(kWorkPerEntry);
  ChartId chart = kDead;
  const Expansion expansion = expand(number);
  for (FormId one : expansion.forms) {
    Entry entry{one, after};
    if (const Form whole = forms_[one]; whole.into != kNoSlash && !left_recursive(whole.from))
      entry = {intern({whole.suffix, kNoSlash, 0}), chart_of({Grammar::kEmpty, whole.into, whole.from}, after)};
    chart = unite(chart, intern({&entry, 1}, false));
  }
  if (expansion.vanishes) chart = unite(chart, after);
  --depth_;
  *made_.find_or_insert(key).first = {chart, true};
  return chart;
}

ChartId Recognizer::unite(ChartId a, ChartId b) {
  if (a == b || b == kDead) return a;
  if (a == kDead) return b;
  std::uint64_t key = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
  if (Known known = *united_.find_or_insert(key).first; known.is_known) return known.chart;
  std::vector<Entry> all;
  std::vector<std::pair<Entry, ChartId>> common;
  {
    auto left = entries(a), right = entries(b);
    budget_.work(kWorkPerEntry * (left.size() + right.size()));
    auto i = left.begin(), j = right.begin();
    while (i != left.end() || j != right.end()) {
      if (j == right.end() || (i != left.end() && i->form < j->form)) all.push_back(*i++);
      else if (i == left.end() || j->form < i->form) all.push_back(*j++);
      else common.emplace_back(*i++, (j++)->after);
    }
  }
  for (auto& [entry, other] : common) all.push_back({entry.form, unite(entry.after, other)});
  std::sort(all.begin(), all.end());
  ChartId chart = intern(all, accepts(a) || accepts(b));
  *united_.find_or_insert(key).first = {chart, true};
  return chart;
}

const Recognizer::Expansion& Recognizer::expand(FormId id) {
  if (expansions_[id].known) return expansions_[id];
  Expansion result(budget_);
  result.known = true;
  std::vector<FormId> open = {id}, seen = {id};
  auto reach = [&](Form form) {
    FormId one = intern(form);
    budget_.work(1 + seen.size() / 8);
    if (std::find(seen.begin(), seen.end(), one) != seen.end()) return;
    seen.push_back(one);
    open.push_back(one);
  };
  while (!open.empty()) {
    const FormId number = open.back();
    const Form form = forms_[number];
    open.pop_back();
    if (form.suffix != Grammar::kEmpty) {
      result.forms.push_back(number);
      if (grammar_->nullable(grammar_->first(form.suffix)))
        reach({grammar_->tail(form.suffix), form.into, form.from});
    } else if (form.into == kNoSlash || form.into == form.from) {
      result.vanishes = true;
    }
    if (form.suffix != Grammar::kEmpty || form.into == kNoSlash) continue;
    for (const Grammar::Corner& corner : grammar_->corners_of(form.from))
      if (is_left_corner(form.into, corner.left)) reach({corner.rest, form.into, corner.left});
  }
  std::sort(result.forms.begin(), result.forms.end());
  return expansions_[id] = std::move(result);
}

bool Recognizer::left_recursive(std::uint32_t nonterminal) {
  auto corners = grammar_->corners_of(nonterminal);
  return std::any_of(corners.begin(), corners.end(), [&](const Grammar::Corner& corner) {
    return is_left_corner(nonterminal, corner.left);
  });
}

bool Recognizer::is_left_corner(std::uint32_t nonterminal, std::uint32_t corner) {
  if (left_corners_[nonterminal].empty()) {
    Counted<bool> reached(grammar_->nonterminals(), false, budget_);
    budget_.work(1 + reached.size() / 64);
    reached[nonterminal] = true;
    std::vector<std::uint32_t> open = {nonterminal};
    while (!open.empty()) {
      std::uint32_t one = open.back();
      open.pop_back();
      budget_.work(1 + grammar_->begins_with(one).size());
      for (std::uint32_t next : grammar_->begins_with(one)) {
        if (reached[next]) continue;
        reached[next] = true;
        open.push_back(next);
      }
    }
    left_corners_[nonterminal] = std::move(reached);
  }
  return left_corners_[nonterminal][corner];
}

Recognizer::FormId Recognizer::intern(Form form) {
  if (form.into == form.from && form.into != kNoSlash && !left_recursive(form.into)) form = {form.suffix, kNoSlash, 0};
  if (const auto known = form_ids_.find(form); known != form_ids_.end()) return known->second;
  make_room(forms_);
  make_room(expansions_);
  const auto number = static_cast<FormId>(forms_.size());
  form_ids_.emplace(form, number);
  forms_.push_back(form);
  expansions_.emplace_back(budget_);
  return number;
}

ChartId Recognizer::intern(std::span<const Entry> sorted, bool accepts) {
  if (sorted.empty()) return accepts ? kEnd : kDead;
  std::uint64_t hash = accepts;
  std::uint32_t depth = 0;
  for (const Entry& entry : sorted) {
    hash = mix(hash ^ ((std::uint64_t{entry.form} << 32) | entry.after)) + 0x9e3779b97f4a7c15ULL;
    depth = std::max(depth, charts_[entry.after].depth + 1);
  }
  auto [first, last] = chart_ids_.equal_range(hash);
  for (; first != last; ++first) {
    auto known = entries(first->second);
    if (charts_[first->second].accepts == accepts && std::equal(known.begin(), known.end(), sorted.begin(), sorted.end()))
      return first->second;
  }
  if (depth > kMaxDepth) too_deep();
  const ChartId id(static_cast<std::uint32_t>(charts_.size()));
  charts_.push_back({static_cast<std::uint32_t>(entries_.size()), static_cast<std::uint32_t>(sorted.size()), depth,
                     accepts});
  entries_.insert(entries_.end(), sorted.begin(), sorted.end());
  chart_ids_.emplace(hash, id);
  return id;
}

}  // namespace widl
