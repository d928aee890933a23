"""Outputs of front ends that print or draw their expressions instead of searching them."""

from collections.abc import Callable, Collection, Mapping
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from widl.cli.parameters import Json, Output, make_directory
from widl.cli.pictures import DrawExpressions, write_numbered_picture
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.common.options import option_set, refuse_unread
from widl.decoder import format_weights
from widl.expressions import Expression, draw_expression, to_json
from widl.expressions.drawing import check_picture_name


@option_set
class ExpressionOutputs:
    """What is written, where, and in which form."""

    output: Output = None
    expression: bool = False
    "Print the searched WIDL-expressions instead of their best strings."
    draw: DrawExpressions = None
    expression_models: Annotated[Path | None, Parameter(metavar="DIR")] = None
    "With --expression: folder for what 'widl realize' needs: weights.toml and, of documents, 1.txt … for their models."
    json: Json = False

    @property
    def of_expressions(self) -> bool:
        """Whether expressions are printed or drawn, and nothing is searched."""
        return self.expression or self.draw is not None

    def check_expressions(self, options: Any, reads: Collection[str]) -> None:
        """Refuses options that expressions do not depend on, names of pictures, and outputs without --expression."""
        if self.of_expressions:
            refuse_unread(options, "--expression", reads)
        if self.expression_models is not None and not self.of_expressions:
            raise InputError("--expression-models needs --expression")
        if self.draw is not None:
            check_picture_name(self.draw)

    def write_weights(self, weights: Mapping[str, float]) -> None:
        """Makes the folder of --expression-models, with these weights."""
        if self.expression_models is not None:
            make_directory(self.expression_models)
            with write_text(self.expression_models / "weights.toml") as file:
                file.write(format_weights(weights))

    def writer(self) -> Callable[[Expression], str]:
        """A function that draws an expression, with a number if it is not the first, and returns its printed form."""
        numbers = count(1)

        def written(expression: Expression) -> str:
            if self.draw is not None:
                write_numbered_picture(draw_expression(expression), self.draw, next(numbers))
            return to_json(expression) if self.json else str(expression)

        return written
