#include "expression/widl_graph_compiler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "errors.hpp"

namespace widl {

template <class Compile>
void WidlGraphCompiler::compile_by_turns(NodeId number, std::size_t count, Compile&& compile_child) {
  graph_.nodes_[number].after = static_cast<std::uint32_t>(count + 1);
  graph_.nodes_[number].bits = allocate(static_cast<std::uint32_t>(std::bit_width(count + 1)));
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

std::uint32_t WidlGraphCompiler::with_row(std::uint32_t logs, const std::vector<double>& probabilities) {
  std::size_t components = graph_.components_;
  auto row = static_cast<std::uint32_t>(graph_.rows_++);
  for (std::size_t j = 0; j < components; ++j) {
    double p = std::log(probabilities[probabilities.size() == 1 ? 0 : j]);
    graph_.logs_.push_back(p + (logs == kNone ? 0 : graph_.logs_[logs * components + j]));
  }
  return row;
}

std::uint32_t WidlGraphCompiler::joined_rows(std::uint32_t a, std::uint32_t b) {
  if (a == kNone || b == kNone) return a == kNone ? b : a;
  const std::size_t components = graph_.components_;
  for (std::size_t j = 0; j < components; ++j)
    graph_.logs_.push_back(graph_.logs_[a * components + j] + graph_.logs_[b * components + j]);
  if (graph_.rows_ > kMaxEdges) ExpressionElements::fail_as_too_large();
  return static_cast<std::uint32_t>(graph_.rows_++);
}

WidlGraph::Field WidlGraphCompiler::allocate(std::uint32_t width) {
  if (width == 0) return {};
  if (cursor_ % 64 + width > 64) cursor_ = (cursor_ / 64 + 1) * 64;
  Field field{cursor_, width};
  cursor_ += width;
  if (cursor_ > WidlGraph::kMaxBits) too_wide();
  graph_.bits_ = std::max(graph_.bits_, cursor_);
  return field;
}

WidlGraph::NodeId WidlGraphCompiler::add_node(NodeKind kind, const Entry& entry) {
  Node node;
  node.kind = kind;
  node.locked = node.has_lock = entry.locked;
  node.entry_logs = entry.logs;
  graph_.nodes_.push_back(node);
  return static_cast<NodeId>(graph_.nodes_.size() - 1);
}

void WidlGraphCompiler::adopt(NodeId parent, const std::vector<NodeId>& children) {
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

WidlGraph::NodeId WidlGraphCompiler::compile(Elements elements, Entry entry, std::size_t depth) {
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

WidlGraph::NodeId WidlGraphCompiler::compile_sequence(const Elements& elements, const Entry& entry, std::size_t depth) {
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

WidlGraph::NodeId WidlGraphCompiler::compile_parts(const std::vector<Elements>& parts, const Entry& entry,
                                                   std::size_t depth) {
  if (parts.size() == 1) return compile(parts[0], entry, depth + 1);
  NodeId number = add_node(NodeKind::sequence, entry);
  compile_by_turns(number, parts.size(), [&](std::size_t k) { return compile(parts[k], {}, depth + 1); });
  return number;
}

std::vector<WidlGraphCompiler::Selection> WidlGraphCompiler::without_empty_parts(const std::vector<Elements>& parts) {
  std::vector<Selection> selections(1);
  for (const Elements& part : parts) {
    const bool has_words = std::any_of(part.begin(), part.end(),
                                       [&](const Element& element) { return elements_.at(element).max_units() > 0; });
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

std::vector<std::uint32_t> WidlGraphCompiler::empty_rows(const Elements& elements, std::size_t depth) {
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

WidlGraph::NodeId WidlGraphCompiler::compile_choice(const Element& element, const Entry& entry, std::size_t depth) {
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

WidlGraph::NodeId WidlGraphCompiler::compile_tiles(const Element& element, const Entry& entry, std::size_t depth) {
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

WidlGraph::NodeId WidlGraphCompiler::compile_interleave(const Element& element, const Entry& entry, std::size_t depth) {
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

void WidlGraphCompiler::fill_trie(Interleave& interleave, std::size_t arguments) {
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

void WidlGraphCompiler::find_twins(Interleave& interleave, std::span<const std::uint32_t> arguments) const {
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> by_hash;
  for (std::uint32_t k = 0; k < arguments.size(); ++k) {
    const Expression& argument = elements_.expression(arguments[k]);
    auto& candidates = by_hash[argument.hash()];
    auto equal = std::find_if(candidates.begin(), candidates.end(),
                              [&](std::uint32_t other) { return elements_.expression(arguments[other]) == argument; });
    interleave.twin.push_back(equal == candidates.end() ? kNone : *equal);
    if (equal == candidates.end())
      candidates.push_back(k);
    else
      *equal = k;
  }
}

void WidlGraphCompiler::too_wide() {
  throw InputError("too many parts of the expression can be open at once: its cuts need more than " +
                   std::to_string(WidlGraph::kMaxBits) + " bits (a bag takes one for each word)");
}

// Automata.

WidlGraph::NodeId WidlGraphCompiler::compile_automaton(
    const std::vector<std::pair<Elements, std::uint32_t>>& alternatives, const Entry& entry) {
  NodeId number = add_node(NodeKind::automaton, {kNone, false});
  std::vector<RawEdge> edges;
  vertices_.assign(2, {});
  tasks_.clear();
  empty_.clear();
  for (const auto& [elements, logs] : alternatives) {
    // Each of the automaton's first edges makes the choices that precede the automaton.
    std::uint32_t all = logs == kNone ? entry.logs : logs;
    if (entry.logs != kNone && logs != kNone) throw InternalError("an automaton has two entry rows");
    add_row_of_tasks(elements, {{}, 0, 1, all, entry.locked, entry.locked});
  }
  while (!tasks_.empty()) {
    Task task = tasks_.back();
    tasks_.pop_back();
    build(task, number, edges);
  }
  if (!empty_.empty()) remove_empty_edges(edges);
  finish_automaton(number, edges);
  return number;
}

void WidlGraphCompiler::add_row_of_tasks(const Elements& elements, const Task& whole) {
  std::uint32_t from = whole.from;
  if (elements.empty()) empty_[from].push_back({whole.to, whole.logs, whole.lock_units});
  for (std::size_t i = 0; i < elements.size(); ++i) {
    bool last = i + 1 == elements.size();
    std::uint32_t to = last ? whole.to : static_cast<std::uint32_t>(vertices_.size());
    if (!last) vertices_.push_back({0, 0, whole.locked});
    tasks_.push_back({elements[i], from, to, i == 0 ? whole.logs : kNone, i == 0 ? whole.lock_units : 0, whole.locked});
    from = to;
  }
}

void WidlGraphCompiler::build(Task task, NodeId automaton, std::vector<RawEdge>& edges) {
  switch (elements_.kind(task.element)) {
    case Kind::word:
      return add_edge(task, automaton, edges);
    case Kind::lock: {
      if (!task.locked) task.lock_units = 1;
      task.locked = true;
      if (elements_.of(task.element.node).pure) return add_edge(task, automaton, edges);
      return add_row_of_tasks(elements_.flatten({elements_.only_argument(task.element)}), task);
    }
    case Kind::interleave:
      return add_row_of_tasks(elements_.flatten({elements_.only_argument(task.element)}), task);
    case Kind::disjunction:
      for (auto [branch, k] : elements_.branches(task.element)) {
        Task chosen = task;
        chosen.logs = with_row(task.logs, elements_.at(task.element).probabilities()[k]);
        if (graph_.rows() > kMaxEdges) ExpressionElements::fail_as_too_large();
        add_row_of_tasks(elements_.flatten({branch}), chosen);
      }
      return;
    case Kind::precedence:
      return add_row_of_tasks(elements_.flatten({task.element}), task);
    case Kind::tiles:
      throw InternalError("tiles are no part of an automaton");
  }
}

void WidlGraphCompiler::add_edge(const Task& task, NodeId automaton, std::vector<RawEdge>& edges) {
  WidlGraph::Edge edge{};
  edge.node = automaton;
  edge.to = task.to;
  edge.first_word = static_cast<std::uint32_t>(graph_.words_.size());
  Elements rest = {task.element};
  while (!rest.empty()) {
    Element next = rest.back();
    rest.pop_back();
    if (elements_.kind(next) == Kind::word) {
      graph_.words_.push_back(words_.id(elements_.at(next).text()));
      if (graph_.words_.size() > kMaxEdges) ExpressionElements::fail_as_too_large();
      continue;
    }
    auto parts = elements_.arguments(next.node);
    for (std::size_t k = parts.size(); k-- > 0;) rest.push_back({parts[k], false, 0});
  }
  edge.word_count = static_cast<std::uint32_t>(graph_.words_.size()) - edge.first_word;
  edge.logs = task.logs;
  edge.units = task.locked ? task.lock_units : 1;
  edge.phrases = task.element.continues ? 0 : 1;
  edge.position = task.element.position;
  edges.push_back({task.from, edge});
}

std::vector<WidlGraphCompiler::EmptyEdge> WidlGraphCompiler::empty_paths(std::uint32_t from) {
  std::vector<EmptyEdge> paths = {{from, kNone, 0}};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    auto entry = empty_.find(paths[i].to);
    if (entry == empty_.end()) continue;
    for (const EmptyEdge& edge : entry->second) {
      paths.push_back({edge.to, joined_rows(paths[i].logs, edge.logs), paths[i].lock_units + edge.lock_units,
                       paths[i].unlocked + !vertices_[edge.to].locked});
      if (paths.size() > kMaxEdges) ExpressionElements::fail_as_too_large();
    }
  }
  return paths;
}

void WidlGraphCompiler::remove_empty_edges(std::vector<RawEdge>& edges) {
  const std::uint32_t count = static_cast<std::uint32_t>(vertices_.size());
  std::vector<std::vector<EmptyEdge>> paths;
  for (std::uint32_t v = 0; v < count; ++v) paths.push_back(empty_paths(v));
  std::vector<std::vector<WidlGraph::Edge>> leaving(count);
  auto with_path = [&](WidlGraph::Edge edge, const EmptyEdge& path) {
    edge.logs = joined_rows(path.logs, edge.logs);
    edge.units += path.lock_units;
    return edge;
  };
  for (const RawEdge& raw : edges) {
    leaving[raw.from].push_back(raw.edge);
    const bool in_lock = vertices_[raw.edge.to].locked;
    for (const EmptyEdge& path : paths[raw.edge.to]) {
      const bool leaves_lock = in_lock && path.unlocked == 1 && !vertices_[path.to].locked;
      if ((path.to == 1 && raw.edge.to != 1) || leaves_lock) {
        leaving[raw.from].push_back(with_path(raw.edge, path));
        leaving[raw.from].back().to = path.to;
      }
    }
  }
  edges.clear();
  for (std::uint32_t v = 0; v < count; ++v)
    for (const EmptyEdge& path : paths[v]) {
      if (vertices_[v].locked && path.unlocked) continue;
      for (const WidlGraph::Edge& edge : leaving[path.to]) edges.push_back({v, with_path(edge, path)});
      if (edges.size() > kMaxEdges) ExpressionElements::fail_as_too_large();
    }
  keep_useful(edges, count);
}

void WidlGraphCompiler::keep_useful(std::vector<RawEdge>& edges, std::uint32_t count) {
  auto reached = [&](std::uint32_t start, bool forward) {
    std::vector<std::vector<std::uint32_t>> beside(count);
    for (const RawEdge& raw : edges)
      beside[forward ? raw.from : raw.edge.to].push_back(forward ? raw.edge.to : raw.from);
    std::vector<char> seen(count);
    std::vector<std::uint32_t> rest = {start};
    seen[start] = 1;
    while (!rest.empty()) {
      std::uint32_t v = rest.back();
      rest.pop_back();
      for (std::uint32_t w : beside[v])
        if (!std::exchange(seen[w], 1)) rest.push_back(w);
    }
    return seen;
  };
  const std::vector<char> from_entry = reached(0, true), to_exit = reached(1, false);
  std::erase_if(edges, [&](const RawEdge& raw) { return !from_entry[raw.from] || !to_exit[raw.edge.to]; });
}

void WidlGraphCompiler::finish_automaton(NodeId number, std::vector<RawEdge>& edges) {
  std::stable_sort(edges.begin(), edges.end(), [](const RawEdge& a, const RawEdge& b) { return a.from < b.from; });
  Node& node = graph_.nodes_[number];
  node.first_vertex = static_cast<std::uint32_t>(graph_.vertices_.size());
  node.vertex_count = static_cast<std::uint32_t>(vertices_.size());
  node.bits = allocate(static_cast<std::uint32_t>(std::bit_width(vertices_.size() - 1)));
  for (const RawEdge& raw : edges) {
    WidlGraph::Vertex& from = vertices_[raw.from];
    if (from.edge_count++ == 0) from.first_edge = static_cast<std::uint32_t>(graph_.edges_.size());
    graph_.edges_.push_back(raw.edge);
  }
  for (const WidlGraph::Vertex& vertex : vertices_) {
    node.has_lock = node.has_lock || vertex.locked;
    graph_.vertices_.push_back(vertex);
  }
  if (graph_.edges_.size() > kMaxEdges) ExpressionElements::fail_as_too_large();
}

}  // namespace widl
