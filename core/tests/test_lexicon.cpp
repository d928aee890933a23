#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "alignment/lexical_table.hpp"
#include "alignment/lexicon.hpp"
#include "parallel.hpp"

namespace widl {
namespace {

using Cells = std::map<std::pair<WordId, WordId>, float>;

LinkCounts rows_of(const Cells& cells, std::size_t sources) {
  LinkCounts rows(sources);
  for (const auto& [pair, count] : cells) rows[pair.first].push_back({pair.second, count});
  return rows;
}

/// Counts in eighths, which the table keeps exactly.
Cells random_cells(std::mt19937& random, std::uint32_t sources, std::uint32_t targets, std::size_t count) {
  Cells cells;
  for (std::size_t i = 0; i < count; ++i)
    cells[{static_cast<WordId>(random() % sources), static_cast<WordId>(random() % targets)}] =
        static_cast<float>(1 + random() % 80) / 8;
  return cells;
}

}  // namespace

TEST_CASE("a lexical table is a map of word pairs") {
  std::mt19937 random(12);
  for (std::uint32_t targets : {1u, 4u, 300u}) {
    const Cells cells = random_cells(random, 20, targets, 400);
    LexicalTable table(rows_of(cells, 20));
    CHECK(table.sources() == 20);
    for (WordId source = 0; source < 20; ++source)
      for (WordId target = 0; target < targets + 5; ++target) {
        const auto slot = table.find(source, target);
        const auto cell = cells.find({source, target});
        REQUIRE((slot == LexicalTable::kAbsent) == (cell == cells.end()));
        if (cell == cells.end()) continue;
        CHECK(table.target(slot) == target);
        CHECK(table.count(slot) == cell->second);
      }
    Cells read;
    const LinkCounts rows = table.rows(5);
    for (WordId source = 0; source < 20; ++source) {
      CHECK(std::is_sorted(rows[source].begin(), rows[source].end(), [](auto a, auto b) { return a.target < b.target; }));
      for (const LinkCount& entry : rows[source]) read[{source, entry.target}] = entry.count;
    }
    Cells enough = cells;
    std::erase_if(enough, [](const auto& cell) { return cell.second < 5; });
    CHECK(read == enough);
  }
}

TEST_CASE("counts do not depend on the threads that add them") {
  std::mt19937 random(13);
  const Cells cells = random_cells(random, 3, 5, 30);
  std::vector<double> sums;
  for (unsigned threads : {1u, 4u}) {
    LexicalTable table(rows_of(cells, 3));
    table.counts().clear();
    const auto slot = table.find(cells.begin()->first.first, cells.begin()->first.second);
    parallel_for(10'000, threads, [&](std::size_t i) { table.counts().add(slot, 1.0f / static_cast<float>(1 + i % 97)); });
    sums.push_back(table.count(slot));
  }
  CHECK(sums[0] == sums[1]);
}

TEST_CASE("a lexicon's probabilities are those of its formula") {
  std::mt19937 random(14);
  constexpr std::uint32_t kWords = 6;
  constexpr double kStrength = 8;
  Lexicon lexicon;
  std::vector<std::vector<std::string>> pieces(kWords);
  for (auto* side : {&lexicon.source, &lexicon.target})
    for (std::uint32_t word = 0; word < kWords; ++word) {
      pieces[word] = {std::to_string(word % 3)};
      if (word % 2) pieces[word].push_back("x");
      side->add("w" + std::to_string(word), 1 + word, pieces[word]);
    }
  const Cells cells = random_cells(random, kWords, kWords, 25);
  lexicon.table = LexicalTable(rows_of(cells, kWords));
  lexicon.estimate(1);

  // Recomputes the values from the definition: C(u, v), then b, then t.
  const auto size = [&](WordId word) { return static_cast<double>(pieces[word].size()); };
  std::map<std::pair<std::string, std::string>, double> piece_counts;
  std::map<std::string, double> occurrences;
  std::vector<double> of_source(kWords), of_target(kWords);
  for (WordId word = 0; word < kWords; ++word)
    for (const auto& piece : pieces[word]) occurrences[piece] += (1 + word) / size(word);
  for (const auto& [pair, count] : cells) {
    of_source[pair.first] += count;
    of_target[pair.second] += count;
    for (const auto& u : pieces[pair.first])
      for (const auto& v : pieces[pair.second]) piece_counts[{u, v}] += count / size(pair.first) / size(pair.second);
  }
  for (const auto& [pair, count] : cells) {
    const auto [source, target] = pair;
    double shares = 0;
    for (const auto& u : pieces[source])
      for (const auto& v : pieces[target]) shares += piece_counts[{u, v}] / (occurrences[u] + 1) / (occurrences[v] + 1);
    shares /= size(source) * size(target);
    const auto found = lexicon.table.probabilities(lexicon.table.find(source, target));
    CHECK(found.forward == doctest::Approx((count + kStrength * shares * (1 + target)) / (of_source[source] + kStrength)));
    CHECK(found.reverse == doctest::Approx((count + kStrength * shares * (1 + source)) / (of_target[target] + kStrength)));
  }

  Lexicon threaded;
  for (auto* side : {&threaded.source, &threaded.target})
    for (std::uint32_t word = 0; word < kWords; ++word) side->add("w" + std::to_string(word), 1 + word, pieces[word]);
  threaded.table = LexicalTable(rows_of(cells, kWords));
  threaded.estimate(3);
  for (const auto& [pair, count] : cells)
    CHECK(threaded.table.probabilities(threaded.table.find(pair.first, pair.second)).forward ==
          lexicon.table.probabilities(lexicon.table.find(pair.first, pair.second)).forward);
}

TEST_CASE("a lexicon's side knows its words' pieces, and how often words have no partner") {
  LexiconSide side;
  side.add("walking", 4, {"walk", "ing"});
  side.add("walks", 6, {"walk"});
  CHECK(side.words() == 2);
  CHECK(side.pieces() == 2);
  CHECK(side.piece_frequency(side.pieces_of(0)[0]) == 4.0 / 2 + 6);
  CHECK(side.known_pieces({"talk", "ing"}) == std::vector<LexiconSide::PieceId>{side.pieces_of(0)[1]});
  side.estimate_unaligned({3, 0});
  CHECK(side.unaligned[0] == doctest::Approx((3 + 0.4) / 4));
  CHECK(side.unaligned[0] + side.unaligned[1] == doctest::Approx(1));
}

}  // namespace widl
