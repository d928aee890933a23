#include "lm/arpa_writer.hpp"

#include <charconv>
#include <string>

namespace widl {
namespace {

void append_number(std::string& out, float number) {
  char digits[24];
  // + 0: never "-0".
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number + 0.0f).ptr);
}

}  // namespace

void write_arpa(const NGramModel& model, const std::function<void(std::string_view)>& sink) {
  constexpr std::size_t kPiece = 1 << 20;
  std::string out;
  out.reserve(kPiece + (1 << 16));
  out += "\\data\\\n";
  for (std::size_t n = 1; n <= model.orders.size(); ++n)
    out += "ngram " + std::to_string(n) + "=" + std::to_string(model.orders[n - 1].size()) + "\n";
  for (std::size_t n = 1; n <= model.orders.size(); ++n) {
    const NGramModel::Order& order = model.orders[n - 1];
    out += "\n\\" + std::to_string(n) + "-grams:\n";
    for (std::size_t i = 0; i < order.size(); ++i) {
      append_number(out, order.log_probs[i]);
      char separator = '\t';
      auto id = static_cast<NGramId>(i);
      for (std::size_t m = n; m > 1; --m) {
        const LeftExtension ngram = model.orders[m - 1].ngrams[id];
        out += separator;
        out += model.vocabulary.word(ngram.left);
        separator = ' ';
        id = ngram.suffix;
      }
      out += separator;
      out += model.vocabulary.word(id);
      if (!order.log_backoffs.empty()) {
        out += '\t';
        append_number(out, order.log_backoffs[i]);
      }
      out += '\n';
      if (out.size() >= kPiece) {
        sink(out);
        out.clear();
      }
    }
  }
  out += "\n\\end\\\n";
  sink(out);
}

}  // namespace widl
