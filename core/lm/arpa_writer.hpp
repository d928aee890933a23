#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace widl {

using ArpaSink = std::function<void(std::string_view)>;

/// Builds ARPA text, and returns it in pieces of about a megabyte. Numbers have the fewest digits that read back as the
/// same single-precision numbers, which KenLM stores.
class ArpaText {
 public:
  /// Writes the top of the file; `counts` are the numbers of n-grams, from order 1.
  ArpaText(const std::vector<std::uint64_t>& counts, const ArpaSink& sink);

  void begin_section(unsigned order);

  /// An n-gram is its probability, its words, and a back-off weight unless it is of the highest order.
  void begin_ngram(float log_prob);
  void word(std::string_view word);
  void backoff(float log_backoff);
  void end_ngram();

  void end();

 private:
  void number(float number);

  const ArpaSink& sink_;
  std::string out_;
  bool first_word_ = true;
};

}  // namespace widl
