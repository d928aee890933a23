#include "search/scorer.hpp"

#include <algorithm>

#include "errors.hpp"
#include "util/murmur_hash.hh"

namespace widl {
namespace {

std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 0) {
  return util::MurmurHashNative(data, size, seed);
}

}  // namespace

ScoringModels::ScoringModels(const Vocabulary& vocabulary, std::vector<const LanguageModel*> models)
    : vocabulary_(&vocabulary), models_(std::move(models)), indices_(models_.size()) {
  refresh();
}

void ScoringModels::refresh() {
  for (std::size_t m = 0; m < models_.size(); ++m) {
    indices_[m].reserve(vocabulary_->size());
    for (auto word = static_cast<WordId>(indices_[m].size()); word < vocabulary_->size(); ++word)
      indices_[m].push_back(models_[m]->index(vocabulary_->word(word)));
  }
}

Scorer::Scorer(const ScoringModels& models, const SentenceWords& words, const std::vector<double>& weights)
    : models_(&models), sentence_words_(&words), weights_(weights), scratch_(2 * models.size()) {
  if (weights.size() != models.size()) throw InternalError("one weight per language model needed");
  std::vector<LanguageModel::State> begin;
  for (std::size_t m = 0; m < models.size(); ++m) begin.push_back(models.model(m).begin_sentence_state());
  intern(begin);
}

LanguageModel::Word Scorer::index(std::size_t m, WordId word) const {
  return sentence_words_->is_shared(word) ? models_->index(m, word)
                                          : models_->model(m).index(sentence_words_->text(word));
}

PhraseId Scorer::phrase(std::span<const WordId> words) {
  std::uint64_t hash = hash_bytes(words.data(), words.size_bytes());
  auto [first, last] = phrase_ids_.equal_range(hash);
  for (; first != last; ++first) {
    const Phrase& known = phrases_[first->second];
    if (std::equal(words.begin(), words.end(), words_.begin() + known.first_word,
                   words_.begin() + known.first_word + known.word_count))
      return first->second;
  }
  if (row_size_) throw InternalError("a settled scorer takes no more phrases");
  auto id = static_cast<PhraseId>(phrases_.size());
  std::size_t bytes = words.size();
  for (WordId word : words) bytes += sentence_words_->text(word).size();
  phrases_.push_back({static_cast<std::uint32_t>(words_.size()), static_cast<std::uint32_t>(words.size()),
                      static_cast<std::uint32_t>(std::min<std::size_t>(bytes, UINT32_MAX / 2))});
  words_.insert(words_.end(), words.begin(), words.end());
  for (std::size_t m = 0; m < models_->size(); ++m)
    for (WordId word : words) indices_.push_back(index(m, word));
  phrase_ids_.emplace(hash, id);
  return id;
}

void Scorer::settle() {
  if (phrases_.size() > kLongestRow) return;
  row_size_ = phrases_.size();
  add_row();
}

void Scorer::add_row() {
  std::size_t contexts = models_->size() ? contexts_.size() / models_->size() : 1;
  rows_.resize(contexts * row_size_, {0, kUnknown});
}

Scorer::Step Scorer::compute(ContextId context, PhraseId id) {
  const Phrase& phrase = phrases_[id];
  double score = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    std::span<const LanguageModel::Word> words = indices(phrase, m);
    LanguageModel::State in = states(context)[m];
    double sum = 0;
    for (std::uint32_t i = 0; i < phrase.word_count; ++i) {
      sum += model.score(in, words[i], scratch_[m]);
      in = scratch_[m];
    }
    score += weights_[m] * sum;
  }
  return {score, intern({scratch_.data(), models_->size()})};
}

ContextId Scorer::intern(std::span<const LanguageModel::State> states) {
  std::uint64_t hash = 0;
  for (const LanguageModel::State& state : states)
    hash = hash_bytes(state.words, state.length * sizeof(LanguageModel::Word), hash + state.length);
  auto [first, last] = context_ids_.equal_range(hash);
  for (; first != last; ++first)
    if (std::ranges::equal(states, this->states(first->second))) return first->second;
  auto id = static_cast<ContextId>(models_->size() ? contexts_.size() / models_->size() : 0);
  if (models_->size() == 0 && !context_ids_.empty()) return 0;
  contexts_.insert(contexts_.end(), states.begin(), states.end());
  context_ids_.emplace(hash, id);
  if (row_size_) add_row();
  return id;
}

double Scorer::finish(ContextId context) {
  double score = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    score += weights_[m] * model.score(states(context)[m], model.end_of_sentence(), scratch_[m]);
  }
  return score;
}

Scorer::Outlook Scorer::outlook(PhraseId id) const {
  const Phrase& phrase = phrases_[id];
  Outlook sum{0, 0};
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    std::span<const LanguageModel::Word> words = indices(phrase, m);
    LanguageModel::State in = model.empty_state(), out;
    for (std::uint32_t i = 0; i < phrase.word_count; ++i) {
      auto [log_prob, bound] = model.bounded(in, words[i], out, i);
      sum.estimate += weights_[m] * log_prob;
      sum.bound += weights_[m] * bound;
      in = out;
    }
  }
  return sum;
}

Scorer::Known Scorer::known(std::span<const PhraseId> phrases, bool from_start) const {
  Known known{{}, 0, from_start};
  for (PhraseId id : phrases) known.words += phrases_[id].word_count;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State in = from_start ? model.begin_sentence_state() : model.empty_state(), out;
    for (PhraseId id : phrases)
      for (LanguageModel::Word word : indices(phrases_[id], m)) {
        model.score(in, word, out);
        in = out;
      }
    known.states.push_back(in);
  }
  return known;
}

double Scorer::bound_after(const Known& known, PhraseId id) const {
  double sum = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State in = known.states[m], out;
    unsigned before = known.words;
    for (LanguageModel::Word word : indices(phrases_[id], m)) {
      sum += weights_[m] * (known.from_start ? model.score(in, word, out) : model.bounded(in, word, out, before++).bound);
      in = out;
    }
  }
  return sum;
}

double Scorer::finish_bound_after(const Known& known) const {
  double sum = 0;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State out;
    LanguageModel::Word end = model.end_of_sentence();
    sum += weights_[m] * (known.from_start ? model.score(known.states[m], end, out)
                                           : model.bounded(known.states[m], end, out, known.words).bound);
  }
  return sum;
}

Scorer::Outlook Scorer::finish_outlook() const {
  Outlook sum{0, 0};
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State out;
    auto [log_prob, bound] = model.bounded(model.empty_state(), model.end_of_sentence(), out);
    sum.estimate += weights_[m] * log_prob;
    sum.bound += weights_[m] * bound;
  }
  return sum;
}

std::vector<double> Scorer::features(std::span<const WordId> sentence) const {
  std::vector<double> sums;
  for (std::size_t m = 0; m < models_->size(); ++m) {
    const LanguageModel& model = models_->model(m);
    LanguageModel::State in = model.begin_sentence_state(), out;
    double sum = 0;
    for (WordId word : sentence) {
      sum += model.score(in, index(m, word), out);
      in = out;
    }
    sums.push_back(sum + model.score(in, model.end_of_sentence(), out));
  }
  return sums;
}

}  // namespace widl
