#include "search/realizer.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>

#include "arrays.hpp"
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
      Budget budget(options.budget);
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
    const std::vector<RealizedPhrase>& given) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> all;
  for (const RealizedPhrase& p : given) all.emplace_back(p.begin, p.end, p.word_count, p.alternative);
  return all;
}

/// A property: an array of one value of each event.
template <class Value, class Of>
void bind_column(nb::class_<SearchRecord>& record, const char* name, const char* about, Of of) {
  record.def_prop_ro(
      name,
      [of](const SearchRecord& r) {
        auto values = std::make_unique<std::vector<Value>>();
        values->reserve(r.events.size());
        for (const SearchEvent& event : r.events) values->push_back(static_cast<Value>(of(event)));
        Value* data = values->data();
        const std::size_t size = values->size();
        nb::capsule owner(values.release(), [](void* given) noexcept { delete static_cast<std::vector<Value>*>(given); });
        return nb::ndarray<nb::numpy, Value, nb::ndim<1>>(data, {size}, owner);
      },
      nb::rv_policy::move, about);
}

void bind_record(nb::module_& m) {
  m.def("search_event_kinds", [] {
    return std::vector<std::string>{"began", "made", "improved", "recombined", "unfolded",
                                    "paired", "pruned", "skipped", "layer", "ended"};
  }, "Names of the kinds of events that a SearchRecord tells, by number.");
  m.def("search_prune_reasons", [] { return std::vector<std::string>{"", "shorter", "threshold", "full"}; },
        "Names of the reasons why a state was pruned, by number.");
  nb::class_<SearchRecord> record(m, "SearchRecord", "What a search did, event by event.");
  record.def("__len__", [](const SearchRecord& r) { return r.events.size(); })
      .def_ro("left_out", &SearchRecord::left_out, "How many further events there were.")
      .def_prop_ro("features", [](const SearchRecord& r) {
        return numpy_array<2>(r.features, {r.features.size() / r.layout, r.layout});
      }, nb::rv_policy::move, "By event of kinds made and improved: what its step adds to h.")
      .def_ro("words", &SearchRecord::words, "By label: of the phrase.")
      .def_prop_ro("phrases", [](const SearchRecord& r) { return phrases(r.phrases); }, "By label; see Derivation.phrases.");
  bind_column<std::uint8_t>(record, "kinds", "Numbers of names of kinds.", [](const SearchEvent& e) { return e.kind; });
  bind_column<std::uint8_t>(record, "reasons", "Of what was pruned: numbers of names of reasons.",
                            [](const SearchEvent& e) { return e.reason; });
  bind_column<std::uint8_t>(record, "goals", "1 where a path reaches the goal.", [](const SearchEvent& e) { return e.is_goal; });
  bind_column<std::uint32_t>(record, "nodes", "Which state; 2^32 - 1: none.", [](const SearchEvent& e) { return e.node; });
  bind_column<std::uint32_t>(record, "sources", "The state before; of one pruned as too short: the longest one's length.",
                             [](const SearchEvent& e) { return e.from; });
  bind_column<std::uint32_t>(record, "labels", "Of the step; of a layer and of a state pruned as too short: its length.",
                             [](const SearchEvent& e) { return e.label; });
  bind_column<double>(record, "scores", "Of the path.", [](const SearchEvent& e) { return e.score; });
  bind_column<double>(record, "bounds", "Of the completion.", [](const SearchEvent& e) { return e.bound; });
  bind_column<double>(record, "estimates", "Of the completion.", [](const SearchEvent& e) { return e.estimate; });
}

enum class Algorithm { bfs, astar, astar_k, beam, stack, cube };

/// Keyword arguments, each taken once by its name.
class Keywords {
 public:
  explicit Keywords(const nb::kwargs& given) : left_(nb::cast<nb::dict>(given.attr("copy")())) {}

  /// @throws TypeError for a value of another type
  template <class Value>
  void take(const char* name, Value& value) {
    if (!left_.contains(name)) return;
    nb::object given = left_.attr("pop")(name);
    if (!nb::try_cast(given, value)) throw nb::type_error((std::string("a bad value of ") + name).c_str());
  }
  void finish() const {
    for (auto [name, value] : left_)
      throw nb::type_error(("unknown option " + nb::cast<std::string>(name)).c_str());
  }

