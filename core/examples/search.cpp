// Searches the expression  ∥uniform(rebels, ∨{0.7, 0.3}(fighting, attacked), ×(in · iraq), the)  without Python:
//
//   make core-tests && build/core-tests/search-example core/examples/model.arpa
//
// Step through it: gdb --args build/core-tests/search-example core/examples/model.arpa, then `break
// widl::SearchRun<widl::GraphUnfolding<1> >::unfold`. The core's README names the files on the way.

#include <cstdio>
#include <string>
#include <vector>

#include "expression/expression.hpp"
#include "expression/vocabulary.hpp"
#include "lm/language_model.hpp"
#include "search/graph_realizer.hpp"

int main(int argc, char** argv) {
  using namespace widl;
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MODEL.arpa\n", argv[0]);
    return 2;
  }
  const auto word = [](const char* text) { return Expression::word(text); };
  const ExpressionPtr verb = Expression::disjunction({word("fighting"), word("attacked")}, {{0.7}, {0.3}});
  const ExpressionPtr place = Expression::lock(Expression::precedence({word("in"), word("iraq")}));
  const ExpressionPtr bag =
      Expression::interleave({word("rebels"), verb, place, word("the")}, InterleaveDistribution::uniform());

  const auto language_model = LanguageModel::load(argv[1]);
  Vocabulary vocabulary;
  const ScoringModels models(vocabulary, {language_model.get()});
  const WeightVector weights{.widl = {1.0}, .language_models = {1.0}};
  SearchOptions options{.search = AStar{}};
  options.output.nbest = 3;
  Budget budget(options.limits);
  const Realization realization = realize(*bag, models, weights, options, budget);

  for (const Derivation& derivation : realization.nbest) {
    std::printf("%9.4f ", derivation.score);
    for (const std::string& text : derivation.words) std::printf(" %s", text.c_str());
    std::printf("\n");
  }
  std::printf("bound %.4f: %s\n", realization.certificate.bound,
              realization.certificate.optimal() ? "optimal" : "not proved");
  const std::vector<std::string> expected = {"the", "rebels", "fighting", "in", "iraq"};
  return realization.certificate.optimal() && realization.nbest.front().words == expected ? 0 : 1;
}
