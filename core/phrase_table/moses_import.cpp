#include "phrase_table/moses_import.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "errors.hpp"
#include "phrase_table/text_order.hpp"
#include "varint.hpp"

namespace widl {
namespace {

constexpr std::size_t kPairsPerBatch = 1 << 16;

[[noreturn]] void fail(std::uint64_t line, const std::string& what) {
  throw InputError(std::to_string(line) + ": " + what);
}

/// Reads the output of MosesImporter::next_block. The caller stores it, so an error in it is not the user's.
std::uint64_t take_varint(std::span<const std::byte>& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (bytes.empty()) break;
    const auto byte = static_cast<std::uint64_t>(bytes.front());
    bytes = bytes.subspan(1);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw InternalError("a sorted run that was not damaged");
}

std::span<const std::byte> take(std::span<const std::byte>& bytes, std::uint64_t size) {
  if (size > bytes.size()) throw InternalError("a sorted run that was not cut off");
  const auto taken = bytes.first(static_cast<std::size_t>(size));
  bytes = bytes.subspan(taken.size());
  return taken;
}

/// Order of phrases in a Moses text table, where " |||" follows them.
int compare_texts(const Vocabulary& vocabulary, std::span<const WordId> a, std::span<const WordId> b) {
  const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at_a == a.end() && at_b == b.end()) return 0;
  return compare_words(at_a == a.end() ? kPhraseEnd : vocabulary.word(*at_a), at_b == b.end() ? kPhraseEnd : vocabulary.word(*at_b));
}

}  // namespace

template <class ParseLine>
void MosesImporter::for_each_line(std::string_view lines, std::uint64_t& number, ParseLine&& parse_line) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    try {
      parse_line(line);
    } catch (const InputError& error) {
      fail(number, error.what());
    }
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void MosesImporter::parse(std::string_view lines) {
  for_each_line(lines, lines_, [&](std::string_view line) { parse_line(line); });
}

void MosesImporter::parse_reordering(std::string_view lines) {
  if (reordering_lines_ == 0) last_key_.clear();  // a piece holds lines of one table
  for_each_line(lines, reordering_lines_, [&](std::string_view line) { parse_reordering_line(line); });
}

void MosesImporter::join_words(std::string_view phrase, std::string& key) {
  split_words(phrase, words_);
  key.clear();
  for (std::string_view word : words_) {
    if (!key.empty()) key += ' ';
    key += word;
  }
  if (words_.size() > kMaxPhraseWords) throw InputError("a phrase has more than 65535 words");
  max_length_ = std::max(max_length_, static_cast<std::uint32_t>(words_.size()));
}

void MosesImporter::parse_line(std::string_view text) {
  const MosesLine& line = parser_.parse(text);
  if (lines_ == 1) layout_ = parser_.layout();
  if (line.fields != layout_.fields)
    throw InputError("expected " + std::to_string(layout_.fields) + " fields between '|||', as on line 1, found " +
                     std::to_string(line.fields));
  join_words(line.source, key_);
  begin_piece(lines_);
  split_words(line.target, words_);
  if (words_.size() > kMaxPhraseWords) throw InputError("a phrase has more than 65535 words");
  max_length_ = std::max(max_length_, static_cast<std::uint32_t>(words_.size()));
  ids_.clear();
  for (std::string_view word : words_) {
    ids_.push_back(number_of(word));
    ++uses_[ids_.back()];
  }
  // The header of the value is written with the run.
  ValueWriter(arena_).add({ids_, line.probabilities, line.counts, line.alignment, line.more});
  pieces_.back().end = arena_.size();
  ++pieces_.back().options;
}

/// Lines with the phrase key_ go to the last piece or to a new piece.
void MosesImporter::begin_piece(std::uint64_t line) {
  if (!pieces_.empty() && key_ == last_key_) return;
  const std::size_t begin = arena_.size();
  arena_ += key_;
  pieces_.push_back({begin, arena_.size(), arena_.size(), line, 0});
  last_key_ = key_;
}

