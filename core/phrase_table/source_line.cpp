#include "phrase_table/source_line.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>

namespace widl {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

/// Digits with separators, optionally with the ending of an ordinal or a plural: 1,234.5, 10:30, 19th, 1990s.
bool is_digital(std::string_view text) {
  if (text.size() > 1 && text.front() == '\'') text.remove_prefix(1);  // '90s
  if (text.empty() || !is_digit(text.front())) return false;
  const std::size_t end = std::min(text.find_first_not_of("0123456789.,:/"), text.size());
  const std::string rest = lower_case(text.substr(end));
  return rest.empty() || rest == "st" || rest == "nd" || rest == "rd" || rest == "th" || rest == "s" || rest == "'s";
}

/// Whether a word is the number, in any letter case, or a compound with it: both 30 and 30-year mean 30.
bool says(std::string_view word, std::string_view number) {
  const auto equal = [](char a, char b) { return lower(a) == lower(b); };
  if (word.size() == number.size()) return std::ranges::equal(word, number, equal);
  if (word.size() < number.size() + 2) return false;
  const std::size_t rest = word.size() - number.size();
  return (word[number.size()] == '-' && std::ranges::equal(word.substr(0, number.size()), number, equal)) ||
         (word[rest - 1] == '-' && std::ranges::equal(word.substr(rest), number, equal));
}

}  // namespace

NumberWords::NumberWords(const Vocabulary& vocabulary, const std::vector<std::string>& words,
                         const std::vector<std::string>& beside_digits)
    : vocabulary_(vocabulary), is_number_(vocabulary.size()) {
  for (const std::string& word : beside_digits)
    if (const std::optional<WordId> id = vocabulary.find(word)) beside_digits_.push_back(*id);
  std::ranges::sort(beside_digits_);
  const std::set<std::string, std::less<>> listed(words.begin(), words.end());
  for (std::size_t id = 0; id < is_number_.size(); ++id) {
    bool any = false, is_name = false;
    for (std::string_view rest = vocabulary.word(static_cast<WordId>(id)); !rest.empty();) {
      const std::string_view part = rest.substr(0, rest.find('-'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      if (is_digital(part) || listed.contains(lower_case(part)))
        any = true;
      else
        is_name |= std::ranges::any_of(part, is_upper);
    }
    is_number_[id] = any && !is_name;
  }
}

bool NumberWords::say_exactly(std::span<const WordId> words, std::span<const NumberSpan* const> numbers) const {
  std::vector<bool> said(words.size());
  // Marks the first position of a wording that no other number has taken.
  const auto mark = [&](const std::vector<std::string>& wording) {
    for (std::size_t at = 0; at + wording.size() <= words.size(); ++at) {
      bool matches = true;
      for (std::size_t i = 0; matches && i < wording.size(); ++i)
        matches = !said[at + i] && says(vocabulary_.word(words[at + i]), wording[i]);
      if (matches) return std::fill_n(said.begin() + static_cast<std::ptrdiff_t>(at), wording.size(), true), true;
    }
    return false;
  };
  bool is_open = false;
  for (const NumberUse use : {NumberUse::required, NumberUse::whole, NumberUse::optional, NumberUse::open})
    for (const NumberSpan* number : numbers) {
      if (number->use != use) continue;
      if (use == NumberUse::open)
        is_open = true;
      else if (!std::ranges::any_of(number->wordings, mark) && use == NumberUse::required)
        return false;
    }
  if (is_open) return true;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!said[i] && is_number_at(words, i)) return false;
  return true;
}

bool NumberWords::is_number_at(std::span<const WordId> words, std::size_t at) const {
  if (contains(words[at])) return true;
  if (!std::ranges::binary_search(beside_digits_, words[at])) return false;
  const auto has_digit = [&](std::size_t position) {
    return position < words.size() && is_digital(vocabulary_.word(words[position]));
  };
  return has_digit(at - 1) || has_digit(at + 1);  // the position before the first word is none
}

}  // namespace widl