 private:
  nb::dict left_;
};

std::uint32_t distortion_limit_of(std::int64_t limit) {
  if (limit < -1 || limit > INT32_MAX)
    throw InputError("the distortion limit must be a small whole number, or -1 for none");
  return limit < 0 ? SpaceOptions::kNoLimit : static_cast<std::uint32_t>(limit);
}

constexpr const char* kSearchOptions =
    "How to search. Every search:\n"
    "algorithm (astar_k); nbest (1); distinct: of equal strings only the best derivation; strings: of expressions, the best strings\n"
    "by all of their derivations together, score and bound being ln of the sum of e^score; max_words, max_bytes of UTF-8:\n"
    "hard limits on the output; bound (lagrangian); max_states, max_seconds, max_memory in bytes of states and tables:\n"
    "budgets, 0 for none; trace: how many of the states reached the result tells; record: how many of the search's events;\n"
    "lattice: whether it has the explored derivations, of them arcs whose best path is at most lattice_beam worse than the\n"
    "best of all, and of these the lattice_arcs best (0: all); max_readings: for tests, the time is up when the clock has been read so often.\n"
    "Tiles: distortion_limit (-1: none); alternatives_per_span (0: all); estimate_movement: whether estimates count the\n"
    "movement that is left at least, which Pharaoh's future cost does not; own_contexts: whether bounds give a tile's first\n"
    "word its best context among the sentence's own words, or its best of all; gap: after the search, the bound is lowered\n"
    "until it is at most so many nats above the score (infinity: it is left as it is).\n"
    "A*_k: lookback (2): states are unfolded at most so much shorter than the longest one unfolded, in units of `unit`\n"
    "(words); order: by the bound of completions, or by their estimate.\n"
    "Beam, stack, cube: beam (0.1): states need this share of the best probability of their layer; beam_size: only so many\n"
    "of a layer; 0: all. Cube: pop_limit: only so many states of a layer are made; 0: all.";

SearchOptions search_options(const nb::kwargs& given) {
  SearchOptions options;
  Algorithm algorithm = Algorithm::astar_k;
  BestFirstOptions best_first{.order = Order::estimate, .lookback = 2};
  LayerOptions layer{.beam = 0.1};
  std::size_t pops = 0;
  std::int64_t distortion_limit = -1;
  Keywords keywords(given);
  keywords.take("algorithm", algorithm);
  keywords.take("lookback", best_first.lookback);
  keywords.take("unit", best_first.unit);
  keywords.take("order", best_first.order);
  keywords.take("beam", layer.beam);
  keywords.take("beam_size", layer.size);
  keywords.take("pop_limit", pops);
  keywords.take("distortion_limit", distortion_limit);
  keywords.take("alternatives_per_span", options.space.alternatives_per_span);
  keywords.take("estimate_movement", options.space.estimate_movement);
  keywords.take("bound", options.space.bound);
  keywords.take("own_contexts", options.space.own_contexts);
  keywords.take("max_words", options.space.max_words);
  keywords.take("max_bytes", options.space.max_bytes);
  keywords.take("nbest", options.answer.nbest);
  keywords.take("distinct", options.answer.distinct);
  keywords.take("strings", options.answer.strings);
  keywords.take("trace", options.answer.trace);
  keywords.take("record", options.answer.record);
  keywords.take("lattice", options.answer.lattice);
  keywords.take("lattice_beam", options.answer.lattice_beam);
  keywords.take("lattice_arcs", options.answer.lattice_arcs);
  keywords.take("gap", options.gap);
  keywords.take("max_states", options.max_states);
  keywords.take("max_seconds", options.budget.seconds);
  keywords.take("max_memory", options.budget.memory);
  keywords.take("max_readings", options.budget.readings);
  keywords.finish();
  if (!(options.budget.seconds >= 0)) throw InputError("max_seconds can't be negative");
  options.space.distortion_limit = distortion_limit_of(distortion_limit);
  switch (algorithm) {
    case Algorithm::bfs: options.search = LayerOptions{}; break;
    case Algorithm::astar: options.search = BestFirstOptions{}; break;
    case Algorithm::astar_k: options.search = best_first; break;
    case Algorithm::beam: options.search = layer; break;
    case Algorithm::stack: options.search = LayerOptions{LengthUnit::positions, layer.beam, layer.size}; break;
    case Algorithm::cube: options.search = CubeOptions{layer, pops}; break;
  }
  validate_options(options);
  return options;
}

}  // namespace

