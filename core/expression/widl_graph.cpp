#include "expression/widl_graph.hpp"

#include <string>

#include "errors.hpp"
#include "expression/widl_graph_compiler.hpp"

namespace widl {

WidlGraph::WidlGraph(const Expression& expression, std::size_t components, SentenceWords& words)
    : components_(components) {
  if (expression.components() > 1 ? expression.components() != components : components < expression.components())
    throw InputError("the expression has " + std::to_string(expression.components()) +
                     " probabilities per choice, but there are weights for " + std::to_string(components) +
                     " WIDL features");
  WidlGraphCompiler(expression, words, *this);
}

}  // namespace widl
