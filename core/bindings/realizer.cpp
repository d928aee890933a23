#include "search/realizer.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>

#include "bindings.hpp"
#include "errors.hpp"
#include "parallel.hpp"

namespace widl {
namespace {

/// A Realization together with what its words mean; the tiles need not outlive it.
struct Result {
  Realization found;
  std::vector<std::string> words;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> phrases;
};

/// The models of a realizer and the batch loop over sentences.
class Realizer {
 public:
  Realizer(const Vocabulary& vocabulary, const std::vector<const LanguageModel*>& models)
      : models_(vocabulary, models) {}

  std::vector<Result> realize(const std::vector<const Tiles*>& batch, const Weights& weights,
                              const SearchOptions& options, unsigned threads) {
    models_.refresh();
    for (const Tiles* tiles : batch)
      if (&tiles->vocabulary() != &models_.vocabulary())
        throw InputError("the tiles were made with another vocabulary than the realizer's");
    std::vector<Result> results(batch.size());
    nb::gil_scoped_release release;
    parallel_for(batch.size(), threads, [&](std::size_t i) { results[i] = realize_one(*batch[i], weights, options); });
    return results;
  }

  std::vector<std::tuple<double, double, double, double>> bounds_along(
      const Tiles& tiles, const Weights& weights, const SearchOptions& options,
      const std::vector<std::uint32_t>& alternatives) {
    models_.refresh();
    std::vector<std::tuple<double, double, double, double>> rows;
    for (const PathBound& p : widl::bounds_along(tiles, models_, weights, options, alternatives))
      rows.emplace_back(p.score, p.estimate, p.gaps, p.solved);
    return rows;
  }

 private:
  Result realize_one(const Tiles& tiles, const Weights& weights, const SearchOptions& options) const {
    Result result{widl::realize(tiles, models_, weights, options), {}, {}};
    for (WordId word : result.found.words) result.words.emplace_back(tiles.text(word));
    for (const RealizedPhrase& phrase : result.found.derivation) {
      const Tiles::Alternative& a = tiles.alternatives()[phrase.alternative];
      result.phrases.emplace_back(a.begin, a.end, a.word_count, phrase.alternative);
    }
    return result;
  }

  ScoringModels models_;
};

}  // namespace

void bind_realizer(nb::module_& m) {
  using namespace nb::literals;
  nb::enum_<Algorithm>(m, "Algorithm")
      .value("astar", Algorithm::astar)
      .value("astar_k", Algorithm::astar_k);

  nb::class_<Weights>(m, "WeightVector", "λ of the log-linear model; see widl.decoder.Weights.")
      .def(nb::init<std::vector<double>, std::vector<double>, double, double, double, double>(), nb::kw_only(),
           "widl"_a, "language_models"_a, "word_count"_a, "phrase_count"_a, "distortion"_a, "unknown"_a);

  nb::class_<SearchOptions>(m, "SearchOptions", "How to search; see the fields.")
      .def(
          "__init__",
          [](SearchOptions* self, Algorithm algorithm, std::uint32_t lookback, std::int64_t distortion_limit,
             std::uint32_t alternatives_per_span, std::size_t max_states, double max_seconds) {
            if (distortion_limit < -1 || distortion_limit > INT32_MAX)
              throw InputError("the distortion limit must be a small whole number, or -1 for none");
            if (!(max_seconds >= 0)) throw InputError("max_seconds can't be negative");
            new (self) SearchOptions{
                algorithm, lookback,
                distortion_limit < 0 ? SearchOptions::kNoLimit : static_cast<std::uint32_t>(distortion_limit),
                alternatives_per_span, max_states, max_seconds};
          },
          nb::kw_only(), "algorithm"_a = Algorithm::astar_k, "lookback"_a = 2, "distortion_limit"_a = -1,
          "alternatives_per_span"_a = 0, "max_states"_a = 0, "max_seconds"_a = 0.0)
      .def_ro("algorithm", &SearchOptions::algorithm)
      .def_ro("lookback", &SearchOptions::lookback,
              "A*_k unfolds states at most this many words shorter than the longest.")
      .def_ro("max_states", &SearchOptions::max_states, "0: no limit")
      .def_ro("max_seconds", &SearchOptions::max_seconds, "0: no limit");

  nb::class_<SearchStatistics>(m, "SearchStatistics")
      .def_ro("states", &SearchStatistics::states, "states made")
      .def_ro("unfolded", &SearchStatistics::unfolded, "states whose successors were made")
      .def_ro("edges", &SearchStatistics::edges, "edges followed")
      .def_ro("peak_queue", &SearchStatistics::peak_queue)
      .def_ro("seconds", &SearchStatistics::seconds);

  nb::class_<Result>(m, "Realization", "The best derivation found, and what is known of the others.")
      .def_ro("words", &Result::words)
      .def_ro("phrases", &Result::phrases,
              "(begin, end, number of words, number of the alternative) of each phrase, in the order realized.")
      .def_prop_ro("score", [](const Result& r) { return r.found.score; }, "Σ λ h, natural logs.")
      .def_prop_ro("bound", [](const Result& r) { return r.found.bound; }, "No derivation scores more than this.")
      .def_prop_ro("optimal", [](const Result& r) { return r.found.optimal; }, "score reaches bound, up to 1e-6.")
      .def_prop_ro("stopped", [](const Result& r) { return r.found.stopped; }, "The budget that ran out, or ''.")
      .def_prop_ro("features", [](const Result& r) { return r.found.features; }, "h, in the order of the weights.")
      .def_prop_ro("statistics", [](const Result& r) { return r.found.statistics; });

  nb::class_<Realizer>(m, "Realizer", "Language models over one vocabulary, ready to realize tiles.")
      .def(nb::init<const Vocabulary&, const std::vector<const LanguageModel*>&>(), "vocabulary"_a,
           "language_models"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("realize", &Realizer::realize, "tiles"_a, "weights"_a, "options"_a, nb::kw_only(), "threads"_a = 1,
           "The best derivation of each of the tiles, on threads, in order.")
      .def("bounds_along", &Realizer::bounds_along, "tiles"_a, "weights"_a, "options"_a, "alternatives"_a,
           "(score so far, estimate, bound from gaps, bound with coverages solved) before each phrase of a\n"
           "derivation, given as numbers of alternatives, and after the last.");
}

}  // namespace widl
