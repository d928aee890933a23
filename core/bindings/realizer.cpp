#include "search/realizer.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>

#include "bindings.hpp"
#include "errors.hpp"
#include "held.hpp"
#include "parallel.hpp"

namespace widl {
namespace {

using Rows = std::vector<std::tuple<double, double, double, double, double>>;

/// The models of a realizer and the batch loop over sentences.
class Realizer {
 public:
  Realizer(const Vocabulary& vocabulary, const Held<LanguageModel>::Sequence& models)
      : held_(models), models_(vocabulary, held_.pointers()) {}

  std::vector<Realization> realize(const Held<Tiles>::Sequence& tiles, const Weights& weights,
                                   const SearchOptions& options, unsigned threads, const Grammar* grammar) {
    const Held<Tiles> batch(tiles);
    for (const Tiles* one : batch) require_own(one->vocabulary(), "tiles");
    return realize_all(batch, weights, options, threads, grammar);
  }

  std::vector<Realization> realize_expressions(const Held<Expression>::Sequence& expressions, const Weights& weights,
                                               const SearchOptions& options, unsigned threads, const Grammar* grammar) {
    return realize_all(Held<Expression>(expressions), weights, options, threads, grammar);
  }

  std::vector<Realization> realize_packings(const Held<Packing>::Sequence& packings, const Weights& weights,
                                            const SearchOptions& options, unsigned threads, const Grammar* grammar) {
    const Held<Packing> batch(packings);
    for (const Packing* one : batch) require_own(one->sentence_words().vocabulary(), "packings");
    return realize_all(batch, weights, options, threads, grammar);
  }

  Rows bounds_along(const Tiles& tiles, const Weights& weights, const SearchOptions& options,
                    const std::vector<std::uint32_t>& alternatives) {
    require_own(tiles.vocabulary(), "tiles");
    models_.refresh();
    return rows(widl::bounds_along(tiles, models_, weights, options, alternatives));
  }

  Rows bounds_along_edges(const Expression& expression, const Weights& weights,
                          const std::vector<std::uint32_t>& edges) {
    models_.refresh();
    return rows(widl::bounds_along(expression, models_, weights, edges));
  }

 private:
  void require_own(const Vocabulary& vocabulary, const char* what) const {
    if (&vocabulary != &models_.vocabulary())
      throw InputError(std::string("the ") + what + " were made with another vocabulary than the realizer's");
  }

  template <class Space>
  std::vector<Realization> realize_all(const Held<Space>& batch, const Weights& weights, const SearchOptions& options,
                                       unsigned threads, const Grammar* grammar) {
    models_.refresh();
    std::vector<Realization> results(batch.size());
    nb::gil_scoped_release release;
    parallel_for(batch.size(), threads, [&](std::size_t i) {
      Budget budget(limits_of(options));
      results[i] = widl::realize(batch[i], models_, weights, options, budget, grammar);
    });
    return results;
  }

  static Rows rows(const std::vector<PathBound>& path) {
    Rows all;
    for (const PathBound& p : path) all.emplace_back(p.score, p.estimate, p.fixed, p.tighter, p.tightest);
    return all;
  }

  Held<LanguageModel> held_;
  ScoringModels models_;
};

std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> phrases(
    const Derivation& derivation) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> all;
  for (const RealizedPhrase& p : derivation.phrases) all.emplace_back(p.begin, p.end, p.word_count, p.alternative);
  return all;
}

std::uint32_t limit_of(std::int64_t distortion_limit) {
  if (distortion_limit < -1 || distortion_limit > INT32_MAX)
    throw InputError("the distortion limit must be a small whole number, or -1 for none");
  return distortion_limit < 0 ? SearchOptions::kNoLimit : static_cast<std::uint32_t>(distortion_limit);
}

}  // namespace