void bind_realizer(nb::module_& m) {
  using namespace nb::literals;
  m.def("count_features", [] { return std::vector<std::string>(FeatureLayout::kCounts.begin(), FeatureLayout::kCounts.end()); },
        "Names of the features that every model has, as they follow those of WIDL components and language models.");
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
      .value("eq2", Bound::eq2, "the same with contexts that can't be, as Equation 2 of the 2005 paper is written")
      .value("lagrangian", Bound::lagrangian, "bags: all orders of as many words, a multiplier for each word");

  nb::class_<Weights>(m, "WeightVector", "λ of the log-linear model; widl.decoder.FeatureLayout makes one of named weights.")
      .def(nb::init<std::vector<double>, std::vector<double>, double, double, double, double, std::vector<double>>(),
           nb::kw_only(), "widl"_a, "language_models"_a, "word_count"_a, "phrase_count"_a, "distortion"_a, "unknown"_a,
           "reordering"_a = std::vector<double>());

  nb::enum_<Order>(m, "Order", "What orders states beside the score of their path.")
      .value("bound", Order::bound, "the bound of the completion")
      .value("estimate", Order::estimate, "its estimate");
  nb::enum_<LengthUnit>(m, "LengthUnit", "What A*_k counts the length of a path in.")
      .value("words", LengthUnit::words, "target words")
      .value("phrases", LengthUnit::phrases, "phrases begun, or tiles")
      .value("positions", LengthUnit::positions, "source positions of tiles, arguments of a bag, items of a packing");
  nb::class_<SearchOptions>(m, "SearchOptions", kSearchOptions)
      .def("__init__", [](SearchOptions* self, const nb::kwargs& given) { new (self) SearchOptions(search_options(given)); },
           nb::sig("def __init__(self, **options: object) -> None"));

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
      .def_prop_ro("phrases", [](const Derivation& d) { return phrases(d.phrases); }, kPhrases)
      .def_ro("phrase_numbers", &Derivation::phrase_numbers,
              "Of each of these: the number of the expression's phrase that it belongs to, in the order in which they begin.")
      .def_ro("score", &Derivation::score,
              "Σ λ h, natural logs; where strings were asked for, ln of the sum of e^that over its string's derivations.")
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

  bind_record(m);
  nb::class_<Realization>(m, "Realization", "The best derivations found, and what is known of the others.")
      .def_ro("nbest", &Realization::nbest, "Best first.")
      .def_prop_ro("words", [](const Realization& r) { return r.nbest[0].words; })
      .def_prop_ro("phrases", [](const Realization& r) { return phrases(r.nbest[0].phrases); }, kPhrases)
      .def_prop_ro("score", [](const Realization& r) { return r.nbest[0].score; }, "Σ λ h, natural logs.")
      .def_prop_ro("features", [](const Realization& r) { return r.nbest[0].features; },
                   "h, in the order of the weights.")
      .def_ro("bound", &Realization::bound, "No derivation scores more than this.")
      .def_ro("optimal", &Realization::optimal, "score reaches bound, up to 1e-6.")
      .def_ro("stopped", &Realization::stopped, "The budget that ran out, in the search or while lists were made, or ''.")
      .def_ro("nbest_complete", &Realization::nbest_complete,
              "Whether no budget has cut nbest: it is what it would be without any.")
      .def_ro("lattice_complete", &Realization::lattice_complete, "The same of the lattice.")
      .def_ro("statistics", &Realization::statistics)
      .def_ro("trace", &Realization::trace, "Empty unless the options ask for it.")
      .def_prop_ro(
          "record", [](const Realization& r) { return std::const_pointer_cast<SearchRecord>(r.record); },
          nb::sig("def record(self) -> SearchRecord | None"), "What search did; None unless the options ask for it.")
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
