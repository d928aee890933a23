"""Invented results for tests."""

from pathlib import Path

from widl.experiments.config import ExperimentConfig
from widl.experiments.replications import TunedWeights
from widl.experiments.results import MetricScorer, Results, SystemRun, TestSet, mean
from widl.experiments.runner import open_experiment
from widl.pages.tables import Column, Row, Table

REFERENCES = ["the <cat> sat on the mat", "a & b", "dogs bark at night", 'it\'s "quoted" </script>']
OUTPUTS = {
    "first": ["the <cat> sat on a mat", "a & b", "dogs at night", ""],
    "<second>": ["a cat sat down", "a & b", "dogs bark at night", "</script><b>it's"],
    "third": ["mat", "b", "night", "it's"],
}


def make_set(name: str = "lines", outputs: dict[str, list[str]] | None = None, references=None) -> TestSet:
    """Two runs of each system: as given, and with the words of every output reversed."""
    references = references or REFERENCES
    scorer = MetricScorer(["bleu", "ter"], [references])
    systems = {}
    for system, texts in (outputs or OUTPUTS).items():
        runs = []
        for label, result in (("seed-1", texts), ("seed-2", [" ".join(reversed(text.split())) for text in texts])):
            facts = {"seconds": [0.5, None, 1e-6, 2.0], "length": [float(len(text.split())) for text in result]}
            runs.append(SystemRun(label=label, outputs=result, **scorer.scored(result), facts=facts))
        systems[system] = runs
    inputs = [f"input {i} " + "long " * 200 * (i == 2) for i in range(len(references))]
    metrics = [*scorer.metrics, mean("length", better=None)]
    return TestSet(name=name, inputs=inputs, references=[references], metrics=metrics, systems=systems)


def make_experiment(
    directory: Path, config: ExperimentConfig | None = None, *, kind: str = "made-up", test: TestSet | None = None
) -> Results:
    """Makes an experiment that only assembles its inputs."""
    test = test or make_set()
    config = config or ExperimentConfig(resamples=20)
    with open_experiment(config, directory, kind) as run:
        rows = [
            Row(label=name, cells={"bleu": test.figure(name, "bleu"), "n": i}) for i, name in enumerate(test.systems)
        ]
        rows[0] = rows[0].model_copy(update={"paper": {"bleu": 31.5}})
        table = Table(
            name="main",
            title="All & everything",
            columns=[
                Column(name="bleu", digits=2, better="higher", help='"sacrebleu" & co'),
                Column(name="n", digits=0),
            ],
            rows=[*rows, Row(label="Lead-10", paper={"bleu": 20.8})],
            paper="Nobody (1999)",
            notes=["A <note>."],
        )
        settings, weights = {"first": {"a": [1, "<"]}}, {"first": [TunedWeights({"lm0": 0.5}, "seed-1")]}
        return run.finish("Made <up>", [table], [test], settings=settings, weights=weights, notes=["All <made up>."])
