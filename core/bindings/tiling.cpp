#include "phrase_table/tiling.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "errors.hpp"
#include "phrase_table/moses_text.hpp"

namespace widl {
namespace {

/// The bytes of a Python object, as long as this lives.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept : view_(other.view_) { other.view_.obj = nullptr; }
  ~Buffer() {
    if (view_.obj) PyBuffer_Release(&view_);
  }
  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_;
};

/// (begin, end, value, marks)
using Looked = std::tuple<std::uint32_t, std::uint32_t, nb::object, std::vector<float>>;
/// (vocabulary, components, beam probability, spans)
using Table = std::tuple<const Vocabulary*, std::size_t, double, std::vector<Looked>>;
/// (begin, end, words, probability, exclusive, copied, marks)
using Given =
    std::tuple<std::uint32_t, std::uint32_t, std::vector<std::string_view>, double, bool, bool, std::vector<float>>;

constexpr std::size_t kMaxMarks = 100;

void require_inside(std::uint32_t begin, std::uint32_t end, std::size_t length) {
  if (begin >= end || end > length) throw InputError("a span lies outside of the sentence");
}

Tiles tile(const Vocabulary& vocabulary, const std::vector<std::string_view>& source,
           const std::vector<Looked>& spans, double beam_probability, const std::vector<Given>& given,
           std::vector<Reordering::Range> zones, const std::vector<std::uint32_t>& walls, std::size_t marks,
           std::string_view reordering, std::size_t components, const std::vector<Table>& further) {
  if (marks > kMaxMarks) throw InputError("there are at most " + std::to_string(kMaxMarks) + " marks");
  std::vector<Buffer> buffers;
  std::vector<TableSpans> tables;
  const auto add_table = [&](const Vocabulary& words, std::size_t scores, double beam, const std::vector<Looked>& looked) {
    if (!(beam >= 0 && beam <= 1)) throw InputError("the probabilistic beam must be between 0 and 1");
    if (scores == 0 || scores > kMaxScores) throw InputError("a table has 1 to 100 scores");
    TableSpans& table = tables.emplace_back(TableSpans{&words, scores, beam, {}});
    for (const auto& [begin, end, value, values] : looked) {
      require_inside(begin, end, source.size());
      table.spans.push_back({begin, end, buffers.emplace_back(value).bytes(), values});
    }
  };
  add_table(vocabulary, components, beam_probability, spans);
  for (const auto& [words, scores, beam, looked] : further) add_table(*words, scores, beam, looked);
  std::vector<GivenSpan> made;
  for (const auto& [begin, end, words, probability, exclusive, copied, values] : given) {
    require_inside(begin, end, source.size());
    if (words.empty()) throw InputError("a translation that is given has no words");
    if (!(probability > 0 && std::isfinite(probability)))
      throw InputError("the probability of a given translation must be a number above 0");
    made.push_back({begin, end, words, static_cast<float>(std::log(probability)), exclusive, copied, values});
  }
  Tiles tiles = tile_sentence(tables, source, made, marks, OrientationModel::named(reordering));
  tiles.restrict_order(std::move(zones), walls);
  return tiles;
}

}  // namespace

void bind_tiling(nb::module_& m) {
  using namespace nb::literals;
  m.def("tile_sentence", &tile, "vocabulary"_a, "source"_a, "spans"_a, nb::kw_only(), "beam_probability"_a,
        "given"_a = std::vector<Given>(), "zones"_a = std::vector<Reordering::Range>(),
        "walls"_a = std::vector<std::uint32_t>(), "marks"_a = 0, "reordering"_a = "", "components"_a = 4,
        "further"_a = std::vector<Table>(), nb::keep_alive<0, 1>(),
        "The tiles of a source sentence, from spans (begin, end, value in a phrase table, marks), translations that are\n"
        "given, (begin, end, words, probability, exclusive, copied, marks), zones (begin, end), and positions with a\n"
        "wall in front of them. There are `marks` scores after the table's `components`; those that a span leaves out\n"
        "are 0. reordering: the model that the table's values have scores of; without it they are not used. further: other\n"
        "tables (vocabulary, components, beam probability, spans), whose scores stand between.");
}

}  // namespace widl
