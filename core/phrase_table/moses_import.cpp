#include "phrase_table/moses_import.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "byte_reader.hpp"
#include "errors.hpp"
#include "heap.hpp"
#include "text_fields.hpp"

namespace widl {
namespace {

constexpr std::size_t kPairsPerBatch = 1 << 16;

[[noreturn]] void fail(std::uint64_t line, const std::string& what) {
  throw InputError(std::to_string(line) + ": " + what);
}

}  // namespace

template <class ParseLine>
void MosesImporter::for_each_line(std::string_view lines, std::uint64_t& number, ParseLine&& parse_line) {
  while (!lines.empty()) {
    std::string_view line = take_line(lines);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    try {
      parse_line(line);
    } catch (const InputError& error) {
      fail(number, error.what());
    }
  }
  if (arena_.size() + pieces_.size() * sizeof(Piece) >= memory_) write_run();
}

void MosesImporter::parse(std::string_view lines) {
  for_each_line(lines, lines_, [&](std::string_view line) { parse_line(line); });
}

void MosesImporter::parse_reordering(std::string_view lines) {
  if (reordering_lines_ == 0) last_key_.clear();  // a piece holds lines of one table
  for_each_line(lines, reordering_lines_, [&](std::string_view line) { parse_reordering_line(line); });
}

void MosesImporter::parse_line(std::string_view text) {
  const MosesLine& line = parser_.parse(text);
  if (lines_ == 1) layout_ = parser_.layout();
  if (line.fields != layout_.fields)
    throw InputError("expected " + std::to_string(layout_.fields) + " fields between '|||', as on line 1, found " +
                     std::to_string(line.fields));
  max_length_ =
      static_cast<std::uint32_t>(std::max<std::size_t>({max_length_, line.source.size(), line.target.size()}));
  ids_.clear();
  for (std::string_view word : line.target) {
    ids_.push_back(number_of(word));
    ++uses_[ids_.back()];
  }
  add(line.source, lines_, {ids_, line.probabilities, line.counts, line.alignment, line.more});
}

void MosesImporter::parse_reordering_line(std::string_view text) {
  const MosesLine& line = parser_.parse_reordering(text);
  ids_.clear();
  for (std::string_view word : line.target) ids_.push_back(number_of(word));
  add(line.source, reordering_lines_, {ids_, {}, {}, {}, {}, line.orientation});
}

/// Lines with the phrase of the line before go to the last piece, others to a new piece.
void MosesImporter::add(const std::vector<std::string_view>& source, std::uint64_t line, const StoredOption& option) {
  key_.clear();
  for (std::string_view word : source) (key_ += key_.empty() ? "" : " ") += word;
  if (pieces_.empty() || key_ != last_key_) {
    const std::size_t begin = arena_.size();
    arena_ += key_;
    pieces_.push_back({begin, arena_.size(), arena_.size(), line, 0, static_cast<std::uint32_t>(option.more.size())});
    last_key_ = key_;
  }
  ValueWriter(arena_).add(option);  // the head of the value is written with the run
  pieces_.back().end = arena_.size();
  ++pieces_.back().options;
}

WordId MosesImporter::number_of(std::string_view word) {
  const WordId number = vocabulary_.intern(word);
  if (number == uses_.size()) uses_.push_back(0);
  return number;
}

void MosesImporter::write_run() {
  const auto part = [this](std::size_t begin, std::size_t end) {
    return std::string_view(arena_).substr(begin, end - begin);
  };
  std::ranges::sort(pieces_, {},
                    [&](const Piece& piece) { return std::pair(part(piece.begin, piece.value), piece.first_line); });
  std::string block, value;
  for (const Piece& piece : pieces_) {
    append_text(block, part(piece.begin, piece.value));
    append_varint(block, piece.first_line);
    value.clear();
    ValueWriter::append_head(value, piece.options, piece.further_scores);
    append_text(block, value += part(piece.value, piece.end));
    if (block.size() >= ScratchFile::kBlock) file_.append_block(block);
  }
  if (!block.empty()) file_.append_block(block);
  run_ends_.push_back(file_.size());
  pieces_.clear();
  arena_.clear();
}

RunMerger::RunMerger(MosesImporter& importer)
    : importer_(importer), numbering_((importer.write_run(), importer.vocabulary()), importer.uses()) {
  for (std::size_t run = 1; run < importer.run_ends_.size(); ++run) {
    runs_.push_back(
        {{importer.file_, importer.run_ends_[run - 1], importer.run_ends_[run]}, ByteReader({}), {}, 0, {}});
    if (advance(runs_.back())) heap_.push_back(runs_.size() - 1);
  }
}

bool RunMerger::advance(Run& run) {
  if (run.left.at_end()) {
    if (!run.blocks.next()) return false;
    run.left = ByteReader(run.blocks.bytes());
  }
  run.key = run.left.text();
  run.first_line = run.left.number();
  run.value = run.left.text();
  return true;
}

std::optional<PhraseBatch> RunMerger::next() {
  // Later runs hold later lines, so that equal keys come in the order of their lines.
  const auto comes_later = [this](std::size_t a, std::size_t b) {
    const int order = runs_[a].key.compare(runs_[b].key);
    return order != 0 ? order > 0 : a > b;
  };
  if (heap_.empty()) return std::nullopt;
  std::make_heap(heap_.begin(), heap_.end(), comes_later);
  PhraseBatch batch;
  while (!heap_.empty() && batch.pairs < kPairsPerBatch) {
    key_ = runs_[heap_.front()].key;
    lines_.clear();
    reordering_.clear();
    while (!heap_.empty() && runs_[heap_.front()].key == key_) {
      const std::size_t first = heap_.front();
      collect(runs_[first]);
      if (advance(runs_[first])) {
        replace_top(heap_, first, comes_later);
      } else {
        std::pop_heap(heap_.begin(), heap_.end(), comes_later);
        heap_.pop_back();
      }
    }
    if (lines_.size() > 0) write_group(batch);
  }
  return batch;
}

void RunMerger::collect(const Run& run) {
  OptionReader reader(run.value, importer_.vocabulary().size());
  StoredOption stored;
  for (std::uint64_t line = run.first_line; reader.next(stored); ++line) {
    Lines& lines = stored.orientation.empty() ? lines_ : reordering_;
    lines.options.add(stored);
    lines.numbers.push_back(line);
  }
}

int RunMerger::compare(std::span<const WordId> a, std::span<const WordId> b) const {
  return compare_phrases(importer_.vocabulary(), a, b);
}

std::vector<std::uint32_t> RunMerger::in_text_order(const Lines& lines) const {
  std::vector<std::uint32_t> order(lines.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return compare(lines.options[a].words, lines.options[b].words) < 0;
  });
  return order;
}

