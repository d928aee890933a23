#include "lm/language_model.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <regex>

#include "errors.hpp"
#include "lm/binary_format.hh"
#include "lm/model.hh"

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

std::size_t line_of_offset(const std::string& path, std::size_t offset) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> buffer(1 << 20);
  std::size_t lines = 1;
  while (offset > 0 && in) {
    in.read(buffer.data(), static_cast<std::streamsize>(std::min(offset, buffer.size())));
    lines += std::count(buffer.begin(), buffer.begin() + in.gcount(), '\n');
    offset -= static_cast<std::size_t>(in.gcount());
    if (in.gcount() == 0) break;
  }
  return lines;
}

/// KenLM's exceptions read "lm/x.cc:12 in void f() threw T because `c'.\nWhat happened Byte: 90".
[[noreturn]] void rethrow(const std::string& path, const std::exception& error) {
  std::string text = error.what();
  std::smatch match;
  std::string place = path;
  if (std::regex_search(text, match, std::regex(R"(\s*Byte: (\d+))"))) {
    place += ":" + std::to_string(line_of_offset(path, std::stoull(match[1])));
    text.erase(static_cast<std::size_t>(match.position(0)));
  }
  static const std::regex origin(R"(^\S+:\d+ in [^\n]* threw [^\n]*?(\.\n|\. ?$|$))");
  text = std::regex_replace(text, origin, "");
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  if (text.empty()) text = "truncated or damaged";
  throw InputError(place + ": not a usable language model (" + text +
                   "); estimate or convert it again");
}

/// Whether any n-gram of the ARPA file has a back-off weight above one. Rest costs bound the
/// probability over all left contexts only when there is none.
bool has_positive_backoff(const std::string& arpa) {
  std::ifstream in(arpa);
  std::string line;
  while (std::getline(in, line)) {
    std::size_t last = line.rfind('\t');
    if (last == std::string::npos || line.find('\t') == last) continue;
    double backoff = 0;
    std::from_chars(line.data() + last + 1, line.data() + line.size(), backoff);
    if (backoff > 0) return true;
  }
  return false;
}

void require_readable(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || in.peek() == std::ifstream::traits_type::eof())
    throw InputError(path + ": empty or unreadable; a language model was expected");
}

template <class Model>
void write_binary(const std::string& arpa, const std::string& output) {
  kenlm::Config config = quiet_config();
  config.write_mmap = output.c_str();
  config.write_method = kenlm::Config::WRITE_AFTER;
  Model model(arpa.c_str(), config);
}

}  // namespace

LanguageModel::LanguageModel(std::unique_ptr<lm::base::Model> model, bool has_rest_costs)
    : model_(std::move(model)),
      has_rest_costs_(has_rest_costs),
      end_of_sentence_(model_->BaseVocabulary().EndSentence()) {
  if (model_->StateSize() != sizeof(State)) throw InternalError("unexpected size of KenLM's state");
}

std::unique_ptr<LanguageModel> LanguageModel::load(const std::string& path) {
  require_readable(path);
  kenlm::Config config = quiet_config();
  config.load_method = util::LAZY;
  try {
    kenlm::ModelType type;
    if (kenlm::RecognizeBinary(path.c_str(), type)) {
      std::unique_ptr<lm::base::Model> model(kenlm::LoadVirtual(path.c_str(), config, type));
      return std::unique_ptr<LanguageModel>(
          new LanguageModel(std::move(model), type == kenlm::REST_PROBING));
    }
    bool bounded = !has_positive_backoff(path);
    return std::unique_ptr<LanguageModel>(new LanguageModel(
        std::make_unique<kenlm::RestProbingModel>(path.c_str(), config), bounded));
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

LanguageModel::Bounded LanguageModel::bounded(const State& in, std::size_t known, Word word,
                                              State& out) const {
  lm::FullScoreReturn full = model_->BaseFullScore(&in, word, &out);
  double log_prob = full.prob * kLn10;
  // Words further left matter only if the known ones are a context of the model and were matched
  // whole, below the model's order. Else they could at most add back-off weights, which rest costs
  // require to be <= 1.
  bool open = in.length == std::min<std::size_t>(known, order() - 1u) &&
              full.ngram_length > in.length && full.ngram_length < order();
  if (open) return {log_prob, has_rest_costs_ ? std::max(full.rest, full.prob) * kLn10 : 0.0};
  if (!has_rest_costs_ && known < order() - 1u) return {log_prob, 0.0};
  return {log_prob, log_prob};
}

std::vector<double> LanguageModel::score_sentence(const std::vector<std::string>& words, bool begin,
                                                  bool end) const {
  std::vector<double> scores;
  State in = begin ? begin_sentence_state() : empty_state(), out;
  for (const std::string& word : words) {
    scores.push_back(score(in, index(word), out));
    in = out;
  }
  if (end) scores.push_back(score(in, end_of_sentence_, out));
  return scores;
}

void LanguageModel::convert(const std::string& arpa, const std::string& output,
                            const std::string& kind) {
  require_readable(arpa);
  try {
    if (kind == "rest") {
      if (has_positive_backoff(arpa))
        throw InputError(arpa + ": has back-off weights above 1, for which rest costs are no bound; "
                                "write a probing or trie binary instead");
      write_binary<kenlm::RestProbingModel>(arpa, output);
    } else if (kind == "probing") {
      write_binary<kenlm::ProbingModel>(arpa, output);
    } else if (kind == "trie") {
      write_binary<kenlm::TrieModel>(arpa, output);
    } else {
      throw InputError("unknown kind of binary '" + kind + "'; rest, probing or trie");
    }
  } catch (const util::Exception& error) {
    rethrow(arpa, error);
  }
}

}  // namespace widl
