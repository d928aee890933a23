#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "bytes.hpp"
#include "errors.hpp"
#include "phrase_batches.hpp"
#include "phrase_table/moses_export.hpp"
#include "phrase_table/moses_import.hpp"
#include "phrase_table/table_filter.hpp"
#include "phrase_table/table_statistics.hpp"

namespace widl {
namespace {

using namespace nb::literals;

std::span<const std::byte> span(const nb::bytes& bytes) { return std::as_bytes(std::span(bytes.c_str(), bytes.size())); }

using Items = std::vector<std::pair<nb::bytes, nb::bytes>>;
/// (key or phrase, value), owned by Python's list during the call.
using Item = std::pair<std::string_view, std::span<const std::byte>>;

std::vector<Item> views(const Items& items) {
  std::vector<Item> result;
  result.reserve(items.size());
  for (const auto& [key, value] : items) result.emplace_back(view(key), span(value));
  return result;
}

/// Buffers, such as mapped files, that stay at their addresses while this object lives.
class HeldBuffers {
 public:
  explicit HeldBuffers(const std::vector<nb::object>& objects) : buffers_(objects.size()) {
    for (const nb::object& object : objects) {
      if (PyObject_GetBuffer(object.ptr(), &buffers_[held_], PyBUF_SIMPLE) != 0) {
        release();
        throw nb::python_error();
      }
      ++held_;
    }
  }
  ~HeldBuffers() { release(); }
  HeldBuffers(const HeldBuffers&) = delete;
  HeldBuffers& operator=(const HeldBuffers&) = delete;

  std::vector<std::span<const std::byte>> spans() const {
    std::vector<std::span<const std::byte>> result;
    for (const Py_buffer& buffer : buffers_)
      result.emplace_back(static_cast<const std::byte*>(buffer.buf), static_cast<std::size_t>(buffer.len));
    return result;
  }

 private:
  void release() {
    while (held_ > 0) PyBuffer_Release(&buffers_[--held_]);
  }

  std::vector<Py_buffer> buffers_;
  std::size_t held_ = 0;
};

struct HeldRunMerger {
  HeldRunMerger(const MosesImporter& importer, const std::vector<nb::object>& runs)
      : buffers(runs), merger(importer, buffers.spans()) {}
  std::optional<ScoredBatch> next() { return merger.next(); }

