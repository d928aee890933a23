#include "bindings.hpp"

NB_MODULE(_core, m) {
  // A user's global variables live until the interpreter ends; that is not a leak to report.
  nb::set_leak_warnings(false);
  m.doc() = "The native core of widl; use the Python packages, which export its names.";
  widl::bind_errors(m);
  widl::bind_language_model(m);
  widl::bind_lm_estimator(m);
  widl::bind_phrase_table(m);
  widl::bind_alignment(m);
  widl::bind_vocabulary(m);
  widl::bind_phrase_table_tools(m);
  widl::bind_expression(m);
  widl::bind_lattice(m);
  widl::bind_realizer(m);
  widl::bind_tiling(m);
  widl::bind_metrics(m);
  widl::bind_mert(m);
  widl::bind_combination(m);
  widl::bind_token_constraint(m);
}
