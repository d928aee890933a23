#include "lm/language_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <string_view>
#include <system_error>
#include <utility>

#include "errors.hpp"
#include "lm/arpa_check.hpp"
#include "lm/binary_format.hh"
#include "lm/model.hh"
#include "util/probing_hash_table.hh"

namespace widl {
namespace {

namespace kenlm = lm::ngram;

kenlm::Config quiet_config() {
  kenlm::Config config;
  config.messages = nullptr;
  config.show_progress = false;
  config.positive_log_probability = lm::THROW_UP;
  config.unknown_missing = lm::SILENT;
  config.sentence_marker_missing = lm::THROW_UP;
  config.arpa_complain = kenlm::Config::NONE;
  config.rest_function = kenlm::Config::REST_MAX;
  return config;
}

/// The line that holds the last byte before `offset`, counted in blocks: models can be larger than memory.
std::size_t line_before(const std::string& path, std::size_t offset) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, 1 << 16> block;
  std::size_t line = 1, left = offset > 0 ? offset - 1 : 0;
  while (left > 0 && in) {
    in.read(block.data(), static_cast<std::streamsize>(std::min(left, block.size())));
    const auto count = static_cast<std::size_t>(in.gcount());
    line += static_cast<std::size_t>(std::count(block.data(), block.data() + count, '\n'));
    left -= count;
  }
  return line;
}

/// Makes a model, and retries with more room in its hash tables while KenLM demands it: a model may lack n-grams that
/// are part of longer ones, and KenLM adds these.
template <class Make>
auto with_room(kenlm::Config config, Make&& make) {
  constexpr float kStep = 4, kMaxRoom = 999;  // slots for each n-gram
  while (true) {
    try {
      return make(config);
    } catch (const util::ProbingSizeException&) {
      if (config.probing_multiplier >= kMaxRoom) throw;
      config.probing_multiplier = std::min(kMaxRoom, kStep * config.probing_multiplier);
    }
  }
}

/// Rethrows KenLM's message, without its source location. Its exceptions read "lm/x.cc:12 in void f() threw T because
/// `c'.\nWhat happened in the 2-gram at byte 90 Byte: 90".
[[noreturn]] void rethrow(const std::string& path, const std::exception& error) {
  std::string text = error.what();
  std::string location = path;
  std::smatch match;
  if (std::regex_search(text, match, std::regex(R"(( in the \d-gram at byte \d+)?\s*Byte: (\d+))"))) {
    location += ":" + std::to_string(line_before(path, std::stoull(match[2])));
    text.erase(static_cast<std::size_t>(match.position(0)));
  }
  // Keep KenLM's words, except where they describe its internals.
  static const std::pair<std::regex, const char*> clearer[] = {
      {std::regex(R"(^\S+:\d+ in [^\n]* threw [^\n]*?(\.\n|\. ?$|$))"), ""},
      {std::regex(R"(Word (\S+) was not seen in the unigrams .*)"), "the word '$1' is not among the 1-grams"},
      {std::regex(R"(A (\d-gram) has context [\d ]*so this context must appear in the model as a (\d-gram).*)"),
       "the context of a $1 is not among the $2s"},
      {std::regex(R"(Avoid pruning n-grams like [\s\S]*)"), "too many n-grams lack the shorter ones inside of them"},
      {std::regex(R"( *(Please rerun|You may need to rebuild)[\s\S]*build_binary[\s\S]*)"), ""},
  };
  for (const auto& [theirs, ours] : clearer) text = std::regex_replace(text, theirs, ours);
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  if (text.empty()) text = "truncated or damaged";
  throw InputError(location + ": not a usable language model (" + text + "); estimate or convert it again");
}

/// The header of a KenLM binary; none for other files. Detects truncated files, where KenLM would read past the end;
/// other damage is not checked.
/// @throws InputError
std::optional<kenlm::Parameters> read_binary_header(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || !std::filesystem::is_regular_file(path)) throw InputError(path + ": not a readable file");
  if (std::filesystem::file_size(path) == 0) throw InputError(path + ": empty; a language model was expected");
  constexpr std::string_view kMagic = "mmap lm http://kheafield.com/code";
  std::string start(kMagic.size(), '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start != kMagic) return std::nullopt;

  // KenLM's magic bytes and test values; then FixedWidthParameters, and a count for each order.
  constexpr std::streamoff kSanitySize = 88;
  kenlm::Parameters parameters;
  kenlm::FixedWidthParameters& header = parameters.fixed;
  std::vector<std::uint64_t>& counts = parameters.counts;
  in.seekg(kSanitySize);
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  counts.resize(in ? header.order : 0);
  in.read(reinterpret_cast<char*>(counts.data()), static_cast<std::streamsize>(counts.size() * sizeof(std::uint64_t)));
  const char* mend = "; convert the ARPA file again";
  if (!in) throw InputError(path + ": truncated within its header" + mend);
  kenlm::ModelType type;
  if (!kenlm::RecognizeBinary(path.c_str(), type)) throw InputError(path + ": damaged header" + mend);
  if (header.order < 2 || header.order > KENLM_MAX_ORDER)
    throw InputError(path + ": a model of order " + std::to_string(header.order) + "; orders 2 to " +
                     std::to_string(KENLM_MAX_ORDER) + " can be used");
  if (type >= kenlm::TRIE) {  // its vocabulary begins with its number of words, without <unk>
    const auto end = static_cast<std::uint64_t>(in.tellg());
    in.seekg(static_cast<std::streamoff>((end + 7) / 8 * 8));
    std::uint64_t words = 0;
    in.read(reinterpret_cast<char*>(&words), sizeof words);
    if (!in) throw InputError(path + ": truncated within its vocabulary" + mend);
  }
  if (header.has_vocabulary) {  // words, each followed by NUL, are at the end of the file
    in.seekg(-1, std::ios::end);
    if (in.get() != 0) throw InputError(path + ": truncated" + mend);
  }
  return parameters;
}

double checked(double log_prob) {
  if (std::isnan(log_prob))
    throw InputError(
        "a language model is damaged (one of its probabilities is not a number); "
        "convert its ARPA file again, or copy the model again");
  return log_prob;
}

/// Whether `rest` is the largest probability over all left contexts. The file's header does not identify other kinds of
/// rest cost, but they lie below the probability of some word.
bool rests_are_bounds(const lm::base::Model& model, std::uint64_t words) {
  kenlm::State in{}, out{};
  model.NullContextWrite(&in);
  for (lm::WordIndex word = 0; word < words; ++word) {
    lm::FullScoreReturn full = model.BaseFullScore(&in, word, &out);
    if (full.rest < full.prob) return false;
  }
  return true;
}

void check(const BinaryOptions& options) {
  const std::string& kind = options.kind;
  if (kind != "rest" && kind != "probing" && kind != "trie")
    throw InputError("unknown kind of binary '" + kind + "'; rest, probing or trie");
  const unsigned bits[] = {options.quantized_bits, options.pointer_bits};
  for (unsigned n : bits) {
    if (n > 0 && kind != "trie")
      throw InputError("a " + kind + " binary can't be quantized or have compressed pointers; only a trie can");
    if (n > BinaryOptions::kMaxBits)
      throw InputError(std::to_string(n) + " bits; at most " + std::to_string(BinaryOptions::kMaxBits) +
                       " are possible");
  }
  if (options.quantized_bits == 1) throw InputError("quantization takes at least 2 bits");
}

template <class Model>
void write_binary(const std::string& arpa, const std::string& output, const BinaryOptions& options) {
  kenlm::Config config = quiet_config();
  config.write_mmap = output.c_str();
  config.write_method = kenlm::Config::WRITE_AFTER;
  config.prob_bits = static_cast<std::uint8_t>(options.quantized_bits);
  config.backoff_bits = static_cast<std::uint8_t>(options.quantized_bits);
  config.pointer_bhiksha_bits = static_cast<std::uint8_t>(options.pointer_bits);
  with_room(config, [&](const kenlm::Config& roomy) { return std::make_unique<Model>(arpa.c_str(), roomy); });
}

void write_trie(const std::string& arpa, const std::string& output, const BinaryOptions& options) {
  const bool quantized = options.quantized_bits > 0, compressed = options.pointer_bits > 0;
  if (quantized && compressed)
    write_binary<kenlm::QuantArrayTrieModel>(arpa, output, options);
  else if (quantized)
    write_binary<kenlm::QuantTrieModel>(arpa, output, options);
  else if (compressed)
    write_binary<kenlm::ArrayTrieModel>(arpa, output, options);
  else
    write_binary<kenlm::TrieModel>(arpa, output, options);
}

/// Gives access to a private member of KenLM's classes, which have no function for an n-gram's address: an explicit
/// instantiation may name a private member. `member(Tag)` is found through its argument.
template <class Tag, auto Member>
struct Grant {
  friend constexpr auto member(Tag) { return Member; }
};
struct RestSearch {
  friend constexpr auto member(RestSearch);
};
struct RestMiddle {
  friend constexpr auto member(RestMiddle);
};
struct RestLongest {
  friend constexpr auto member(RestLongest);
};
struct BackoffSearch {
  friend constexpr auto member(BackoffSearch);
};
struct BackoffMiddle {
  friend constexpr auto member(BackoffMiddle);
};
struct BackoffLongest {
  friend constexpr auto member(BackoffLongest);
};

template <class Value, class SearchTag, class MiddleTag, class LongestTag>
struct HashedModel {
  using Tables = kenlm::detail::HashedSearch<Value>;
  using Model = kenlm::detail::GenericModel<Tables, kenlm::ProbingVocabulary>;
  using Search = SearchTag;
  using Middle = MiddleTag;
  using Longest = LongestTag;
};
using Rests = HashedModel<kenlm::RestValue, RestSearch, RestMiddle, RestLongest>;
using Backoffs = HashedModel<kenlm::BackoffValue, BackoffSearch, BackoffMiddle, BackoffLongest>;
template struct Grant<RestSearch, &Rests::Model::search_>;
template struct Grant<RestMiddle, &Rests::Tables::middle_>;
template struct Grant<RestLongest, &Rests::Tables::longest_>;
template struct Grant<BackoffSearch, &Backoffs::Model::search_>;
template struct Grant<BackoffMiddle, &Backoffs::Tables::middle_>;
template struct Grant<BackoffLongest, &Backoffs::Tables::longest_>;

/// The hash-table slots of the n-grams that end with the word, except the unigram.
template <class Kind>
void prefetch_ngrams(const lm::base::Model& model, const lm::WordIndex* context, unsigned length, lm::WordIndex word) {
  const auto& tables = static_cast<const typename Kind::Model&>(model).*member(typename Kind::Search{});
  const auto& middle = tables.*member(typename Kind::Middle{});
  std::uint64_t ngram = word;
  for (unsigned n = 0; n < length; ++n) {
    ngram = kenlm::detail::CombineWordHash(ngram, context[n]);
    if (n < middle.size())
      __builtin_prefetch(middle[n].Ideal(ngram));
    else
      return __builtin_prefetch((tables.*member(typename Kind::Longest{})).Ideal(ngram));
  }
}

}  // namespace