  HeldBuffers buffers;
  RunMerger merger;
};

nb::bytes export_items(MosesExporter& exporter, const Items& items) {
  const std::vector<Item> held = views(items);
  return to_bytes(released([&] {
    for (const auto& [phrase, value] : held) exporter.add(phrase, value);
    return exporter.take_text();
  }));
}

Items select_options(TableFilter& selector, const Items& items) {
  const std::vector<Item> held = views(items);
  std::string values;
  std::vector<std::size_t> ends;
  released([&] {
    for (const auto& [key, value] : held) {
      selector.rewrite(value, values);
      ends.push_back(values.size());
    }
  });
  Items selected;
  for (std::size_t i = 0, begin = 0; i < ends.size(); begin = ends[i++])
    if (ends[i] > begin)
      selected.emplace_back(items[i].first, to_bytes(std::string_view(values).substr(begin, ends[i] - begin)));
  return selected;
}

void bind_moses(nb::module_& m) {
  nb::class_<MosesLayout>(m, "MosesLayout", "What all lines of a Moses text table have in common.")
      .def(
          "__init__",
          [](MosesLayout* self, std::uint32_t fields, std::uint32_t scores) { new (self) MosesLayout{fields, scores}; },
          nb::kw_only(), "fields"_a, "scores"_a = 4)
      .def_ro("fields", &MosesLayout::fields, "Between `|||`, 3 to 5: without links and counts, without counts, with both.")
      .def_ro("scores", &MosesLayout::scores);

  nb::class_<MosesImporter>(m, "MosesImporter", "Takes lines of a Moses text table, in any order, and sorts them.")
      .def(nb::init<std::uint32_t>(), nb::kw_only(), "scores"_a = 0, "scores: their number in each line; 0: as on line 1.")
      .def(
          "parse",
          [](MosesImporter& self, const nb::bytes& lines) { released([&, bytes = view(lines)] { self.parse(bytes); }); },
          "lines"_a, "Take whole lines; InputError, `LINE: …`, for a line that can't be one.")
      .def(
          "parse_reordering",
          [](MosesImporter& self, const nb::bytes& lines) { released([&, bytes = view(lines)] { self.parse_reordering(bytes); }); },
          "lines"_a, "Take whole lines of a reordering table, after all those of the phrase table.")
      .def_prop_ro("held", &MosesImporter::held, "Bytes in use for what was collected since the last run.")
      .def("sort_run", &MosesImporter::sort_run, nb::call_guard<nb::gil_scoped_release>(),
           "End the collection of a run and sort it.")
      .def(
          "next_block",
          [](MosesImporter& self, std::size_t size) { return to_bytes(released([&] { return self.next_block(size); })); },
          "size"_a, "About `size` bytes of the sorted run; none after the last, and then the next run may begin.")
      .def_prop_ro("lines", &MosesImporter::lines)
      .def_prop_ro("max_length", &MosesImporter::max_length, "Words of the longest phrase on either side.")
      .def_prop_ro("layout", &MosesImporter::layout);

  nb::class_<HeldRunMerger>(m, "RunMerger", "Merges the runs of an importer into the values of a table.")
      .def(nb::init<const MosesImporter&, const std::vector<nb::object>&>(), "importer"_a, "runs"_a,
           nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, importer: MosesImporter, runs: Sequence[bytes | memoryview]) -> None"))
      .def("next_batch", &next_batch<HeldRunMerger>,
           "The next batch, or None after the last; InputError, `LINE: …`, for a phrase pair that comes twice.")
      .def("target_words", [](const HeldRunMerger& self) { return self.merger.words(); },
           "The target words in the order of their numbers.");

  nb::class_<MosesExporter>(m, "MosesExporter", "Writes a table as Moses text.")
      .def(nb::init<const Vocabulary&, MosesLayout>(), "target_vocabulary"_a, "layout"_a, nb::keep_alive<1, 2>())
      .def_static("of_reordering", &MosesExporter::of_reordering, "target_vocabulary"_a, nb::keep_alive<0, 1>(),
                  "One that writes the scores of the reordering model.")
      .def("add", &export_items, "items"_a,
           "The lines of (phrase, value) each.")
      .def_prop_ro("pairs", &MosesExporter::pairs, "Lines written.")
      .def_prop_ro("left_out", &MosesExporter::left_out, "Phrase pairs that contain `|||`, which no line can hold.");
}

void bind_selection(nb::module_& m) {
  nb::class_<SelectionTally>(m, "SelectionTally", "Phrase pairs seen, and gone by each criterion.")
      .def_ro("pairs", &SelectionTally::pairs)
      .def_ro("min_probability", &SelectionTally::min_probability)
      .def_ro("min_count", &SelectionTally::min_count)
      .def_ro("limit", &SelectionTally::limit);

  nb::class_<TableFilter>(m, "TableFilter", "Selects options of a table in two passes: `count` all, then `select` all.")
      .def(
          "__init__",
          [](TableFilter* self, const Vocabulary& vocabulary, double min_probability, std::uint32_t min_count,
             std::size_t limit, std::optional<std::vector<double>> weights) {
            new (self) TableFilter(vocabulary, {min_probability, min_count, limit, std::move(weights)});
          },
          "target_vocabulary"_a, nb::kw_only(), "min_probability"_a = 0.0, "min_count"_a = 0, "limit"_a = 0,
          "weights"_a = nb::none(), nb::keep_alive<1, 2>(),
          "weights: of ln p(f|e), ln p(e|f), ln lex(f|e), ln lex(e|f) and further scores, for the limit; without, p(e|f)\nranks.")
      .def(
          "count",
          [](TableFilter& self, const Items& items) {
            const std::vector<Item> held = views(items);
            nb::gil_scoped_release release;
            for (const auto& item : held) self.count(item.second);
          },
          "items"_a, "First pass over (key, value).")
      .def("words", &TableFilter::words, "The words that remain by their new numbers; ends the first pass.")
      .def("select", &select_options, "items"_a, "Second pass: (key, value) of what remains.")
      .def_prop_ro("tally", &TableFilter::tally);
}

void bind_statistics(nb::module_& m) {
  nb::class_<TableStatistics>(m, "TableStatistics", "Counts over the values of a table.")
      .def(nb::init<>())
      .def(
          "add",
          [](TableStatistics& self, const Items& items) {
            const std::vector<Item> held = views(items);
            nb::gil_scoped_release release;
            for (const auto& [phrase, value] : held)
              self.add(1 + static_cast<std::size_t>(std::count(phrase.begin(), phrase.end(), ' ')), value);
          },
          "items"_a, "Take (phrase, value).")
      .def_ro("source_phrases", &TableStatistics::source_phrases)
      .def_ro("pairs", &TableStatistics::pairs)
      .def_ro("links", &TableStatistics::links)
      .def_ro("source_lengths", &TableStatistics::source_lengths, "Of source phrases, in words.")
      .def_ro("target_lengths", &TableStatistics::target_lengths, "Of the pairs' target phrases, in words.")
      .def_ro("options", &TableStatistics::options, "Number of options of source phrases.")
      .def_ro("counts", &TableStatistics::counts, "Of pairs.")
      .def_ro("probabilities", &TableStatistics::probabilities,
              "Of each score: how many are 1, from 0.1 to below 1, from 0.01 to below 0.1, …, less than 1e-10.")
      .def_ro("entropy", &TableStatistics::entropy, "Sum over source phrases, in bits.")
      .def_ro("weighted_entropy", &TableStatistics::weighted_entropy, "The same weighted by their counts.")
      .def_ro("weight", &TableStatistics::weight, "The sum of these weights.");
}

}  // namespace

void bind_phrase_table_tools(nb::module_& m) {
  bind_moses(m);
  bind_selection(m);
  bind_statistics(m);
}

}  // namespace widl
