#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alignment/model.hpp"
#include "alignment/trainer.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "text_fields.hpp"

namespace widl {
namespace {

using namespace nb::literals;
using Split = AlignmentModel::Split;
using Released = nb::call_guard<nb::gil_scoped_release>;

std::vector<std::vector<Link>> parsed(const ParallelText& text, const std::vector<std::string>& lines) {
  if (lines.size() != text.sentences()) throw InputError("expected one line of links per sentence pair");
  std::vector<std::vector<Link>> links;
  for (std::size_t sentence = 0; sentence < lines.size(); ++sentence) {
    links.push_back(parse_links(lines[sentence]));
    const auto sources = text.source.begins[sentence + 1] - text.source.begins[sentence];
    const auto targets = text.target.begins[sentence + 1] - text.target.begins[sentence];
    for (const Link& link : links.back())
      if (link.source >= sources || link.target >= targets)
        throw InputError("line " + std::to_string(sentence + 1) + ": link " + format_links({link}) +
                         " is outside the sentences");
  }
  return links;
}

std::string lines_of(const ParallelText& text, std::size_t begin, std::size_t end) {
  if (begin > end || end > text.sentences()) throw InternalError("sentences outside of the text");
  std::string lines;
  for (std::size_t sentence = begin; sentence < end; ++sentence) {
    for (const BitextSide* side : {&text.source, &text.target}) {
      for (std::uint32_t at = side->begins[sentence]; at < side->begins[sentence + 1]; ++at) {
        if (at > side->begins[sentence]) lines += ' ';
        lines += side->vocabulary.word(side->words[at]);
      }
      lines += side == &text.source ? '\t' : '\n';
    }
  }
  return lines;
}

ParallelText parse_lines(std::string_view rest) {
  ParallelText text;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos)
      throw InputError("damaged: expected a source line and a target line, separated by a tab");
    text.append(line.substr(0, tab), line.substr(tab + 1));
  }
  return text;
}

/// Aligns one text; refers to the text and the model.
struct TextAligner {
  TextAligner(const AlignmentModel& model, const ParallelText& text)
      : model(model),
        text(text),
        source(text.source, model.lexicon().source, model.split_source()),
        target(text.target, model.lexicon().target, model.split_target()) {}

  std::vector<std::pair<std::string, std::string>> align(std::size_t begin, std::size_t end, unsigned threads) const {
    std::vector<std::pair<std::string, std::string>> lines;
    for (const DirectedLinks& links : model.align(text, source, target, begin, end, threads))
      lines.emplace_back(format_links(links.forward), format_links(links.reverse));
    return lines;
  }

  std::pair<NewArray<2>, NewArray<2>> probabilities(std::size_t sentence) const {
    if (sentence >= text.sentences()) throw nb::index_error("no sentence pair has this number");
    const SentencePosteriors posteriors = model.posteriors(source, target, sentence);
    std::vector<double> forward, reverse;
    for (std::size_t i = 0; i < posteriors.sources(); ++i)
      for (std::size_t j = 0; j < posteriors.targets(); ++j) {
        forward.push_back(posteriors.forward(i, j));
        reverse.push_back(posteriors.reverse(i, j));
      }
    const std::array shape{posteriors.sources(), posteriors.targets()};
    return {numpy_array<2>(std::move(forward), shape), numpy_array<2>(std::move(reverse), shape)};
  }

  const AlignmentModel& model;
  const ParallelText& text;
  TextWords source, target;
};

}  // namespace

