#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/candidate_pairs.hpp"
#include "alignment/trainer.hpp"

namespace widl::trainer_test {
namespace {

std::vector<std::string> whole_word(std::string_view word) { return {std::string(word)}; }

/// Two nouns and two adjectives in all combinations, the adjective after the noun on the source side.
ParallelText house_and_book() {
  ParallelText text;
  for (int copies = 0; copies < 5; ++copies) {
    text.append("casa verde", "green house");
    text.append("casa roja", "red house");
    text.append("libro verde", "green book");
    text.append("libro rojo", "red book");
  }
  return text;
}

AlignmentCounts trained(const ParallelText& text, unsigned threads) {
  AlignmentTrainer trainer(text, whole_word, whole_word, {}, threads);
  for (int round = 0; round < trainer.rounds(); ++round) {
    trainer.expect(0, text.sentences(), threads);
    trainer.maximize(threads);
  }
  return trainer.counts();
}

}  // namespace

TEST_CASE("candidate pairs: words that always occur together are kept, those by chance are not") {
  ParallelText text = house_and_book();
  text.append("el gato duerme", "the cat sleeps");
  const LinkCounts rows = candidate_pairs(text, 1000, 1);
  const WordId libro = *text.source.vocabulary.find("libro");
  std::vector<std::string> targets;
  for (const LinkCount& entry : rows[libro]) targets.emplace_back(text.target.vocabulary.word(entry.target));
  CHECK(std::find(targets.begin(), targets.end(), "book") != targets.end());
  CHECK(std::find(targets.begin(), targets.end(), "house") == targets.end());
}

TEST_CASE("candidate pairs: a limit drops the least associated") {
  const ParallelText text = house_and_book();
  std::size_t pairs = 0;
  for (const auto& row : candidate_pairs(text, 2, 1)) pairs += row.size();
  CHECK(pairs <= 2);
}

TEST_CASE("training: words are linked across a changed order") {
  const ParallelText text = house_and_book();
  const AlignmentModel model(trained(text, 1), whole_word, whole_word, 1);
  const TextWords source(text.source, model.lexicon().source, whole_word),
      target(text.target, model.lexicon().target, whole_word);
  const std::vector<DirectedLinks> links = model.align(text, source, target, 0, 1, 1);
  CHECK(format_links(links[0].forward) == "0-1 1-0");
  CHECK(format_links(links[0].reverse) == "0-1 1-0");
}

TEST_CASE("training: the stored counts depend neither on threads nor on reading them back") {
  const ParallelText text = house_and_book();
  const std::string written = write_model(trained(text, 1));
  CHECK(written == write_model(trained(text, 3)));
  CHECK(written == write_model(parse_model(written)));
}

}  // namespace widl::trainer_test
