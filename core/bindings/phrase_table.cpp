#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "bytes.hpp"
#include "errors.hpp"
#include "phrase_table/bitext.hpp"
#include "phrase_table/phrase_shards.hpp"
#include "phrase_table/scoring.hpp"
#include "phrase_table/text_counts.hpp"
#include "alignment/symmetrization.hpp"

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
  throw InputError("unknown symmetrization '" + std::string(name) + "'; there are " + names);
}

std::string symmetrize_text(std::string_view forward, std::string_view reverse, std::string_view method) {
  return format_links(symmetrize(parse_links(forward), parse_links(reverse), symmetrization_named(method)));
}

std::vector<std::string_view> words_of(const Vocabulary& vocabulary) {
  std::vector<std::string_view> words;
  for (WordId id = 0; id < vocabulary.size(); ++id) words.push_back(vocabulary.word(id));
  return words;
}

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
        "One alignment, `0-0 1-2 …`, of the two directions.");
  m.def("reordering_features", [] { return std::vector(kReorderingFeatures.begin(), kReorderingFeatures.end()); },
        "Names of the features of a reordering model, in their order.");

  nb::class_<Bitext>(m, "Bitext", "Word-aligned sentence pairs.")
      .def(nb::init<>())
      .def(
          "append",
          [](Bitext& self, std::string_view source, std::string_view target, std::string_view links) {
            self.append(source, target, parse_links(links));
          },
          "source"_a, "target"_a, "links"_a, "Add a sentence pair: tokens, and links as `0-0 1-2 …`.")
      .def("set_in_domain", &Bitext::set_in_domain, "sentences"_a,
           "The first sentence pairs are in-domain text, whose word translations are scores of their own.")
      .def("__len__", &Bitext::sentences);

  nb::class_<TextCounts>(m, "TextCounts", "What the phrase pairs of all parts of a text have in common.")
      .def(nb::init<>())
      .def_static(
          "parse",
          [](const nb::bytes& numbered) { return released([&, bytes = view(numbered)] { return TextCounts(bytes); }); },
          "numbered"_a, "What `numbered` gave.")
      .def_static(
          "of", [](const Bitext& part) { return to_bytes(released([&] { return TextCounts::of(part); })); }, "part"_a,
          "What is to be added, of a part of the text.")
      .def(
          "add",
          [](TextCounts& self, const nb::bytes& part) { released([&, bytes = view(part)] { self.add(bytes); }); },
          "part"_a)
      .def("numbered", [](TextCounts& self) { return to_bytes(released([&] { return self.numbered(); })); },
           "For another machine, when all parts were added; words have their numbers from now on.")
      .def("part", &TextCounts::part, "A part of the text, without sentence pairs so far.")
      .def_prop_ro("has_in_domain", &TextCounts::has_in_domain)
      .def("target_words", [](const TextCounts& self) { return words_of(self.target()); },
           "The target words in the order of their numbers.");

  m.def(
      "extract_shards",
      [](Bitext& part, std::size_t shards, std::uint32_t max_length, bool reordering, unsigned threads) {
        if (shards == 0) throw InputError("at least one shard is needed");
        return bytes_of(released([&] { return extract_shards(part, max_length, reordering, shards, threads); }));
      },
      "part"_a, "shards"_a, nb::kw_only(), "max_length"_a = 7, "reordering"_a = false, "threads"_a = 1,
      "What a part of a text has of the phrase pairs of each shard.");
  m.def(
      "merge_shard",
      [](const std::vector<nb::bytes>& parts, std::size_t shards) {
        if (shards == 0) throw InputError("at least one shard is needed");
        const std::vector<std::string_view> views = views_of(parts);
        const MergedShard merged = released([&] { return merge_shard(views, shards); });
        const auto& [all, with_count] = merged.counts;
        const std::vector<std::uint64_t> counts = {all, with_count[0], with_count[1], with_count[2], with_count[3]};
        return std::tuple(to_bytes(merged.pairs), bytes_of(merged.targets), counts,
                          merged.occurrences);
      },
      "parts"_a, "shards"_a,
      "Of what all parts have for a shard: its pairs, what it asks the shards of target phrases, how many distinct pairs there\n"
      "are and how many that occur once, twice, three and four times, and how many occurrences there are.");
  m.def(
      "target_totals",
      [](const std::vector<nb::bytes>& asked) {
        const std::vector<std::string_view> views = views_of(asked);
        return bytes_of(released([&] { return target_totals(views); }));
      },
      "asked"_a, "The answer to what each shard asks.");

  nb::class_<PhraseScorer>(m, "PhraseScorer",
                           "Extracts and scores all phrase pairs of a bitext on threads of its own.")
      .def(
          "__init__",
          [](PhraseScorer* self, Bitext& bitext, std::uint32_t max_length, unsigned threads, bool reordering,
             bool smoothed) {
            const ScoringOptions options{max_length, threads, reordering, smoothed};
            nb::gil_scoped_release release;
            new (self) PhraseScorer(bitext, options);
          },
          "bitext"_a, nb::kw_only(), "max_length"_a = 7, "threads"_a = 1, "reordering"_a = false, "smoothed"_a = false,
          nb::keep_alive<1, 2>())
      .def(
          "__init__",
          [](PhraseScorer* self, const TextCounts& text, const nb::bytes& pairs, const std::vector<nb::bytes>& answers,
             const std::array<std::uint64_t, 5>& counts, std::uint32_t max_length, unsigned threads, bool reordering,
             bool smoothed) {
            const ScoringOptions options{max_length, threads, reordering, smoothed};
            const PairsByCount by_count{counts[0], {counts[1], counts[2], counts[3], counts[4]}};
            const std::vector<std::string_view> views = views_of(answers);
            const std::string_view pairs_of_shard = view(pairs);
            nb::gil_scoped_release release;
            new (self) PhraseScorer(shard_to_score(text, pairs_of_shard, views, max_length, by_count), options);
          },
          "text"_a, "pairs"_a, "answers"_a, "counts"_a, nb::kw_only(), "max_length"_a = 7, "threads"_a = 1,
          "reordering"_a = false, "smoothed"_a = false,
          "Of a shard, as `merge_shard` and `target_totals` give it, and the sums of all shards' `counts`.")
      .def("next_batch", [](PhraseScorer& self) { return released([&] { return self.next(); }); }, "The next batch, or None after the last.")
      .def_prop_ro("sentences", [](const PhraseScorer& self) { return self.bitext().sentences(); })
      .def_prop_ro("max_length", [](const PhraseScorer& self) { return self.options().max_length; })
      .def_prop_ro("reordering", [](const PhraseScorer& self) { return self.options().reordering; },
                   "Whether phrase pairs have scores of a reordering model.")
      .def_prop_ro("has_in_domain", &PhraseScorer::has_in_domain,
                   "Whether phrase pairs have in-domain lexical weights, lex(f|e) and lex(e|f), as further scores.")
      .def_prop_ro("occurrences", &PhraseScorer::occurrences,
                   "Of all phrase pairs, before counting equals as one.")
      .def(
          "target_words",
          [](const PhraseScorer& self) { return words_of(self.bitext().target().vocabulary); },
          "The target words in the order of their numbers.");
}

}  // namespace widl
