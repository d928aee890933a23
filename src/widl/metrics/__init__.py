"""Metrics of texts: BLEU, chrF, TER, ROUGE and a user's functions, as statistics of sentences and scores of corpora."""

from widl.metrics.metric import MetricOptions
from widl.metrics.objective import METRICS, Objective, parse_objective

__all__ = ["METRICS", "MetricOptions", "Objective", "parse_objective"]
