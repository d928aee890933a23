#include "expression/text.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "expression/number.hpp"

namespace widl {
namespace {

using Kind = Expression::Kind;
using Form = InterleaveDistribution::Form;

/// The characters that end an unquoted word: the syntax characters, and white space beyond ASCII's.
bool needs_quotes(std::string_view word) {
  static constexpr std::string_view kInside[] = {"∥",      "∨",      "×",      "·",      "\u0085", "\u00a0",
                                                 "\u1680", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000",
                                                 "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005",
                                                 "\u2006", "\u2007", "\u2008", "\u2009", "\u200a"};
  if (word.front() == '#') return true;  // would start a comment
  if (word.find_first_of("(){},\"\x1c\x1d\x1e\x1f") != word.npos) return true;
  if (std::all_of(word.begin(), word.end(), [](unsigned char c) { return c < 0x80; })) return false;
  return std::any_of(std::begin(kInside), std::end(kInside),
                     [&](std::string_view sign) { return word.find(sign) != word.npos; });
}

std::string quoted(std::string_view word) {
  std::string result = "\"";
  for (char c : word) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

void append(std::string& list, std::string_view separator, std::string_view item) {
  if (!list.empty()) list += separator;
  list += item;
}

std::string joined(const std::vector<double>& values) {
  std::string result;
  for (double value : values) append(result, " ", shortest(value));
  return result;
}

std::string braces(const InterleaveDistribution& delta) {
  if (delta.form == Form::uniform) return "";
  if (delta.form == Form::movement) return "{expmove: " + shortest(delta.movement_base) + "}";
  std::string result;
  auto add = [&](const std::string& key, const std::vector<double>& values) {
    append(result, ", ", key + ": " + joined(values));
  };
  for (const auto& listed : delta.listed) {
    std::string order;
    for (std::uint32_t k : listed.permutation) append(order, " ", std::to_string(k + 1));
    add(order, listed.probabilities);
  }
  auto some = [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double p) { return p > 0; });
  };
  if (some(delta.other_permutations)) add("perms", delta.other_permutations);
  if (some(delta.shuffles)) add("shuffles", delta.shuffles);
  return "{" + result + "}";
}

std::string braces(const Expression& disjunction) {
  const auto& rows = disjunction.probabilities();
  const double equal = 1.0 / static_cast<double>(rows.size());
  auto is_equal = [&](const std::vector<double>& row) { return row.size() == 1 && row[0] == equal; };
  if (!disjunction.scored() && std::all_of(rows.begin(), rows.end(), is_equal)) return "";
  std::string result;
  for (const auto& row : rows) append(result, ", ", joined(row));
  return (disjunction.scored() ? "{scores: " : "{") + result + "}";
}

/// A stack of unwritten pieces, the next piece on top.
struct Piece {
  const Expression* expression;  ///< if null, `text` is written instead
  bool inside_precedence;
  std::string text;
};

void write_operator(const Expression& e, bool inside_precedence, std::string& out, std::vector<Piece>& rest) {
  const bool sequence = e.kind() == Kind::precedence;
  const bool parentheses = !sequence || inside_precedence || e.arguments().empty();
  if (e.kind() == Kind::tiles)
    out += "tiles{" + std::to_string(e.length()) + ", expmove: " + shortest(e.movement_base()) + "}";
  else if (!sequence)
    out += sign(e.kind());
  if (e.kind() == Kind::disjunction) out += braces(e);
  if (e.kind() == Kind::interleave) out += braces(e.delta());
  if (parentheses) {
    out += "(";
    rest.push_back({nullptr, false, ")"});
  }
  for (std::size_t k = e.arguments().size(); k-- > 0;) {
    rest.push_back({e.arguments()[k].get(), sequence, ""});
    if (e.kind() == Kind::tiles)
      rest.push_back({nullptr, false, std::to_string(e.span(k).first) + "-" + std::to_string(e.span(k).second) + ": "});
    if (k > 0) rest.push_back({nullptr, false, sequence ? " · " : ", "});
  }
}

}  // namespace

ExpressionText to_text(const Expression& expression, std::size_t max_bytes) {
  std::string out;
  std::vector<Piece> rest;
  rest.push_back({&expression, false, ""});
  while (!rest.empty()) {
    if (out.size() > max_bytes) return {std::move(out), false};
    Piece piece = std::move(rest.back());
    rest.pop_back();
    if (piece.expression == nullptr)
      out += piece.text;
    else if (piece.expression->kind() == Kind::word)
      out += needs_quotes(piece.expression->text()) ? quoted(piece.expression->text()) : piece.expression->text();
    else
      write_operator(*piece.expression, piece.inside_precedence, out, rest);
  }
  return {std::move(out), true};
}

}  // namespace widl
