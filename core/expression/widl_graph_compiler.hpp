#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "expression/node_table.hpp"
#include "expression/widl_graph.hpp"

namespace widl {

/// Builds a WidlGraph from the nodes of its expression.
class WidlGraphCompiler {
 public:
  WidlGraphCompiler(const Expression& expression, SentenceWords& words, WidlGraph& graph)
      : elements_(expression), words_(words), graph_(graph) {
    graph_.empty_ = empty_rows({elements_.whole()}, 0);
    graph_.root_ = compile({elements_.whole()}, {}, 0);
  }

 private:
  static constexpr std::uint32_t kNone = WidlGraph::kNone;
  static constexpr std::size_t kMaxEdges = ExpressionElements::kMostWords;
  static constexpr std::size_t kMaxDepth = WidlGraph::kMaxBits + 1;  // of composites; all but one kind take bits

  using Kind = Expression::Kind;
  using Form = InterleaveDistribution::Form;
  using Node = WidlGraph::Node;
  using NodeKind = WidlGraph::NodeKind;
  using NodeId = WidlGraph::NodeId;
  using Field = WidlGraph::Field;
  using Interleave = WidlGraph::Interleave;

  using Element = ExpressionElements::Element;
  using Elements = ExpressionElements::Elements;

  /// The entry into a sub-expression: the row of the choices made by entering it, and whether it is locked.
  struct Entry {
    std::uint32_t logs = kNone;
    bool locked = false;
  };

  /// An unbuilt part of an automaton, between two of its vertices.
  struct Task {
    Element element;
    std::uint32_t from, to;
    std::uint32_t logs;         ///< choices made by entering it
    std::uint32_t lock_units;   ///< 1 if it enters a lock
    bool locked;
  };
  struct RawEdge {
    std::uint32_t from;
    WidlGraph::Edge edge;
  };
  /// A step or path without words between two vertices.
  struct EmptyEdge {
    std::uint32_t to;
    std::uint32_t logs;
    std::uint32_t lock_units;
    std::uint32_t unlocked = 0;  ///< of a path: vertices outside locks, after its first vertex
  };

  std::uint32_t with_row(std::uint32_t logs, const std::vector<double>& probabilities) {
    std::size_t components = graph_.components_;
    auto row = static_cast<std::uint32_t>(graph_.rows_++);
    for (std::size_t j = 0; j < components; ++j) {
      double p = std::log(probabilities[probabilities.size() == 1 ? 0 : j]);
      graph_.logs_.push_back(p + (logs == kNone ? 0 : graph_.logs_[logs * components + j]));
    }
    return row;
  }

  std::uint32_t joined_rows(std::uint32_t a, std::uint32_t b) {
    if (a == kNone || b == kNone) return a == kNone ? b : a;
    const std::size_t components = graph_.components_;
    for (std::size_t j = 0; j < components; ++j)
      graph_.logs_.push_back(graph_.logs_[a * components + j] + graph_.logs_[b * components + j]);
    if (graph_.rows_ > kMaxEdges) ExpressionElements::fail_as_too_large();
    return static_cast<std::uint32_t>(graph_.rows_++);
  }

  Field allocate(std::uint32_t width) {
    if (width == 0) return {};
    if (cursor_ % 64 + width > 64) cursor_ = (cursor_ / 64 + 1) * 64;
    Field field{cursor_, width};
    cursor_ += width;
    if (cursor_ > WidlGraph::kMaxBits) too_wide();
    graph_.bits_ = std::max(graph_.bits_, cursor_);
    return field;
  }

  NodeId add_node(NodeKind kind, const Entry& entry) {
    Node node;
    node.kind = kind;
    node.locked = node.has_lock = entry.locked;
    node.entry_logs = entry.logs;
    graph_.nodes_.push_back(node);
    return static_cast<NodeId>(graph_.nodes_.size() - 1);
  }

  void adopt(NodeId parent, const std::vector<NodeId>& children) {
    Node& node = graph_.nodes_[parent];
    node.first_child = static_cast<std::uint32_t>(graph_.children_.size());
    node.child_count = static_cast<std::uint32_t>(children.size());
    for (std::uint32_t k = 0; k < children.size(); ++k) {
      graph_.nodes_[children[k]].parent = parent;
      graph_.nodes_[children[k]].number = k;
      node.has_lock = node.has_lock || graph_.nodes_[children[k]].has_lock;
      graph_.children_.push_back(children[k]);
    }
  }