LanguageModel::LanguageModel(std::unique_ptr<lm::base::Model> model, bool has_rest_costs)
    : model_(std::move(model)),
      has_rest_costs_(has_rest_costs),
      end_of_sentence_(model_->BaseVocabulary().EndSentence()) {
  if (dynamic_cast<const Rests::Model*>(model_.get())) prefetch_ = prefetch_ngrams<Rests>;
  if (dynamic_cast<const Backoffs::Model*>(model_.get())) prefetch_ = prefetch_ngrams<Backoffs>;
  if (model_->StateSize() != sizeof(State)) throw InternalError("unexpected size of KenLM's state");
}

std::unique_ptr<LanguageModel> LanguageModel::load(const std::string& path) {
  kenlm::Config config = quiet_config();
  config.load_method = util::LAZY;
  try {
    if (auto header = read_binary_header(path)) {
      const kenlm::ModelType type = header->fixed.model_type;
      std::unique_ptr<lm::base::Model> model(kenlm::LoadVirtual(path.c_str(), config, type));
      const bool bounded = type == kenlm::REST_PROBING && rests_are_bounds(*model, header->counts[0]);
      return std::unique_ptr<LanguageModel>(new LanguageModel(std::move(model), bounded));
    }
    const bool bounded = !check_arpa(path);
    auto model = with_room(config, [&](const kenlm::Config& roomy) {
      return std::make_unique<kenlm::RestProbingModel>(path.c_str(), roomy);
    });
    return std::unique_ptr<LanguageModel>(new LanguageModel(std::move(model), bounded));
  } catch (const util::Exception& error) {
    rethrow(path, error);
  }
}