void bind_realizer(nb::module_& m) {
  using namespace nb::literals;
  nb::enum_<Algorithm>(m, "Algorithm", "The searches; docs/expressions.md and docs/translation.md describe them.")
      .value("bfs", Algorithm::bfs)
      .value("astar", Algorithm::astar)
      .value("astar_k", Algorithm::astar_k)
      .value("beam", Algorithm::beam)
      .value("stack", Algorithm::stack)
      .value("cube", Algorithm::cube);
  nb::enum_<Bound>(m, "Bound", "What A* knows of an expression's words to come.")
      .value("static", Bound::fixed, "each word in its best context of all")
      .value("context", Bound::context, "each word in its best context among those still available")
      .value("lagrangian", Bound::lagrangian, "bags: all orders of as many words, a multiplier for each word");

  nb::class_<Weights>(m, "WeightVector", "λ of the log-linear model; widl.decoder.FeatureLayout makes one of named weights.")
      .def(nb::init<std::vector<double>, std::vector<double>, double, double, double, double>(), nb::kw_only(),
           "widl"_a, "language_models"_a, "word_count"_a, "phrase_count"_a, "distortion"_a, "unknown"_a);

  nb::class_<SearchOptions>(m, "SearchOptions", "How to search; see the fields.")
      .def(
          "__init__",
          [](SearchOptions* self, Algorithm algorithm, std::uint32_t lookback, double beam, std::size_t beam_size,
             std::size_t pop_limit, double margin, bool estimate_movement, Bound bound, std::size_t nbest, bool distinct,
             std::uint32_t max_words, std::uint32_t max_bytes, std::int64_t distortion_limit, std::uint32_t alternatives_per_span, std::size_t max_states,
             double max_seconds, std::size_t max_memory, std::size_t trace, bool lattice, double lattice_beam,
             std::size_t lattice_arcs, std::size_t max_readings) {
            if (!(max_seconds >= 0)) throw InputError("max_seconds can't be negative");
            SearchOptions options{.algorithm = algorithm, .lookback = lookback, .margin = margin, .beam = beam, .beam_size = beam_size, .pop_limit = pop_limit,
                                  .estimate_movement = estimate_movement, .bound = bound, .nbest = nbest, .distinct = distinct, .max_words = max_words,
                                  .max_bytes = max_bytes, .distortion_limit = limit_of(distortion_limit),
                                  .alternatives_per_span = alternatives_per_span, .max_states = max_states,
                                  .max_seconds = max_seconds, .max_memory = max_memory, .max_readings = max_readings, .trace = trace,
                                  .lattice = lattice, .lattice_beam = lattice_beam, .lattice_arcs = lattice_arcs};
            validate_options(options);
            new (self) SearchOptions(options);
          },
          nb::kw_only(), "algorithm"_a = Algorithm::astar_k, "lookback"_a = 2, "beam"_a = 0.1, "beam_size"_a = 0,
          "pop_limit"_a = 0, "margin"_a = 0.0, "estimate_movement"_a = true, "bound"_a = Bound::lagrangian, "nbest"_a = 1, "distinct"_a = false, "max_words"_a = 0, "max_bytes"_a = 0,
          "distortion_limit"_a = -1, "alternatives_per_span"_a = 0, "max_states"_a = 0, "max_seconds"_a = 0.0,
          "max_memory"_a = 0, "trace"_a = 0, "lattice"_a = false,
          "lattice_beam"_a = std::numeric_limits<double>::infinity(), "lattice_arcs"_a = 0, "max_readings"_a = 0)
      .def_ro("algorithm", &SearchOptions::algorithm)
      .def_ro("lookback", &SearchOptions::lookback,
              "A*_k unfolds states at most this many words shorter than the longest.")
      .def_ro("margin", &SearchOptions::margin,
              "A*_k goes on after its first derivation while a state promises at least that score less so many nats.")
      .def_ro("beam", &SearchOptions::beam, "Beam: states need this share of the best probability of their length.")
      .def_ro("beam_size", &SearchOptions::beam_size, "Beam: only so many states of a length; 0: all.")
      .def_ro("bound", &SearchOptions::bound)
      .def_ro("pop_limit", &SearchOptions::pop_limit, "Cube: only so many states of a layer are made; 0: all.")
      .def_ro("estimate_movement", &SearchOptions::estimate_movement,
              "Tiles: whether estimates count the movement that is left at least; Pharaoh's future cost does not.")
      .def_ro("nbest", &SearchOptions::nbest)
      .def_ro("distinct", &SearchOptions::distinct, "Of equal strings only the best derivation.")
      .def_ro("max_words", &SearchOptions::max_words, "Hard limit on the output's words; 0: none")
      .def_ro("max_bytes", &SearchOptions::max_bytes, "Hard limit on the output's bytes of UTF-8; 0: none")
      .def_ro("max_states", &SearchOptions::max_states, "0: no limit")
      .def_ro("max_seconds", &SearchOptions::max_seconds, "0: no limit")
      .def_ro("max_memory", &SearchOptions::max_memory, "Bytes of states and tables; 0: no limit")
      .def_ro("max_readings", &SearchOptions::max_readings,
              "For tests: the time is up when the clock has been read so often; 0: no limit")
      .def_ro("trace", &SearchOptions::trace, "How many of the states reached the result tells.")
      .def_ro("lattice", &SearchOptions::lattice, "Tiles: whether the result has the explored derivations as a lattice.")
      .def_ro("lattice_beam", &SearchOptions::lattice_beam,
              "Of them arcs whose best path is at most so much worse than the best of all.")
      .def_ro("lattice_arcs", &SearchOptions::lattice_arcs, "And only so many arcs, the best; 0: all.");

  nb::class_<SearchStatistics>(m, "SearchStatistics")
      .def_ro("states", &SearchStatistics::states, "states made")
      .def_ro("unfolded", &SearchStatistics::unfolded, "states whose successors were made")
      .def_ro("edges", &SearchStatistics::edges, "edges followed")
      .def_ro("peak_queue", &SearchStatistics::peak_queue)
      .def_ro("memory", &SearchStatistics::memory, "bytes of states and tables")
      .def_ro("seconds", &SearchStatistics::seconds, "since the sentence began")
      .def_ro("peak_memory", &SearchStatistics::peak_memory, "the most bytes of states and tables at once")
      .def_ro("readings", &SearchStatistics::readings, "how often the clock was read")
      .def_ro("most_unread", &SearchStatistics::most_unread, "the most work between two readings, in units of 10 ns")
      .def_ro("overdue", &SearchStatistics::overdue, "work after the time was up, in units of 10 ns");

  constexpr const char* kPhrases =
      "(begin, end, number of words, number) of each phrase, in the order realized. Of tiles: source positions and the\n"
      "number of the alternative. Else: its words' places in the expression or packing as written, and the edge of its graph or the\n"
      "phrase's number.";
  nb::class_<Derivation>(m, "Derivation", "One way to realize.")
      .def_ro("words", &Derivation::words)
      .def_prop_ro("phrases", &phrases, kPhrases)
      .def_ro("score", &Derivation::score, "Σ λ h, natural logs.")
      .def_ro("features", &Derivation::features, "h, in the order of the weights.");

  nb::class_<Trace> trace(m, "Trace", "States that search reached, in that order, and the steps between them.");
  nb::class_<Trace::State>(trace, "State", "A state as search left it.")
      .def_ro("words", &Trace::State::words, "Of the best path here.")
      .def_ro("score", &Trace::State::score, "Of the best path here.")
      .def_ro("bound", &Trace::State::bound, "No derivation through here scores more.")
      .def_ro("unfolded", &Trace::State::unfolded, "Whether its successors were made; else it was left aside.")
      .def_ro("is_goal", &Trace::State::is_goal)
      .def_ro("is_best", &Trace::State::is_best, "Whether it is on the best path found.");
  nb::class_<Trace::Edge>(trace, "Edge", "A step between states, which are numbered from 0.")
      .def_ro("source", &Trace::Edge::from)
      .def_ro("target", &Trace::Edge::to)
      .def_ro("words", &Trace::Edge::words)
      .def_ro("score", &Trace::Edge::score);
  trace.def_ro("states", &Trace::states)
      .def_ro("edges", &Trace::edges)
      .def_ro("left_out", &Trace::left_out, "How many states it does not tell, dead ends aside.");

  nb::class_<Realization>(m, "Realization", "The best derivations found, and what is known of the others.")
      .def_ro("nbest", &Realization::nbest, "Best first.")
      .def_prop_ro("words", [](const Realization& r) { return r.nbest[0].words; })
      .def_prop_ro("phrases", [](const Realization& r) { return phrases(r.nbest[0]); }, kPhrases)
      .def_prop_ro("score", [](const Realization& r) { return r.nbest[0].score; }, "Σ λ h, natural logs.")
      .def_prop_ro("features", [](const Realization& r) { return r.nbest[0].features; },
                   "h, in the order of the weights.")
      .def_ro("bound", &Realization::bound, "No derivation scores more than this.")
      .def_ro("optimal", &Realization::optimal, "score reaches bound, up to 1e-6.")
      .def_ro("stopped", &Realization::stopped, "The budget that ran out, or ''.")
      .def_ro("statistics", &Realization::statistics)
      .def_ro("trace", &Realization::trace, "Empty unless the options ask for it.")
      .def_prop_ro(
          "lattice", [](const Realization& r) { return std::const_pointer_cast<Lattice>(r.lattice); },
          nb::sig("def lattice(self) -> Lattice | None"),
          "The derivations that search explored; None unless the options ask for them.");

  nb::class_<Realizer>(m, "Realizer", "Language models over one vocabulary, ready to realize tiles and expressions.")
      .def(nb::init<const Vocabulary&, const Held<LanguageModel>::Sequence&>(), "vocabulary"_a, "language_models"_a,
           nb::keep_alive<1, 2>())
      .def("realize", &Realizer::realize, "tiles"_a, "weights"_a, "options"_a, nb::kw_only(), "threads"_a = 1,
           "grammar"_a = nb::none(),
           "The best derivations of each of the tiles, on threads, in order; of those that the grammar accepts.")
      .def("realize_expressions", &Realizer::realize_expressions, "expressions"_a, "weights"_a, "options"_a,
           nb::kw_only(), "threads"_a = 1, "grammar"_a = nb::none(),
           "The best derivations of each of the expressions, on threads, in order; of those that the grammar\n"
           "accepts.")
      .def("realize_packings", &Realizer::realize_packings, "packings"_a, "weights"_a, "options"_a, nb::kw_only(),
           "threads"_a = 1, "grammar"_a = nb::none(),
           "The best derivations of each of the packings, on threads, in order; of those that the grammar accepts.")
      .def("bounds_along", &Realizer::bounds_along, "tiles"_a, "weights"_a, "options"_a, "alternatives"_a,
           "(score so far, estimate, bound from gaps, bound with coverages solved, the same) before each phrase of a\n"
           "derivation, given as numbers of alternatives, and after the last.")
      .def("bounds_along_edges", &Realizer::bounds_along_edges, "expression"_a, "weights"_a, "edges"_a,
           "(score so far, estimate, static, context and Lagrangian bound of the rest) before each phrase of a\n"
           "derivation, given as numbers of edges, and after the last.");
}

}  // namespace widl
