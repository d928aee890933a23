#include "expression/vocabulary.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings.hpp"

namespace widl {

void bind_vocabulary(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Vocabulary>(m, "Vocabulary",
                         "Maps words to numbers, from 0, and back. Words may be added while other threads search.")
      .def(
          "__init__",
          [](Vocabulary* self, const std::vector<std::string>& words) {
            new (self) Vocabulary();
            for (const std::string& word : words) self->intern(word);
          },
          "words"_a = std::vector<std::string>())
      .def("intern", &Vocabulary::intern, "word"_a, "The word's number; a new word gets the next one.")
      .def("find", &Vocabulary::find, "word"_a, "The word's number, or None.")
      .def(
          "word",
          [](const Vocabulary& self, WordId id) {
            if (id >= self.size()) throw nb::index_error("no word has this number");
            return self.word(id);
          },
          "id"_a)
      .def("__len__", &Vocabulary::size);
}

}  // namespace widl
