#include "expression/widl_graph_compiler.hpp"

// The automata of a WIDL-graph: sub-expressions without interleaves, where a choice may be made by following an edge.

namespace widl {

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
    if (entry.logs != kNone && logs != kNone) throw InternalError("an automaton is entered in one way");
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
    tasks_.push_back({elements[i], from, to, i == 0 ? whole.logs : kNone, i == 0 ? whole.lock_units : 0,
                      whole.locked});
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
  node.place = allocate(static_cast<std::uint32_t>(std::bit_width(vertices_.size() - 1)));
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