WordId MosesImporter::number_of(std::string_view word) {
  const WordId number = vocabulary_.intern(word);
  if (number == uses_.size()) uses_.push_back(0);
  return number;
}

/// An option with only reordering scores.
void MosesImporter::parse_reordering_line(std::string_view text) {
  const ReorderingLine& line = reordering_parser_.parse(text);
  const std::uint32_t longest = max_length_;
  join_words(line.source, key_);
  max_length_ = longest;  // of the phrase table
  begin_piece(reordering_lines_);
  split_words(line.target, words_);
  if (words_.size() > kMaxPhraseWords) throw InputError("a phrase has more than 65535 words");
  ids_.clear();
  for (std::string_view word : words_) ids_.push_back(number_of(word));
  ValueWriter(arena_).add({ids_, {}, {}, {}, {}, line.scores});
  pieces_.back().end = arena_.size();
  ++pieces_.back().options;
}

void MosesImporter::sort_run() {
  const auto key = [this](const Piece& piece) {
    return std::string_view(arena_).substr(piece.begin, piece.value - piece.begin);
  };
  std::sort(pieces_.begin(), pieces_.end(), [&](const Piece& a, const Piece& b) {
    const int order = key(a).compare(key(b));
    return order != 0 ? order < 0 : a.first_line < b.first_line;
  });
  written_ = 0;
}

std::string MosesImporter::next_block(std::size_t size) {
  std::string block, header;
  for (; written_ < pieces_.size() && block.size() < size; ++written_) {
    const Piece& piece = pieces_[written_];
    append_varint(block, piece.value - piece.begin);
    block.append(arena_, piece.begin, piece.value - piece.begin);
    append_varint(block, piece.first_line);
    header.clear();
    ValueWriter(header, piece.options);
    append_varint(block, header.size() + piece.end - piece.value);
    block += header;
    block.append(arena_, piece.value, piece.end - piece.value);
  }
  if (block.empty()) {
    pieces_.clear();
    arena_.clear();
  }
  return block;
}

RunMerger::RunMerger(const MosesImporter& importer, std::vector<std::span<const std::byte>> runs)
    : importer_(importer), numbering_(importer.vocabulary(), importer.uses()) {
  for (const auto& run : runs) {
    runs_.push_back({run, {}, 0, {}});
    if (advance(runs_.back())) heap_.push_back(runs_.size() - 1);
    else runs_.pop_back();
  }
}

bool RunMerger::advance(Run& run) {
  if (run.left.empty()) return false;
  const auto key = take(run.left, take_varint(run.left));
  run.key = {reinterpret_cast<const char*>(key.data()), key.size()};
  run.first_line = take_varint(run.left);
  run.value = take(run.left, take_varint(run.left));
  return true;
}

std::optional<ScoredBatch> RunMerger::next() {
  // Later runs hold later lines, so that equal keys come in the order of their lines.
  const auto comes_later = [this](std::size_t a, std::size_t b) {
    const int order = runs_[a].key.compare(runs_[b].key);
    return order != 0 ? order > 0 : a > b;
  };
  if (heap_.empty()) return std::nullopt;
  std::make_heap(heap_.begin(), heap_.end(), comes_later);
  ScoredBatch batch;
  while (!heap_.empty() && batch.pairs < kPairsPerBatch) {
    key_ = runs_[heap_.front()].key;
    options_.clear();
    reordering_.clear();
    words_.clear();
    alignment_.clear();
    orientation_.clear();
    more_.clear();
    while (!heap_.empty() && runs_[heap_.front()].key == key_) {
      std::pop_heap(heap_.begin(), heap_.end(), comes_later);
      Run& run = runs_[heap_.back()];
      collect(run);
      if (advance(run)) std::push_heap(heap_.begin(), heap_.end(), comes_later);
      else heap_.pop_back();
    }
    if (!options_.empty()) write_group(batch);
  }
  return batch;
}

