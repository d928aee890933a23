#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace widl {

void bind_alignment(nb::module_& m);
void bind_errors(nb::module_& m);
void bind_language_model(nb::module_& m);
void bind_lattice(nb::module_& m);
void bind_lm_estimator(nb::module_& m);
void bind_mert(nb::module_& m);
void bind_combination(nb::module_& m);
void bind_constraint(nb::module_& m);
void bind_phrase_table(nb::module_& m);
void bind_phrase_table_tools(nb::module_& m);
void bind_vocabulary(nb::module_& m);
void bind_expression(nb::module_& m);
void bind_realizer(nb::module_& m);
void bind_tiling(nb::module_& m);

}  // namespace widl
