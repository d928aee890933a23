#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "errors.hpp"
#include "interruption.hpp"
#include "parallel.hpp"
#include "search/graph_realizer.hpp"
#include "search/lattice_realizer.hpp"
#include "search/tile_realizer.hpp"

namespace widl {
namespace {

/// The models of a realizer and the batch loop over sentences.
class Realizer {
 public:
  Realizer(const Vocabulary& vocabulary, const PySequenceRef<LanguageModel>::Sequence& models)
      : held_(models), models_(vocabulary, held_.pointers()) {}

  /// Realizes tiles, expressions or lattices.
  template <class Input>
  std::vector<Realization> realize(const PySequenceRef<Input>::Sequence& inputs, const WeightVector& weights,
                                   const SearchOptions& options, unsigned threads, const Constraint* constraint) {
    const PySequenceRef<Input> batch(inputs);
    if constexpr (std::is_same_v<Input, Tiles>)
      for (const Tiles* tiles : batch) require_own(*tiles);
    models_.refresh();
    std::vector<Realization> results(batch.size());
    SignalInterruption interruption;
    interruption.run([&] {
      auto realize_one = [&](std::size_t i) {
        Budget budget(options.limits, &interruption);
        results[i] = widl::realize(batch[i], models_, weights, options, budget, constraint);
      };
      parallel_for(batch.size(), threads, realize_one, [&] { interruption.check(); });
    });
    return results;
  }

  std::vector<std::uint32_t> kept_alternatives(const Tiles& tiles, const WeightVector& weights,
                                               const SpaceOptions& options) {
    require_own(tiles);
    models_.refresh();
    return widl::kept_alternatives(tiles, models_, weights, options);
  }

 private:
  void require_own(const Tiles& tiles) const {
    if (&tiles.vocabulary() != &models_.vocabulary())
      throw InputError("the tiles were made with a vocabulary other than the realizer's");
  }