LanguageModel::Word LanguageModel::index(std::string_view word) const {
  return model_->BaseVocabulary().Index(StringPiece(word.data(), word.size()));
}

LanguageModel::State LanguageModel::begin_sentence_state() const {
  State state{};
  model_->BeginSentenceWrite(&state);
  return state;
}

LanguageModel::State LanguageModel::empty_state() const {
  State state{};
  model_->NullContextWrite(&state);
  return state;
}

LanguageModel::Bounded LanguageModel::bounded(const State& in, Word word, State& out, unsigned length) const {
  lm::FullScoreReturn full = model_->BaseFullScore(&in, word, &out);
  const double log_prob = full.prob * kLn10;
  // Words further left don't matter when n-grams have no room for them.
  if (full.ngram_length == order() || in.length + 1u == order() || length + 1 >= order()) return {log_prob, log_prob};
  // Back-off weights above 1 of longer contexts may raise the score of the known context.
  if (!has_rest_costs_) return {log_prob, 0};
  // The known context was not matched completely, or it is not an n-gram (then KenLM shortens the state). Words further
  // left can't be matched either; they can only add back-off weights, which are at most 1.
  if (in.length < length || full.ngram_length <= in.length) return {log_prob, log_prob};
  return {log_prob, std::max(full.rest, full.prob) * kLn10};
}