  NodeId compile(Elements elements, Entry entry, std::size_t depth) {
    if (depth > kMaxDepth) too_wide();
    elements = elements_.flatten(elements);
    while (elements.size() == 1 && elements_.of(elements[0].node).composite) {
      const Element only = elements[0];
      if (elements_.kind(only) == Kind::lock || elements_.passes_through(only)) {
        entry.locked = entry.locked || elements_.kind(only) == Kind::lock;
        elements = elements_.flatten({elements_.only_argument(only)});
      } else if (elements_.kind(only) == Kind::disjunction && elements_.branches(only).size() == 1) {
        auto [branch, number] = elements_.branches(only)[0];
        entry.logs = with_row(entry.logs, elements_.at(only).probabilities()[number]);
        elements = elements_.flatten({branch});
      } else {
        if (elements_.kind(only) == Kind::disjunction) return compile_choice(only, entry, depth);
        if (elements_.kind(only) == Kind::tiles) return compile_tiles(only, entry, depth);
        return compile_interleave(only, entry, depth);
      }
    }
    bool composite = std::any_of(elements.begin(), elements.end(),
                                 [&](const Element& element) { return elements_.of(element.node).composite; });
    return composite ? compile_sequence(elements, entry, depth) : compile_automaton({{elements, kNone}}, entry);
  }

  /// A subsequence of another sequence's parts; choices make the other parts empty.
  struct Selection {
    std::vector<Elements> parts;
    std::uint32_t logs = kNone;
  };

  NodeId compile_sequence(const Elements& elements, const Entry& entry, std::size_t depth) {
    std::vector<Elements> parts;
    bool joins = false;  // elements without interleaves are one automaton
    for (const Element& element : elements) {
      bool composite = elements_.of(element.node).composite;
      if (!composite && joins)
        parts.back().push_back(element);
      else
        parts.push_back({element});
      joins = !composite;
    }
    const std::vector<Selection> selections = without_empty_parts(parts);
    if (selections.size() == 1)
      return compile_parts(selections[0].parts, {joined_rows(entry.logs, selections[0].logs), entry.locked}, depth);
    NodeId number = add_node(NodeKind::choice, entry);
    compile_by_turns(number, selections.size(), [&](std::size_t k) {
      return compile_parts(selections[k].parts, {selections[k].logs, false}, depth + 1);
    });
    return number;
  }

  NodeId compile_parts(const std::vector<Elements>& parts, const Entry& entry, std::size_t depth) {
    if (parts.size() == 1) return compile(parts[0], entry, depth + 1);
    NodeId number = add_node(NodeKind::sequence, entry);
    compile_by_turns(number, parts.size(), [&](std::size_t k) { return compile(parts[k], {}, depth + 1); });
    return number;
  }

  /// The parts with words, plus every selection that omits some but not all of the optional parts.
  std::vector<Selection> without_empty_parts(const std::vector<Elements>& parts) {
    std::vector<Selection> selections(1);
    for (const Elements& part : parts) {
      const bool has_words =
          std::any_of(part.begin(), part.end(), [&](const Element& element) { return elements_.at(element).max_units() > 0; });
      const std::vector<std::uint32_t> empty = empty_rows(part, 0);
      std::vector<Selection> longer;
      for (const Selection& selection : selections) {
        if (has_words) {
          longer.push_back(selection);
          longer.back().parts.push_back(part);
        }
        for (std::uint32_t row : empty) longer.push_back({selection.parts, joined_rows(selection.logs, row)});
        if (longer.size() > kMaxEdges) ExpressionElements::fail_as_too_large();
      }
      selections = std::move(longer);
    }
    std::erase_if(selections, [](const Selection& selection) { return selection.parts.empty(); });
    return selections;
  }

  /// Rows of the choices of each derivation without words; kNone for derivations without choices.
  std::vector<std::uint32_t> empty_rows(const Elements& elements, std::size_t depth) {
    if (depth > kMaxDepth) throw InputError("choices that may be empty are nested too deep");
    std::vector<std::uint32_t> rows = {kNone};
    for (const Element& element : elements_.flatten(elements)) {
      if (elements_.at(element).min_units() > 0) return {};
      std::vector<std::uint32_t> longer;  // of the elements that may be empty, only choices remain
      for (auto [branch, k] : elements_.branches(element))
        for (std::uint32_t row : empty_rows({branch}, depth + 1)) {
          const std::uint32_t chosen = with_row(row, elements_.at(element).probabilities()[k]);
          for (std::uint32_t before : rows) longer.push_back(joined_rows(before, chosen));
          if (graph_.rows() > kMaxEdges) ExpressionElements::fail_as_too_large();
        }
      rows = std::move(longer);
    }
    return rows;
  }

