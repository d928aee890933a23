#include "search/lattice.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"
#include "mert/lattice_envelope.hpp"
#include "parallel.hpp"

namespace widl {
namespace {

using LatticePtr = std::shared_ptr<Lattice>;
/// From, to, source positions [begin, end), alternative, words.
using ArcTuple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Lattice::Phrase>;
using Path = LatticeSet::Path;
using PathTuple = std::pair<Lattice::Phrase, std::vector<double>>;

LatticePtr made_of(const std::vector<ArcTuple>& tuples, const Matrix& features) {
  check_length(features.shape(0), tuples.size(), "rows of features");
  std::vector<Lattice::Arc> arcs;
  std::vector<Lattice::Phrase> phrases;
  std::map<Lattice::Phrase, std::uint32_t> numbers;
  for (const auto& [from, to, begin, end, alternative, words] : tuples) {
    const auto [entry, added] = numbers.try_emplace(words, static_cast<std::uint32_t>(phrases.size()));
    if (added) phrases.push_back(words);
    arcs.push_back({from, to, begin, end, alternative, entry->second});
  }
  return std::make_shared<Lattice>(std::move(arcs), std::move(phrases),
                                   std::vector<double>(features.data(), features.data() + features.size()));
}

/// One or more scores.
using Scores = std::variant<double, std::vector<double>>;
using AcceptorArcTuple = std::tuple<std::uint32_t, std::uint32_t, std::string, Scores>;

std::vector<double> listed(const Scores& scores) {
  if (const auto* score = std::get_if<double>(&scores)) return {*score};
  return std::get<std::vector<double>>(scores);
}

LatticePtr of_acceptor(const std::vector<AcceptorArcTuple>& tuples, const std::map<std::uint32_t, Scores>& finals,
                       std::uint32_t start) {
  std::vector<std::pair<std::uint32_t, std::vector<double>>> ends;
  for (const auto& [state, scores] : finals) ends.emplace_back(state, listed(scores));
  std::vector<Lattice::Arc> arcs;
  std::vector<Lattice::Phrase> phrases;
  std::vector<double> features;
  std::map<std::string_view, std::uint32_t> numbers;
  const std::size_t width = !tuples.empty() ? listed(std::get<3>(tuples.front())).size()
                            : ends.empty()  ? 0
                                            : ends.front().second.size();
  const auto require_width = [width](std::size_t columns) {
    if (columns != width || width == 0)
      throw InputError("arcs and final states have " + std::to_string(width) + " scores each, one or more; found " +
                       std::to_string(columns));
  };
  for (const auto& [from, to, words, scores] : tuples) {
    const auto [entry, added] = numbers.try_emplace(words, static_cast<std::uint32_t>(phrases.size()));
    if (added) {
      std::istringstream text(words);
      phrases.emplace_back(std::istream_iterator<std::string>(text), std::istream_iterator<std::string>());
    }
    const std::vector<double> row = listed(scores);
    require_width(row.size());
    features.insert(features.end(), row.begin(), row.end());
    arcs.push_back({from, to, 0, 0, 0, entry->second});
  }
  for (const auto& [state, row] : ends) require_width(row.size());
  return std::make_shared<Lattice>(
      Lattice::of_acceptor(start, std::move(arcs), std::move(phrases), std::move(features), ends));
}

std::vector<ArcTuple> arc_tuples(const Lattice& lattice) {
  std::vector<ArcTuple> all;
  for (const Lattice::Arc& arc : lattice.arcs())
    all.emplace_back(arc.from, arc.to, arc.begin, arc.end, arc.alternative, lattice.words(arc));
  return all;
}

/// For pickling: arcs as bytes, each phrase once, features. Several times faster than tuples with lists of words.
nb::tuple packed(const Lattice& lattice) {
  const std::vector<Lattice::Arc>& arcs = lattice.arcs();
  return nb::make_tuple(nb::bytes(arcs.data(), arcs.size() * sizeof(Lattice::Arc)), lattice.phrases(),
                        numpy_array<2>(lattice.features(), {arcs.size(), lattice.width()}));
}

LatticePtr unpacked(const nb::bytes& bytes, std::vector<Lattice::Phrase> phrases, const Matrix& features) {
  static_assert(std::is_trivially_copyable_v<Lattice::Arc>);
  if (bytes.size() != features.shape(0) * sizeof(Lattice::Arc))
    throw InputError("arcs of a lattice: " + std::to_string(bytes.size()) + " bytes for " +
                     std::to_string(features.shape(0)));
  std::vector<Lattice::Arc> arcs(features.shape(0));
  if (!arcs.empty()) std::memcpy(arcs.data(), bytes.data(), bytes.size());
  for (const Lattice::Arc& arc : arcs)
    if (arc.phrase >= phrases.size()) throw InputError("an arc of a lattice has no phrase");
  return std::make_shared<Lattice>(std::move(arcs), std::move(phrases),
                                   std::vector<double>(features.data(), features.data() + features.size()));
}

LatticePtr joined(const PySequenceRef<Lattice>::Sequence& given, const std::vector<std::uint32_t>& starts) {
  const PySequenceRef<Lattice> lattices(given);
  check_length(starts.size(), lattices.size(), "starts");
  if (starts.empty()) throw InputError("no lattices to join");
  return std::make_shared<Lattice>(Lattice::joined(lattices.pointers(), starts));
}

void check_path(const Lattice& lattice, const Path& path) {
  std::uint32_t node = 0;
  for (std::uint32_t arc : path) {
    if (arc >= lattice.arcs().size() || lattice.arcs()[arc].from != node)
      throw InputError("arc " + std::to_string(arc) + " does not follow the one before it");
    node = lattice.arcs()[arc].to;
  }
}

std::vector<std::tuple<double, double, double, Path>> envelope_of(const Lattice& lattice, const Vector& weights,
                                                                  const Vector& direction, double lowest,
                                                                  double highest) {
  check_length(weights.size(), lattice.width(), "weights");
  check_length(direction.size(), lattice.width(), "direction");
  if (lattice.arcs().empty()) throw InputError("the lattice is empty");
  std::vector<double> slopes, intercepts;
  lattice.dot(view(direction), slopes);
  lattice.dot(view(weights), intercepts);
  std::vector<std::tuple<double, double, double, Path>> lines;
  LatticeEnvelope envelope;
  for (const LatticeEnvelope::Line& line : envelope.find(lattice, slopes, intercepts, lowest, highest))
    lines.emplace_back(line.from, line.slope, line.intercept, envelope.path(line));
  return lines;
}

std::vector<std::vector<PathTuple>> take(LatticeSet& set, const Vector& weights, const Matrix& directions,
                                         const Vector& lower, const Vector& upper, double reach, unsigned threads) {
  const std::size_t width = set.features();
  check_length(weights.size(), width, "weights");
  check_length(directions.shape(1), width, "directions");
  check_length(lower.size(), width, "lower bounds");
  check_length(upper.size(), width, "upper bounds");
  std::vector<std::vector<double>> ways;
  for (std::size_t d = 0; d < directions.shape(0); ++d)
    ways.emplace_back(directions.data() + d * width, directions.data() + (d + 1) * width);
  std::vector<std::vector<PathTuple>> result(set.size());
  nb::gil_scoped_release released;
  const auto best_path = set.take(view(weights), ways, view(lower), view(upper), reach, threads);
  for (std::size_t s = 0; s < best_path.size(); ++s)
    for (const Path& path : best_path[s]) result[s].emplace_back(set[s].words_of(path), set[s].features_of(path));
  return result;
}

std::vector<PathTuple> best(const LatticeSet& set, const Vector& weights, unsigned threads) {
  check_length(weights.size(), set.features(), "weights");
  std::vector<PathTuple> result;
  nb::gil_scoped_release released;
  const auto paths = set.best(view(weights), threads);
  for (std::size_t s = 0; s < paths.size(); ++s)
    result.emplace_back(set[s].words_of(paths[s]), set[s].features_of(paths[s]));
  return result;
}

}  // namespace

void bind_lattice(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Lattice>(
      m, "Lattice",
      "Derivations as paths of an acyclic graph, from node 0 to the last node. A derivation's features are\n"
      "the sums of its arcs' features.")
      .def(
          nb::new_(&made_of), "arcs"_a, "features"_a,
          "Makes a lattice from arcs (from, to, begin, end, alternative, words), sorted by `to`, then `from`, and a row of\n"
          "features for each arc. Raises InputError for arcs that are on no path from the first to the last node.")
      .def(nb::new_(&unpacked), "arcs"_a, "phrases"_a, "features"_a, "Restores a pickled lattice.")
      .def(
          "__reduce__",
          [](nb::handle self) { return nb::make_tuple(self.type(), packed(nb::cast<const Lattice&>(self))); },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"))
      .def_prop_ro("nodes", &Lattice::nodes)
      .def_prop_ro("width", &Lattice::width, "Number of features per arc.")
      .def_prop_ro("arcs", &arc_tuples,
                   "(from, to, begin, end, alternative, words): source positions [begin, end) of the phrase, and its\n"
                   "number among the tiles' alternatives. Arcs lead to larger node numbers and are sorted by `to`.")
      .def_prop_ro(
          "features",
          [](const Lattice& self) {
            return numpy_array<2>(self.features(), {self.arcs().size(), self.width()});
          },
          nb::rv_policy::move, "h of each arc, shape (arcs, features).")
      .def(
          "selected",
          [](const Lattice& self, const std::vector<std::size_t>& columns) {
            return std::make_shared<Lattice>(self.selected(columns));
          },
          "columns"_a, "The same derivations with only these features.")
      .def_static(
          "from_arcs", &of_acceptor, "arcs"_a, "finals"_a, nb::kw_only(), "start"_a = 0,
          "The lattice of an acyclic acceptor: arcs (from, to, words, score) between states of any numbers, with\n"
          "words as text ('' for none) and a score, ln p, or a list of scores; finals: the final states with the scores of\n"
          "ending there. Omits states that are on no path. Raises InputError for a cycle, or if there is no path.")
      .def_static(
          "joined", &joined, "lattices"_a, "starts"_a,
          "Concatenates lattices: a derivation of each, one after another. Their source positions count from `starts`.")
      .def(
          "words_of",
          [](const Lattice& self, const Path& path) {
            check_path(self, path);
            return self.words_of(path);
          },
          "path"_a, "The words of a path, which is a list of arc numbers.")
      .def(
          "features_of",
          [](const Lattice& self, const Path& path) {
            check_path(self, path);
            return self.features_of(path);
          },
          "path"_a, "The summed features of a path, which is a list of arc numbers.")
      .def(
          "envelope", &envelope_of, "weights"_a, "direction"_a, nb::kw_only(), "lowest"_a = -kInfinity,
          "highest"_a = kInfinity,
          "The paths that are best somewhere on the line weights + γ · direction, from left to right: (lowest γ, slope,\n"
          "intercept, arcs) (Macherey et al. 2008).");

  nb::class_<LatticeSet>(m, "LatticeSet", "Lattices of all sentences, for tuning.")
      .def(
          "__init__",
          [](LatticeSet* self, const PySequenceRef<Lattice>::Sequence& given) {
            const PySequenceRef<Lattice> lattices(given);
            std::vector<std::shared_ptr<const Lattice>> owned;
            for (nb::handle lattice : lattices.objects()) owned.push_back(nb::cast<LatticePtr>(lattice));
            new (self) LatticeSet(std::move(owned));
          },
          "lattices"_a)
      .def("__len__", &LatticeSet::size)
      .def(
          "take", &take, "weights"_a, "directions"_a, nb::kw_only(), "lower"_a, "upper"_a, "reach"_a = kInfinity,
          "threads"_a = 1,
          "For each sentence, (words, features) of the paths that are best somewhere on one of the lines from the weights,\n"
          "between the bounds and within reach. Omits paths that an earlier call returned.")
      .def("best", &best, "weights"_a, nb::kw_only(), "threads"_a = 1,
           "For each sentence, (words, features) of the best path.");
}

}  // namespace widl