std::string RunMerger::name_of(const StoredOption& option) const {
  std::string text;
  for (WordId word : option.words) (text += text.empty() ? "" : " ") += importer_.vocabulary().word(word);
  return "the phrase pair '" + key_ + " ||| " + text + "'";
}

void RunMerger::check_duplicates(const std::vector<std::uint32_t>& order) const {
  for (std::size_t i = 1; i < order.size(); ++i) {
    const StoredOption option = lines_.options[order[i]];
    if (compare(lines_.options[order[i - 1]].words, option.words) != 0) continue;
    fail(lines_.numbers[order[i]], name_of(option) + " is already on line " +
                                       std::to_string(lines_.numbers[order[i - 1]]) + "; remove one of them");
  }
}

/// The line of the reordering table for each option, by option. `order`: the options in the order of their texts.
std::vector<std::uint32_t> RunMerger::reordering_lines_of(const std::vector<std::uint32_t>& order) const {
  const std::vector<std::uint32_t> reordering = in_text_order(reordering_);
  std::vector<std::uint32_t> result(order.size());
  std::size_t r = 0;
  for (std::uint32_t i : order) {
    const StoredOption option = lines_.options[i];
    const auto compared = [&](std::size_t at) {
      return compare(reordering_.options[reordering[at]].words, option.words);
    };
    while (r < reordering.size() && compared(r) < 0) ++r;
    if (r == reordering.size() || compared(r) != 0)
      fail(lines_.numbers[i], name_of(option) + " has no scores in the reordering table; filter both tables alike");
    if (r + 1 < reordering.size() && compared(r + 1) == 0)
      fail(lines_.numbers[i], name_of(option) + " is in the reordering table twice, on lines " +
                                  std::to_string(reordering_.numbers[reordering[r]]) + " and " +
                                  std::to_string(reordering_.numbers[reordering[r + 1]]) + "; remove one of them");
    result[i] = reordering[r];
  }
  return result;
}

void RunMerger::write_group(PhraseBatch& batch) {
  std::vector<std::uint32_t> order = in_text_order(lines_), reordering;
  check_duplicates(order);
  if (importer_.reordering_lines() > 0) reordering = reordering_lines_of(order);
  std::ranges::stable_sort(order, std::greater(), [this](std::uint32_t i) {
    const StoredOption option = lines_.options[i];
    return std::pair(option.probabilities[1].value(), option.probabilities[0].value());
  });
  ValueWriter writer(batch.values, order.size(), lines_.options[0].more.size());
  for (std::uint32_t i : order) {
    for (WordId& word : lines_.options.words(i)) word = numbering_(word);
    StoredOption stored = lines_.options[i];
    if (!reordering.empty()) stored.orientation = reordering_.options[reordering[i]].orientation;
    writer.add(stored);
    batch.occurrences += stored.counts[2];
  }
  batch.keys += key_;
  batch.end_phrase();
  batch.pairs += order.size();
}

}  // namespace widl