  NodeId compile_choice(const Element& element, const Entry& entry, std::size_t depth) {
    std::vector<std::pair<Elements, std::uint32_t>> simple;  // all in one automaton
    std::vector<std::pair<Element, std::uint32_t>> composite;
    for (auto [branch, k] : elements_.branches(element)) {
      std::uint32_t logs = with_row(kNone, elements_.at(element).probabilities()[k]);
      if (elements_.of(branch.node).composite)
        composite.emplace_back(branch, logs);
      else if (elements_.at(branch).max_units() > 0)
        simple.emplace_back(elements_.flatten({branch}), logs);
    }
    NodeId number = add_node(NodeKind::choice, entry);
    compile_by_turns(number, composite.size() + !simple.empty(), [&](std::size_t k) {
      return k < composite.size() ? compile({composite[k].first}, {composite[k].second, false}, depth + 1)
                                  : compile_automaton(simple, {});
    });
    return number;
  }

  /// Children that are active one at a time share their bits.
  template <class Compile>
  void compile_by_turns(NodeId number, std::size_t count, Compile&& compile_child) {
    graph_.nodes_[number].after = static_cast<std::uint32_t>(count + 1);
    graph_.nodes_[number].place = allocate(static_cast<std::uint32_t>(std::bit_width(count + 1)));
    std::vector<NodeId> children;
    const std::uint32_t start = cursor_;
    std::uint32_t end = start;
    for (std::size_t k = 0; k < count; ++k) {
      cursor_ = start;
      children.push_back(compile_child(k));
      end = std::max(end, cursor_);
    }
    cursor_ = end;
    adopt(number, children);
  }

  NodeId compile_tiles(const Element& element, const Entry& entry, std::size_t depth) {
    WidlGraph::TilesNode tiles;
    tiles.expression = &elements_.at(element);
    if (tiles.expression->length() > 64)
      throw InputError("tiles of more than 64 positions can only be realized, and not within another expression");
    NodeId number = add_node(NodeKind::tiles, entry);
    auto arguments = elements_.arguments(element.node);
    std::uint32_t position = element.position;
    compile_by_turns(number, arguments.size(), [&](std::size_t k) {
      std::uint32_t start = position;
      position += elements_.of(arguments[k]).words;
      return compile({{arguments[k], false, start}}, {}, depth + 1);
    });
    tiles.coverage = allocate(tiles.expression->length());
    tiles.last_end = allocate(static_cast<std::uint32_t>(std::bit_width(tiles.expression->length())));
    graph_.nodes_[number].tiles = static_cast<std::uint32_t>(graph_.tiles_.size());
    graph_.tiles_.push_back(tiles);
    return number;
  }

  NodeId compile_interleave(const Element& element, const Entry& entry, std::size_t depth) {
    NodeId number = add_node(NodeKind::interleave, entry);
    const Expression& expression = elements_.at(element);
    auto arguments = elements_.arguments(element.node);
    std::vector<NodeId> children;
    std::uint32_t position = element.position;
    for (std::uint32_t argument : arguments) {
      children.push_back(compile({{argument, false, position}}, {}, depth + 1));
      position += elements_.of(argument).words;
    }
    adopt(number, children);
    Interleave interleave;
    interleave.delta = &expression.delta();
    const bool mixes = !expression.delta().shuffles.empty() &&
                       *std::min_element(expression.delta().shuffles.begin(), expression.delta().shuffles.end()) > 0;
    const Form form = interleave.delta->form;
    interleave.contiguous = form == Form::movement || (form == Form::listed && !mixes);
    std::uint32_t memory_values = 1;
    if (form == Form::listed) {
      fill_trie(interleave, arguments.size());
      memory_values = interleave.mixed() + 1;
    }
    if (form == Form::movement) memory_values = static_cast<std::uint32_t>(arguments.size()) + 1;
    if (form == Form::uniform) find_twins(interleave, arguments);
    interleave.memory = allocate(static_cast<std::uint32_t>(std::bit_width(memory_values - 1)));
    for (const ExpressionPtr& argument : expression.arguments()) {
      interleave.min_units.push_back(argument->min_units());
      interleave.max_units.push_back(argument->max_units());
      interleave.counts_units = interleave.counts_units || argument->min_units() != argument->max_units();
    }
    const bool any_mass = form == Form::listed && std::any_of(expression.delta().shuffles.begin(),
                                                              expression.delta().shuffles.end(), std::identity{});
    interleave.counts_units = interleave.counts_units && (form == Form::uniform || any_mass);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      bool varies = interleave.counts_units && interleave.min_units[k] != interleave.max_units[k];
      interleave.units.push_back(varies ? allocate(static_cast<std::uint32_t>(std::bit_width(interleave.max_units[k])))
                                        : Field{});
    }
    graph_.nodes_[number].interleave = static_cast<std::uint32_t>(graph_.interleaves_.size());
    graph_.interleaves_.push_back(std::move(interleave));
    return number;
  }

