#include "phrase_table/tiling.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "errors.hpp"

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

Tiles tile(const Vocabulary& vocabulary, const std::vector<std::string_view>& source,
           const std::vector<std::tuple<std::uint32_t, std::uint32_t, nb::object>>& spans, double beam_probability) {
  if (!(beam_probability >= 0 && beam_probability <= 1))
    throw InputError("the probabilistic beam must be between 0 and 1");
  std::vector<Buffer> buffers;
  std::vector<TableSpan> values;
  for (const auto& [begin, end, value] : spans) {
    if (begin >= end || end > source.size()) throw InputError("a span lies outside of the sentence");
    values.push_back({begin, end, buffers.emplace_back(value).bytes()});
  }
  return tile_sentence(vocabulary, source, values, beam_probability);
}

}  // namespace

void bind_tiling(nb::module_& m) {
  using namespace nb::literals;
  m.def("tile_sentence", &tile, "vocabulary"_a, "source"_a, "spans"_a, nb::kw_only(), "beam_probability"_a,
        nb::keep_alive<0, 1>(),
        "The tiles of a source sentence, from spans (begin, end, value in a phrase table).");
}

}  // namespace widl
