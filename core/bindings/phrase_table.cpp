#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "alignment/symmetrization.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "phrase_table/bitext.hpp"
#include "phrase_table/phrase_scoring.hpp"
#include "phrase_table/phrase_shards.hpp"
#include "phrase_table/text_counts.hpp"

namespace widl {
namespace {

using namespace nb::literals;

constexpr std::array<std::pair<std::string_view, Symmetrization>, 6> kMethods = {{
    {"union", Symmetrization::Union},
    {"intersection", Symmetrization::Intersection},
    {"grow", Symmetrization::Grow},
    {"grow-diag", Symmetrization::GrowDiag},
    {"grow-diag-final", Symmetrization::GrowDiagFinal},
    {"grow-diag-final-and", Symmetrization::GrowDiagFinalAnd},
}};

Symmetrization symmetrization_named(std::string_view name) {
  std::string names;
  for (const auto& [method_name, method] : kMethods) {
    if (method_name == name) return method;
    names += (names.empty() ? "" : ", ") + std::string(method_name);
  }
  throw InputError("unknown symmetrization '" + std::string(name) + "'; choose one of " + names);
}

std::string symmetrize_text(std::string_view forward, std::string_view reverse, std::string_view method) {
  return format_links(symmetrize(parse_links(forward), parse_links(reverse), symmetrization_named(method)));
}

std::vector<std::string_view> words_of(const Vocabulary& vocabulary) {
  std::vector<std::string_view> words;
  for (WordId id = 0; id < vocabulary.size(); ++id) words.push_back(vocabulary.word(id));
  return words;
}

/// Fields of a PairsByCount.
using PairCounts = std::array<std::uint64_t, 5>;

std::vector<std::string_view> views_of(const std::vector<nb::bytes>& all) {
  std::vector<std::string_view> views;
  for (const nb::bytes& bytes : all) views.push_back(view(bytes));
  return views;
}

std::vector<nb::bytes> bytes_of(const std::vector<std::string>& all) {
  std::vector<nb::bytes> copies;
  for (const std::string& bytes : all) copies.push_back(to_bytes(bytes));
  return copies;
}

}  // namespace

void bind_phrase_table(nb::module_& m) {
  m.def("symmetrize", &symmetrize_text, "forward"_a, "reverse"_a, "method"_a,
        "Combines the links of both directions into one alignment, `0-0 1-2 …`.");
  m.def(
      "reordering_features", [] { return std::vector(kReorderingFeatures.begin(), kReorderingFeatures.end()); },
      "Names of the features of a reordering model, in their order.");

  nb::class_<Bitext>(m, "Bitext", "Word-aligned sentence pairs, a part of a text.")
      .def(
          "__init__",
          [](Bitext* self, const nb::bytes& lines, std::size_t first, std::size_t in_domain) {
            const std::string_view text = view(lines);
            nb::gil_scoped_release release;
            new (self) Bitext(text, first, in_domain);
          },
          "lines"_a, nb::kw_only(), "first"_a = 0, "in_domain"_a = 0,
          "lines: for each pair the source's tokens, the target's tokens, and links as `0-0 1-2 …`. first: pairs of the text\n"
          "before these. in_domain: how many pairs at the beginning of the text are in-domain.")
      .def("__len__", &Bitext::sentences);

  nb::class_<TextCounts>(m, "TextCounts", "Words and links, counted in all parts of a text.")
      .def(nb::init<>())
      .def_static(
          "parse",
          [](const nb::bytes& numbered) { return released([&, bytes = view(numbered)] { return TextCounts(bytes); }); },
          "numbered"_a, "Parses the result of `numbered`.")
      .def_static(
          "of", [](const Bitext& part) { return to_bytes(released([&] { return TextCounts::of(part); })); }, "part"_a,
          "The counts of a part, for `add`.")
      .def(
          "add",
          [](TextCounts& self, const nb::bytes& part) { released([&, bytes = view(part)] { self.add(bytes); }); },
          "part"_a)
      .def(
          "numbered", [](TextCounts& self) { return to_bytes(released([&] { return self.numbered(); })); },
          "Numbers the words; call after all parts are added. Returns the counts for other machines.")
      .def_prop_ro("has_in_domain", &TextCounts::has_in_domain)
      .def(
          "target_words", [](const TextCounts& self) { return words_of(self.target().vocabulary); },
          "The target words in the order of their numbers.");

  m.def(
      "extract_part",
      [](const Bitext& part, const TextCounts& counts, std::size_t shards, std::uint32_t max_length, bool reordering) {
        const ExtractedPart extracted =
            released([&] { return extract_part(part, counts, max_length, reordering, shards); });
        return std::tuple(bytes_of(extracted.shards), extracted.occurrences, bytes_of(extracted.sample));
      },
      "part"_a, "counts"_a, "shards"_a, nb::kw_only(), "max_length"_a, "reordering"_a,
      "Extracts the phrase pairs of a part. Returns a file for each shard of target phrases, the number of occurrences, and\n"
      "a sample of source phrases.");
  m.def(
      "count_targets",
      [](const std::vector<nb::bytes>& files, const std::vector<nb::bytes>& bounds) {
        const CountedTargets counted =
            released([files = views_of(files), bounds = views_of(bounds)] { return count_targets(files, bounds); });
        const auto& [all, with_count] = counted.pairs;
        const PairCounts pairs = {all, with_count[0], with_count[1], with_count[2], with_count[3]};
        return std::pair(bytes_of(counted.shards), pairs);
      },
      "files"_a, "bounds"_a,
      "Merges the files of a shard of target phrases. Returns their pairs for each shard of source phrases, which begin\n"
      "before the first bound and at each bound, and the number of distinct pairs: all, and those that occur once, twice,\n"
      "three and four times.");
  m.def(
      "score_sources",
      [](const std::vector<nb::bytes>& files, const TextCounts& counts, const PairCounts& pairs, bool reordering,
         bool smoothed) {
        return released([&, files = views_of(files)] {
          return score_sources(files, counts, {pairs[0], {pairs[1], pairs[2], pairs[3], pairs[4]}},
                               {reordering, smoothed});
        });
      },
      "files"_a, "counts"_a, "pairs"_a, nb::kw_only(), "reordering"_a, "smoothed"_a,
      "The scored options of a shard of source phrases. `pairs`: sums of the counts of all shards of target phrases.");
}

}  // namespace widl