void bind_alignment(nb::module_& m) {
  nb::class_<ParallelText>(m, "ParallelText",
                           "Parallel text: sentence pairs of tokens separated by blanks, without links.")
      .def(nb::init<>())
      .def("append", &ParallelText::append, "source"_a, "target"_a)
      .def(
          "lines",
          [](const ParallelText& text, std::size_t begin, std::size_t end) {
            return to_bytes(released([&] { return lines_of(text, begin, end); }));
          },
          "begin"_a, "end"_a, "The pairs [begin, end) as lines `source<TAB>target`.")
      .def_static(
          "parse",
          [](const nb::bytes& lines) { return released([&, bytes = view(lines)] { return parse_lines(bytes); }); },
          "lines"_a, "Parses the result of `lines`, or several results concatenated.")
      .def("__len__", &ParallelText::sentences);

  nb::class_<AlignmentModel>(m, "AlignmentModel", "A word alignment model learned from one text, to align other texts.")
      .def_static(
          "parse",
          [](std::string_view text, Split source, Split target, unsigned threads) {
            return std::make_unique<AlignmentModel>(parse_model(text), std::move(source), std::move(target), threads);
          },
          "text"_a, "split_source"_a, "split_target"_a, nb::kw_only(), "threads"_a = 1, Released(),
          "Parses the result of `text`. The message of an InputError begins with the number of the bad line.")
      .def_static(
          "count",
          [](const ParallelText& text, const std::vector<std::string>& forward, const std::vector<std::string>& reverse,
             Split source, Split target) {
            return std::make_unique<AlignmentModel>(count_links(text, parsed(text, forward), parsed(text, reverse)),
                                                    std::move(source), std::move(target), 1);
          },
          "text"_a, "forward"_a, "reverse"_a, "split_source"_a, "split_target"_a, Released(),
          "Counts given links: for each direction, a line `0-0 1-2 …` of source-target points per sentence pair.")
      .def(
          "text", [](const AlignmentModel& model) { return write_model(model.counts()); }, Released(),
          "The model as lines; see docs/formats.md.");

  nb::class_<AlignmentTrainer>(m, "AlignmentTrainer",
                               "Expectation maximization: rounds of `expect` for all sentence pairs, then `maximize`.")
      .def(
          "__init__",
          [](AlignmentTrainer* self, const ParallelText& text, Split source, Split target, int model1_rounds,
             int markov_rounds, std::size_t most_pairs, unsigned threads, bool shared) {
            new (self)
                AlignmentTrainer(text, source, target, {model1_rounds, markov_rounds, most_pairs}, threads, shared);
          },
          "text"_a, "split_source"_a, "split_target"_a, nb::kw_only(),
          "model1_rounds"_a = AlignmentTraining().model1_rounds, "markov_rounds"_a = AlignmentTraining().markov_rounds,
          "most_pairs"_a = AlignmentTraining().most_pairs, "threads"_a = 1, "shared"_a = false, Released(),
          nb::keep_alive<1, 2>())
      .def_prop_ro("rounds", &AlignmentTrainer::rounds)
      .def("expect", &AlignmentTrainer::expect, "begin"_a, "end"_a, "threads"_a = 1, Released())
      .def("maximize", &AlignmentTrainer::maximize, "threads"_a = 1, Released())
      .def(
          "counts", [](const AlignmentTrainer& trainer) { return write_model(trainer.counts()); }, Released(),
          "The text of the model, after the last round.")
      .def(
          "take_start", [](AlignmentTrainer& trainer) { return to_bytes(trainer.take_start()); },
          "The initial data of an AlignmentShare. Requires `shared`; can be called once.")
      .def(
          "counted", [](AlignmentTrainer& trainer) { return to_bytes(released([&] { return trainer.counted(); })); },
          "The counts that this round has accumulated.")
      .def(
          "add",
          [](AlignmentTrainer& trainer, const nb::bytes& counts) {
            released([&, bytes = view(counts)] { trainer.add(bytes); });
          },
          "counts"_a, "Adds the counts of an AlignmentShare to this round.");

  nb::class_<AlignmentShare>(m, "AlignmentShare", "Counts parts of a trainer's text elsewhere, for the trainer to add.")
      .def(
          "__init__",
          [](AlignmentShare* self, const nb::bytes& start, Split source, Split target) {
            released([&, bytes = view(start)] { new (self) AlignmentShare(bytes, source, target); });
          },
          "start"_a, "split_source"_a, "split_target"_a)
      .def(
          "expect",
          [](AlignmentShare& share, int round, const nb::bytes& counted_before, const ParallelText& text) {
            return to_bytes(released([&, bytes = view(counted_before)] { return share.expect(round, bytes, text); }));
          },
          "round"_a, "counted_before"_a, "text"_a,
          "The round's counts of a part of the text. `counted_before`: the trainer's `counted` of the previous round.");

  nb::class_<TextAligner>(m, "TextAligner", "Aligns the sentence pairs of one text with a model.")
      .def(nb::init<const AlignmentModel&, const ParallelText&>(), "model"_a, "text"_a, Released(),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("align", &TextAligner::align, "begin"_a, "end"_a, "threads"_a = 1, Released(),
           "Links of the pairs [begin, end), forward and reverse.")
      .def(
          "probabilities", &TextAligner::probabilities, "pair"_a,
          "Link probabilities of a pair, two arrays of shape (source words, target words): the probability that target word j\n"
          "comes from source word i, and that source word i comes from target word j.");
}

}  // namespace widl
