#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "search/lattice_model.hpp"
#include "search/mix.hpp"
#include "search/realization.hpp"
#include "search/unfolding.hpp"
#include "search/weight_vector.hpp"

namespace widl {

/// A lattice as an acceptor: a state is a node.
class LatticeUnfolding {
 public:
  struct State {
    std::uint32_t node = 0;
    bool operator==(const State&) const = default;
  };
  using Edge = UnfoldedEdge<State>;
  using Option = LatticeOption;

  explicit LatticeUnfolding(const LatticeModel& model) : model_(&model) {}

  State initial() const { return {}; }
  bool is_final(const State& state) const { return state.node == model_->last(); }
  bool is_complete(const State& state) const { return is_final(state); }
  static std::uint64_t hash(const State& state) { return mix(state.node); }
  static const State& covered(const State& state) { return state; }
  static const State& moved(const State&, const State& to) { return to; }
  /// Maximum number of arcs of a path, minus the maximum number of remaining arcs.
  std::uint32_t progress(const State& state) const { return length() - model_->most_arcs(state.node); }
  std::uint32_t length() const { return model_->most_arcs(0); }
  Extent shortest(const State& state) const { return model_->shortest(state.node); }

  template <class Visit>
  void successors(const State& state, Visit&& visit) const {
    for (const LatticeOption& option : model_->options_from(state.node)) visit(edge_of(option, State{option.to}, 0));
  }
  /// Calls visit(options, next state, 0) for arcs to one node.
  template <class Visit>
  void for_each_step(const State& state, Visit&& visit) const {
    const auto options = model_->options_from(state.node);
    for (std::size_t first = 0, next; first < options.size(); first = next) {
      for (next = first; next < options.size() && options[next].to == options[first].to;) ++next;
      visit(options.subspan(first, next - first), State{options[first].to}, 0.0);
    }
  }
  std::optional<Edge> edge(const State&, const LatticeOption& option, const State& to, double) const {
    return edge_of(option, to, 0);
  }
  std::optional<Edge> step(const State&, std::uint32_t label) const {
    const LatticeOption& option = model_->option(label);
    return edge_of(option, State{option.to}, 0);
  }
  void add_features(const State&, std::uint32_t label, const FeatureLayout&, std::span<double> row) const {
    const auto features = model_->lattice().features(model_->option(label).arc);
    for (std::size_t j = 0; j < features.size(); ++j) row[j] += features[j];
  }
  const LatticeOption& option(std::uint32_t label) const { return model_->option(label); }
  RealizedPhrase phrase(std::uint32_t label) const {
    const LatticeOption& option = model_->option(label);
    const Lattice::Arc& arc = model_->lattice().arcs()[option.arc];
    return {arc.begin, arc.end, option.word_count, option.arc};
  }
  std::uint32_t phrases_of(std::uint32_t) const { return 1; }

 private:
  const LatticeModel* model_;
};

}  // namespace widl