void RunMerger::collect(const Run& run) {
  OptionReader reader(run.value, importer_.vocabulary().size());
  StoredOption stored;
  for (std::uint64_t line = run.first_line; reader.next(stored); ++line) {
    (stored.orientation.empty() ? options_ : reordering_)
        .push_back({stored, words_.size(), alignment_.size(), stored.words.size(), stored.alignment.size(),
                    more_.size(), line, orientation_.size(), stored.orientation.size()});
    orientation_.insert(orientation_.end(), stored.orientation.begin(), stored.orientation.end());
    words_.insert(words_.end(), stored.words.begin(), stored.words.end());
    alignment_.insert(alignment_.end(), stored.alignment.begin(), stored.alignment.end());
    more_.insert(more_.end(), stored.more.begin(), stored.more.end());
  }
}

int RunMerger::compare(const Option& a, const Option& b) const {
  return compare_texts(importer_.vocabulary(), words_of(a), words_of(b));
}

std::string RunMerger::text_of(const Option& option) const {
  std::string text;
  for (WordId word : words_of(option)) (text += text.empty() ? "" : " ") += importer_.vocabulary().word(word);
  return text;
}

void RunMerger::check_duplicates(std::string_view key) {
  std::size_t i = 1;
  while (i < options_.size() && compare(options_[i - 1], options_[i]) < 0) ++i;
  if (i >= options_.size()) return;  // already in Moses' order, as usual
  std::stable_sort(options_.begin(), options_.end(),
                   [&](const Option& a, const Option& b) { return compare(a, b) < 0; });
  for (i = 1; i < options_.size(); ++i) {
    if (compare(options_[i - 1], options_[i]) != 0) continue;
    fail(options_[i].line, "the phrase pair '" + std::string(key) + " ||| " + text_of(options_[i]) +
                               "' is already on line " + std::to_string(options_[i - 1].line) +
                               "; remove one of them");
  }
}

/// Gives the options, in the order of their texts, the scores of the reordering table's lines.
void RunMerger::join_reordering() {
  std::stable_sort(reordering_.begin(), reordering_.end(),
                   [&](const Option& a, const Option& b) { return compare(a, b) < 0; });
  for (std::size_t i = 0, r = 0; i < options_.size(); ++i) {
    while (r < reordering_.size() && compare(reordering_[r], options_[i]) < 0) ++r;
    const std::string pair = "the phrase pair '" + key_ + " ||| " + text_of(options_[i]) + "'";
    if (r == reordering_.size() || compare(reordering_[r], options_[i]) != 0)
      fail(options_[i].line, pair + " has no scores in the reordering table; filter both tables alike");
    if (r + 1 < reordering_.size() && compare(reordering_[r], reordering_[r + 1]) == 0)
      fail(options_[i].line, pair + " is in the reordering table twice, on lines " + std::to_string(reordering_[r].line) +
                                 " and " + std::to_string(reordering_[r + 1].line) + "; remove one of them");
    options_[i].orientation = reordering_[r].orientation;
    options_[i].scores = reordering_[r].scores;
  }
}

void RunMerger::write_group(ScoredBatch& batch) {
  check_duplicates(key_);  // the options are now in text order
  if (importer_.reordering_lines() > 0) join_reordering();
  order_.resize(options_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const auto &p = options_[a].stored.probabilities, &q = options_[b].stored.probabilities;
    if (p[1].bits() != q[1].bits()) return p[1].value() > q[1].value();
    return p[0].value() > q[0].value();
  });
  for (const Option& option : options_)
    for (WordId& word : std::span(words_).subspan(option.words, option.length)) word = numbering_(word);
  ValueWriter writer(batch.values, options_.size());
  for (std::uint32_t i : order_) {
    StoredOption stored = options_[i].stored;
    stored.words = words_of(options_[i]);
    stored.orientation = std::span(orientation_).subspan(options_[i].orientation, options_[i].scores);
    stored.alignment = std::span(alignment_).subspan(options_[i].alignment, options_[i].links);
    stored.more = std::span(more_).subspan(options_[i].more, stored.more.size());
    writer.add(stored);
    batch.occurrences += stored.counts[2];
  }
  batch.keys += key_;
  batch.ends.push_back({batch.keys.size(), batch.values.size()});
  batch.pairs += options_.size();
}

}  // namespace widl