  PySequenceRef<LanguageModel> held_;
  ScoringModels models_;
};

/// The best derivation. Throws std::out_of_range (in Python, IndexError) if the search found none.
const Derivation& best(const Realization& realization) {
  if (realization.nbest.empty()) throw std::out_of_range(realization.failure);
  return realization.nbest.front();
}

using StateOrNone = std::optional<std::uint32_t>;
using ConstraintRow = std::tuple<bool, std::vector<std::pair<std::string, StateOrNone>>, StateOrNone>;

std::vector<std::vector<Constraint::Row>> constraint_rows(const std::vector<std::vector<ConstraintRow>>& given) {
  std::vector<std::vector<Constraint::Row>> automata;
  for (const std::vector<ConstraintRow>& automaton : given) {
    std::vector<Constraint::Row>& rows = automata.emplace_back();
    for (const auto& [accepts, after, otherwise] : automaton) {
      Constraint::Row& row = rows.emplace_back(Constraint::Row{accepts, otherwise.value_or(Constraint::kDead), {}});
      for (const auto& [word, to] : after) row.after.emplace_back(word, to.value_or(Constraint::kDead));
    }
  }
  return automata;
}

/// A property: an array with one value per event.
template <class Value, class Of>
void bind_column(nb::class_<SearchRecord>& record, const char* name, const char* about, Of of) {
  record.def_prop_ro(
      name,
      [of](const SearchRecord& r) {
        std::vector<Value> values;
        for (const SearchEvent& event : r.events) values.push_back(static_cast<Value>(of(event)));
        return numpy_array(std::move(values));
      },
      nb::rv_policy::move, about);
}

void bind_record(nb::module_& m) {
  using Kind = SearchEvent::Kind;
  using Reason = SearchEvent::Reason;
  nb::enum_<Kind>(m, "SearchEventKind", "Kinds of events in a SearchRecord.")
      .value("began", Kind::began)
      .value("made", Kind::made)
      .value("improved", Kind::improved)
      .value("recombined", Kind::recombined)
      .value("unfolded", Kind::unfolded)
      .value("paired", Kind::paired)
      .value("pruned", Kind::pruned)
      .value("skipped", Kind::skipped)
      .value("layer", Kind::layer)
      .value("ended", Kind::ended);
  nb::enum_<Reason>(m, "SearchPruneReason", "Reasons why a state was pruned.")
      .value("none", Reason::none)
      .value("shorter", Reason::shorter)
      .value("threshold", Reason::threshold)
      .value("full", Reason::full);
  nb::class_<SearchRecord> record(m, "SearchRecord", "The events of a search.");
  record.def("__len__", [](const SearchRecord& r) { return r.events.size(); })
      .def_ro("left_out", &SearchRecord::left_out, "Number of events after the last recorded one.")
      .def_ro("words", &SearchRecord::words, "Words of the phrase, by label.")
      .def_ro("phrases", &SearchRecord::phrases, "The phrases, by label.");
  bind_column<std::uint8_t>(record, "kinds", "SearchEventKind of each event, as a number.",
                            [](const SearchEvent& e) { return e.kind; });
  bind_column<std::uint8_t>(record, "reasons", "SearchPruneReason of each event, as a number.",
                            [](const SearchEvent& e) { return e.reason; });
  bind_column<std::uint8_t>(record, "goals", "1 if the path reaches the goal, else 0.",
                            [](const SearchEvent& e) { return e.is_goal; });
  bind_column<std::uint32_t>(record, "nodes", "State of each event; 2^32 - 1: none.",
                             [](const SearchEvent& e) { return e.node; });
  bind_column<std::uint32_t>(record, "sources",
                             "Previous state; for a state pruned as too short, the length of the longest state.",
                             [](const SearchEvent& e) { return e.from; });
  bind_column<std::uint32_t>(record, "labels",
                             "Label of the step; for a layer, or a state pruned as too short, its length.",
                             [](const SearchEvent& e) { return e.label; });
  bind_column<double>(record, "scores", "Score of the path.", [](const SearchEvent& e) { return e.score; });
  bind_column<double>(record, "bounds", "Bound of the completion.", [](const SearchEvent& e) { return e.bound; });
  bind_column<double>(record, "estimates", "Estimate of the completion.",
                      [](const SearchEvent& e) { return e.estimate; });
}

using WrittenStep = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
using PrintedRow = std::pair<std::uint32_t, std::vector<WrittenStep>>;

std::vector<PrintedLength::Row> printed_rows(const std::vector<PrintedRow>& given) {
  std::vector<PrintedLength::Row> rows;
  for (const auto& [more, after] : given) {
    PrintedLength::Row& row = rows.emplace_back(PrintedLength::Row{more, {}});
    for (const auto& [position, bytes, to] : after) row.after.push_back({position, {bytes, to}});
    std::ranges::sort(row.after, {}, &std::pair<std::uint32_t, PrintedLength::Step>::first);
  }
  return rows;
}

void bind_printed_length(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<PrintedLength>(
      m, "PrintedLength",
      "Counts the bytes of an expression's strings as printed: a deterministic automaton over words. A word is\n"
      "identified by its position in the expression as written; state 0 is the start. A step adds the bytes of its\n"
      "word and of the separator in front of it, even for the first word.")
      .def(
          "__init__",
          [](PrintedLength* self, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& usual,
             const std::vector<PrintedRow>& rows) {
            std::vector<PrintedLength::Step> steps;
            for (const auto& [bytes, to] : usual) steps.push_back({bytes, to});
            new (self) PrintedLength(std::move(steps), printed_rows(rows));
          },
          "usual"_a, "rows"_a,
          "`usual`: for each position, the bytes of its word and the next state. `rows`: for each state, the extra bytes of\n"
          "any word there, and (position, bytes, state) of the words that have other steps there.");
}

void bind_options(nb::module_& m) {
  using namespace nb::literals;
  nb::enum_<Bound>(m, "Bound", "Bound of the words of an expression that are still to be realized.")
      .value("loose", Bound::loose, "each word in its best context of all")
      .value("context", Bound::context, "each word in its best context among those still available")
      .value("eq2", Bound::eq2, "Equation 2 of the 2005 paper as written: word by word, impossible contexts included")
      .value("lagrangian", Bound::lagrangian,
             "bags: all orders of the same number of words, a multiplier for each word");
  nb::enum_<LengthUnit>(m, "LengthUnit", "Unit of the length of a path.")
      .value("words", LengthUnit::words, "target words")
      .value("positions", LengthUnit::positions, "source positions of tiles; arguments of a bag");
  nb::enum_<Order>(m, "Order", "Term that is added to the score of a path to order states.")
      .value("bound", Order::bound, "the bound of the completion")
      .value("estimate", Order::estimate, "the estimate of the completion");

  nb::class_<AStar>(m, "AStar", "Exact search: unfolds the state with the best bound first.").def(nb::init<>());
  nb::class_<AStarK>(m, "AStarK", "A* over states at most `k` shorter than the longest unfolded state, in `unit`.")
      .def(nb::init<std::uint32_t, LengthUnit, Order>(), nb::kw_only(), "k"_a = AStarK{}.k, "unit"_a = AStarK{}.unit,
           "order"_a = AStarK{}.order)
      .def_ro("k", &AStarK::k)
      .def_ro("unit", &AStarK::unit)
      .def_ro("order", &AStarK::order);
  nb::class_<BeamSearch>(
      m, "BeamSearch",
      "Searches layer by layer; the states of a layer have the same number of words, or the same progress (source\n"
      "positions, or arguments). Keeps at most `stack_size` states per layer (0: all), whose probability is at least\n"
      "`beam` times the best in the layer (0: any).")
      .def(nb::init<LengthUnit, double, std::size_t>(), nb::kw_only(), "unit"_a = BeamSearch{}.unit,
           "beam"_a = BeamSearch{}.beam, "stack_size"_a = BeamSearch{}.stack_size);
  nb::class_<CubePruning>(m, "CubePruning",
                          "Cube pruning: generates only the `pop_limit` most promising states of each stack (0: all).")
      .def(nb::init<std::size_t, double, std::size_t>(), nb::kw_only(), "pop_limit"_a = CubePruning{}.pop_limit,
           "beam"_a = CubePruning{}.beam, "stack_size"_a = CubePruning{}.stack_size)
      .def_ro("pop_limit", &CubePruning::pop_limit);

  nb::class_<SpaceOptions>(
      m, "SpaceOptions",
      "The search space, and the bound and estimate used in it.\n\n"
      "Tiles: `distortion_limit`; `table_limit` (0: all); `estimate_movement`: whether estimates include\n"
      "the minimum remaining movement, unlike Pharaoh's future cost. Other expressions: `bound`; `printed`: how\n"
      "bytes are counted; `whole_contexts`: whether the last n - 1 words split states, or only the part of them\n"
      "that language models distinguish. All: `max_words` and `max_bytes` (UTF-8), hard limits on the output\n"
      "(0: none).")
      .def(
          "__init__",
          [](SpaceOptions* self, std::optional<std::uint32_t> distortion_limit, std::uint32_t table_limit,
             bool estimate_movement, bool whole_contexts, Bound bound, std::uint32_t max_words, std::uint32_t max_bytes,
             std::shared_ptr<PrintedLength> printed) {
            new (self) SpaceOptions{.distortion_limit = distortion_limit.value_or(SpaceOptions::kNoLimit),
                                    .table_limit = table_limit,
                                    .estimate_movement = estimate_movement,
                                    .bound = bound,
                                    .whole_contexts = whole_contexts,
                                    .max_words = max_words,
                                    .max_bytes = max_bytes,
                                    .printed = std::move(printed)};
          },
          nb::kw_only(), "distortion_limit"_a = nb::none(), "table_limit"_a = SpaceOptions{}.table_limit,
          "estimate_movement"_a = SpaceOptions{}.estimate_movement, "whole_contexts"_a = SpaceOptions{}.whole_contexts,
          "bound"_a = SpaceOptions{}.bound, "max_words"_a = SpaceOptions{}.max_words,
          "max_bytes"_a = SpaceOptions{}.max_bytes, "printed"_a = nb::none())
      .def_ro("bound", &SpaceOptions::bound)
      .def_ro("whole_contexts", &SpaceOptions::whole_contexts);
  nb::class_<Budget::Limits>(
      m, "Limits",
      "Budgets of a search: states, seconds, and bytes of states and tables; 0: none. `work`, for tests: time\n"
      "runs out after this many ticks, independently of the clock.")
      .def(nb::init<double, std::size_t, std::size_t, std::size_t>(), nb::kw_only(),
           "seconds"_a = Budget::Limits{}.seconds, "memory"_a = Budget::Limits{}.memory,
           "states"_a = Budget::Limits{}.states, "work"_a = Budget::Limits{}.work);

  nb::class_<OutputOptions>(
      m, "OutputOptions",
      "The contents of a result: `nbest` derivations (`distinct`: only the best of equal strings); up to `record`\n"
      "events of the search; a `lattice` of the explored derivations, with the arcs whose best path is at most\n"
      "`lattice_beam` worse than the best of all, and only the `lattice_arcs` best of them (0: all).")
      .def(nb::init<std::size_t, bool, std::size_t, bool, double, std::size_t>(), nb::kw_only(),
           "nbest"_a = OutputOptions{}.nbest, "distinct"_a = OutputOptions{}.distinct,
           "record"_a = OutputOptions{}.record, "lattice"_a = OutputOptions{}.lattice,
           "lattice_beam"_a = OutputOptions{}.lattice_beam, "lattice_arcs"_a = OutputOptions{}.lattice_arcs)
      .def_ro("nbest", &OutputOptions::nbest)
      .def_ro("lattice_beam", &OutputOptions::lattice_beam);

  nb::class_<SearchOptions>(
      m, "SearchOptions",
      "A search, its space, its budgets and the contents of its result. `gap`, for tiles: after the search, the\n"
      "bound is lowered until it is at most this many nats above the score (infinity: not lowered).")
      .def(
          "__init__",
          [](SearchOptions* self, const Search& search, const SpaceOptions& space, const Budget::Limits& limits,
             const OutputOptions& output, double gap) {
            new (self) SearchOptions{.search = search, .space = space, .limits = limits, .output = output, .gap = gap};
          },
          "search"_a, nb::kw_only(), "space"_a = SpaceOptions{}, "limits"_a = Budget::Limits{},
          "output"_a = OutputOptions{}, "gap"_a = SearchOptions{}.gap);
}

}  // namespace

void bind_realizer(nb::module_& m) {
  using namespace nb::literals;
  m.def("interrupt_searches", &SignalInterruption::request,
        "Ends all searches that run now, in all threads of the process; their calls raise KeyboardInterrupt.");
  m.def(
      "count_features",
      [] { return std::vector<std::string>(FeatureLayout::kCounts.begin(), FeatureLayout::kCounts.end()); },
      "Names of the features common to all models, in order; they follow WIDL components and language models.");
  nb::class_<WeightVector>(m, "WeightVector",
                           "λ of the log-linear model; widl.decoder.FeatureLayout makes one of named weights.")
      .def(nb::init<std::vector<double>, std::vector<double>, double, double, double, double, std::vector<double>,
                    std::optional<double>>(),
           nb::kw_only(), "widl"_a, "language_models"_a, "word_count"_a, "phrase_count"_a, "distortion"_a, "unknown"_a,
           "reordering"_a = std::vector<double>(), "crossing"_a = nb::none());

  bind_printed_length(m);
  bind_options(m);
  nb::class_<Constraint>(m, "Constraint",
                         "A regular set of strings, as an intersection of deterministic automata over words.")
      .def(
          "__init__",
          [](Constraint* self, const std::vector<std::vector<ConstraintRow>>& automata) {
            new (self) Constraint(constraint_rows(automata));
          },
          "automata"_a,
          "`automata`: for each automaton, a row per state: whether it accepts, (word, next state) pairs, and the next state\n"
          "after any other word. None as next state: the word is not allowed. State 0 is the start.");
  nb::class_<SearchStatistics>(m, "SearchStatistics")
      .def_ro("states", &SearchStatistics::states, "number of states generated")
      .def_ro("unfolded", &SearchStatistics::unfolded, "number of states whose successors were generated")
      .def_ro("edges", &SearchStatistics::edges, "number of edges followed")
      .def_ro("memory", &SearchStatistics::memory, "bytes of states and tables")
      .def_ro("seconds", &SearchStatistics::seconds, "seconds since the sentence began")
      .def_ro("peak_memory", &SearchStatistics::peak_memory, "maximum bytes of states and tables at any time")
      .def_ro("work", &SearchStatistics::work, "work in ticks of about 10 ns");

  using PhraseFields = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  nb::class_<RealizedPhrase>(
      m, "RealizedPhrase",
      "A phrase of a derivation. In tiles, [begin, end) are source positions and `number` is the\n"
      "alternative. In other expressions, they are positions of words in the expression as written,\n"
      "and `number` is the edge of the WIDL-graph.")
      .def_ro("begin", &RealizedPhrase::begin)
      .def_ro("end", &RealizedPhrase::end)
      .def_ro("word_count", &RealizedPhrase::word_count)
      .def_ro("number", &RealizedPhrase::number)
      .def("__getstate__", [](const RealizedPhrase& p) { return PhraseFields(p.begin, p.end, p.word_count, p.number); })
      .def("__setstate__", [](RealizedPhrase& p, const PhraseFields& fields) {
        const auto& [begin, end, word_count, number] = fields;
        new (&p) RealizedPhrase{begin, end, word_count, number};
      });
  nb::class_<Derivation>(m, "Derivation", "A derivation of the tiles, expression or lattice.")
      .def_ro("words", &Derivation::words)
      .def_ro("phrases", &Derivation::phrases, "In the order realized.")
      .def_ro(
          "phrase_numbers", &Derivation::phrase_numbers,
          "For each of `phrases`, the number of the expression's phrase that contains it; phrases are numbered by their first words.")
      .def_ro("score", &Derivation::score, "Σ λ h, natural logs.")
      .def_ro("features", &Derivation::features, "h, in the order of the weights.");

  bind_record(m);
  nb::enum_<Outcome>(m, "Outcome", "How a search ended.")
      .value("found", Outcome::found, "with at least one derivation")
      .value("proved_empty", Outcome::proved_empty,
             "it proved that no derivation fits the constraint and the limits of length")
      .value("out_of_budget", Outcome::out_of_budget, "a budget ran out before a derivation was found; one may exist")
      .value("undecided", Outcome::undecided, "an inexact search pruned before it found a derivation; one may exist");
  nb::class_<Certificate>(
      m, "Certificate", "The score of the best derivation found, and an upper bound on the score of every derivation.")
      .def(nb::init<double, double>(), "score"_a, "bound"_a)
      .def_ro("score", &Certificate::score, "-inf if no derivation was found.")
      .def_ro("bound", &Certificate::bound)
      .def_prop_ro(
          "optimal", &Certificate::optimal,
          "Whether the score reaches the bound, within a relative tolerance of 1e-6. False for infinities and NaN.");
  nb::class_<Realization>(
      m, "Realization",
      "The result of a search: the best derivations found, and a bound on all others. If none was found, words,\n"
      "phrases, score and features raise IndexError.")
      .def_ro("outcome", &Realization::outcome)
      .def_ro("failure", &Realization::failure, "One-line reason if no derivation was found; otherwise empty.")
      .def_ro("nbest", &Realization::nbest, "Best first; empty if no derivation was found.")
      .def_prop_ro("words", [](const Realization& r) { return best(r).words; })
      .def_prop_ro(
          "phrases", [](const Realization& r) { return best(r).phrases; }, "In the order realized.")
      .def_prop_ro(
          "score", [](const Realization& r) { return best(r).score; }, "Σ λ h, natural logs.")
      .def_prop_ro(
          "features", [](const Realization& r) { return best(r).features; }, "h, in the order of the weights.")
      .def_prop_ro(
          "bound", [](const Realization& r) { return r.certificate.bound; },
          "Upper bound on the score of every derivation; -inf if there is none.")
      .def_prop_ro(
          "optimal", [](const Realization& r) { return r.certificate.optimal(); },
          "Whether the score reaches the bound.")
      .def_prop_ro(
          "stopped", [](const Realization& r) { return name_of(r.stopped); },
          "The budget that ran out in the search or while lists were made; otherwise ''.")
      .def_ro("nbest_complete", &Realization::nbest_complete,
              "Whether `nbest` is complete: neither a budget nor the limit of 64 positions for movement truncated it.")
      .def_ro("lattice_complete", &Realization::lattice_complete, "Whether the lattice is complete, likewise.")
      .def_ro("statistics", &Realization::statistics)
      .def_prop_ro(
          "record", [](const Realization& r) { return std::const_pointer_cast<SearchRecord>(r.record); },
          nb::sig("def record(self) -> SearchRecord | None"), "The events of the search; None unless requested.")
      .def_prop_ro(
          "lattice", [](const Realization& r) { return std::const_pointer_cast<Lattice>(r.lattice); },
          nb::sig("def lattice(self) -> Lattice | None"),
          "The derivations that search explored; None unless requested.");

  nb::class_<Realizer>(m, "Realizer", "Language models over one vocabulary, ready to realize tiles and expressions.")
      .def(nb::init<const Vocabulary&, const PySequenceRef<LanguageModel>::Sequence&>(), "vocabulary"_a,
           "language_models"_a, nb::keep_alive<1, 2>())
      .def(
          "realize", &Realizer::realize<Tiles>, "tiles"_a, "weights"_a, "options"_a, nb::kw_only(), "threads"_a = 1,
          "constraint"_a = nb::none(),
          "Realizes each of the tiles on several threads; results are in order. A constraint admits only strings that it accepts.")
      .def("realize_expressions", &Realizer::realize<Expression>, "expressions"_a, "weights"_a, "options"_a,
           nb::kw_only(), "threads"_a = 1, "constraint"_a = nb::none(),
           "Realizes each of the expressions, like `realize`.")
      .def("realize_lattices", &Realizer::realize<Lattice>, "lattices"_a, "weights"_a, "options"_a, nb::kw_only(),
           "threads"_a = 1, "constraint"_a = nb::none(),
           "Finds the best paths of each of the lattices, like `realize`.")
      .def("kept_alternatives", &Realizer::kept_alternatives, "tiles"_a, "weights"_a, "options"_a,
           "The numbers of the alternatives that a search under these options chooses from, by span, the most\n"
           "promising first.");
}

}  // namespace widl