std::vector<double> LanguageModel::bound_words(const std::vector<std::string>& words) const {
  std::vector<double> bounds;
  State in = empty_state(), out;
  for (const std::string& word : words) {
    bounds.push_back(checked(bounded(in, index(word), out, static_cast<unsigned>(bounds.size())).bound));
    in = out;
  }
  return bounds;
}

std::vector<double> LanguageModel::score_sentence(const std::vector<std::string>& words, bool begin, bool end) const {
  std::vector<double> scores;
  State in = begin ? begin_sentence_state() : empty_state(), out;
  for (const std::string& word : words) {
    scores.push_back(checked(score(in, index(word), out)));
    in = out;
  }
  if (end) scores.push_back(checked(score(in, end_of_sentence_, out)));
  return scores;
}

std::vector<LanguageModel::Scored> LanguageModel::full_score_sentence(const std::vector<std::string>& words, bool begin,
                                                                      bool end) const {
  std::vector<Scored> scores;
  State in = begin ? begin_sentence_state() : empty_state(), out;
  auto add = [&](Word word) {
    const lm::FullScoreReturn full = model_->BaseFullScore(&in, word, &out);
    scores.push_back({checked(full.prob * kLn10), full.ngram_length, word != 0});
    in = out;
  };
  for (const std::string& word : words) add(index(word));
  if (end) add(end_of_sentence_);
  return scores;
}

void LanguageModel::convert(const std::string& arpa, const std::string& output, const BinaryOptions& options) {
  check(options);
  try {
    if (read_binary_header(arpa)) throw InputError(arpa + ": already a binary; an ARPA file was expected");
    if (check_arpa(arpa) && options.kind == "rest")
      throw InputError(arpa +
                       ": has back-off weights above 1, so rest costs are not a bound; "
                       "write a probing or trie binary instead");
    if (options.kind == "rest") write_binary<kenlm::RestProbingModel>(arpa, output, options);
    if (options.kind == "probing") write_binary<kenlm::ProbingModel>(arpa, output, options);
    if (options.kind == "trie") write_trie(arpa, output, options);
  } catch (const util::ErrnoException& error) {
    // The ARPA file was readable before, so the problem is the output or a temporary file next to it.
    throw InputError(output + ": cannot be written (" + std::generic_category().message(error.Error()) + ")");
  } catch (const util::Exception& error) {
    rethrow(arpa, error);
  }
}

}  // namespace widl