  static void fill_trie(Interleave& interleave, std::size_t arguments) {
    auto& trie = interleave.trie;
    trie.push_back({std::vector<std::uint32_t>(arguments, kNone), kNone});
    const auto& listed = interleave.delta->listed;
    for (std::uint32_t number = 0; number < listed.size(); ++number) {
      std::uint32_t at = 0;
      for (std::uint32_t k : listed[number].permutation) {
        if (trie[at].next[k] == kNone) {
          trie[at].next[k] = static_cast<std::uint32_t>(trie.size());
          trie.push_back({std::vector<std::uint32_t>(arguments, kNone), kNone});
          if (trie.size() * arguments > kMaxEdges) ExpressionElements::fail_as_too_large();
        }
        at = trie[at].next[k];
      }
      trie[at].listed = number;
    }
  }

  void find_twins(Interleave& interleave, std::span<const std::uint32_t> arguments) const {
    std::unordered_map<std::size_t, std::vector<std::uint32_t>> by_hash;
    for (std::uint32_t k = 0; k < arguments.size(); ++k) {
      const Expression& argument = elements_.expression(arguments[k]);
      auto& candidates = by_hash[argument.hash()];
      auto equal = std::find_if(candidates.begin(), candidates.end(), [&](std::uint32_t other) {
        return elements_.expression(arguments[other]) == argument;
      });
      interleave.twin.push_back(equal == candidates.end() ? kNone : *equal);
      if (equal == candidates.end())
        candidates.push_back(k);
      else
        *equal = k;
    }
  }

  [[noreturn]] static void too_wide() {
    throw InputError("too many parts of the expression can be open at once: its cuts need more than " +
                     std::to_string(WidlGraph::kMaxBits) + " bits (a bag takes one for each word)");
  }

  // Automata (widl_automaton.cpp).

  /// Builds one automaton for alternatives, each a row of elements with the choices made by entering it.
  NodeId compile_automaton(const std::vector<std::pair<Elements, std::uint32_t>>& alternatives, const Entry& entry);
  /// Consecutive elements, entered and left like `whole`.
  void add_row_of_tasks(const Elements& elements, const Task& whole);
  void build(Task task, NodeId automaton, std::vector<RawEdge>& edges);
  /// One edge for a word, or for all the words of a lock.
  void add_edge(const Task& task, NodeId automaton, std::vector<RawEdge>& edges);
  /// The paths without a word from a vertex, including the empty path.
  std::vector<EmptyEdge> empty_paths(std::uint32_t from);
  /// Replaces edges without a word by combined edges: each is merged with the word after it or, at the exit and where
  /// it leaves a lock, which is then closed, with the word before it. Drops paths without any word, and edges that are
  /// no longer on a path from entry to exit.
  void remove_empty_edges(std::vector<RawEdge>& edges);
  /// Drops edges that are not on a path from vertex 0 to vertex 1.
  static void keep_useful(std::vector<RawEdge>& edges, std::uint32_t count);
  void finish_automaton(NodeId number, std::vector<RawEdge>& edges);

  ExpressionElements elements_;
  SentenceWords& words_;
  WidlGraph& graph_;
  std::uint32_t cursor_ = 0;
  std::vector<WidlGraph::Vertex> vertices_;  // of the automaton being built
  std::vector<Task> tasks_;
  std::unordered_map<std::uint32_t, std::vector<EmptyEdge>> empty_;  // by the vertex that they leave
};

}  // namespace widl
