"""Options of training, and which of them are read."""

from typing import ClassVar

from widl.common.option_values import Count, Switch, WholeNumbers
from widl.common.options import Modes, option_set
from widl.phrase_table.extraction import DEFAULT_LENGTH, ExtractionOptions, LengthOption, Smoothing
from widl.phrase_table.given_alignment import GivenAlignments
from widl.phrase_table.reordering import REORDERING, ReorderingOption
from widl.phrase_table.symmetrization import DEFAULT_METHOD, MethodOption
from widl.pipeline.training_lm import OrderOption
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings

ALIGNMENT_MODES = Modes(
    "links",
    reads={"own": ("symmetrization",), "given": ()},
    called={"own": "alignments of both directions", "given": "text with symmetrized alignments"},
)
WORD_MODES = Modes(
    "words",
    reads={"Chinese": ("rare_words",), "other": ()},
    called={"Chinese": "raw Chinese text", "other": "text that is tokenized or not Chinese"},
)


@option_set
class TrainingOptions:
    """Options of `train`.

    If the parallel text is `tokenized` already, `text` says how text to translate is tokenized. Given `alignments`
    replace the word aligner's.
    """

    MODES: ClassVar[tuple[Modes, ...]] = (ALIGNMENT_MODES, WORD_MODES)

    order: OrderOption = None
    "Order of the language model. Default: 3; 4 from 1 million words of text, 5 from 10 million."
    lm_bitext: Switch = True
    "Estimate the language model from the bitext, too; otherwise only from --lm-text, or use only existing models."
    prune: WholeNumbers = ()
    "Drop n-grams of the language model that occur at most N times: one N per order, the last for higher orders."
    max_phrase_length: LengthOption = DEFAULT_LENGTH
    "Maximum number of words of a phrase, on either side."
    smoothing: Smoothing = ExtractionOptions.smoothing
    "Smoothing of phrase translation probabilities: kneser-ney, or none, as in Moses."
    symmetrization: MethodOption = DEFAULT_METHOD
    "Symmetrization heuristic for the alignments of both directions, with Moses' names."
    text: TextSettings = TextSettings()
    cleaning: Cleaning = Cleaning()
    rare_words: Count = 2
    "Split Chinese words that occur at most N times into more frequent words; 0: split none."
    tokenized: bool = False
    "The bitext is already tokenized; keep its tokens."
    alignments: GivenAlignments | None = None
    reordering: ReorderingOption = REORDERING
    "Reordering model of phrase pairs: msd-bidirectional-fe, or none."

    @property
    def links(self) -> str:
        """Whether the links of words are given, or symmetrized here."""
        return "given" if self.alignments is not None and self.alignments.alignment else "own"

    @property
    def words(self) -> str:
        """Whether a Chinese segmenter made the words; only these can be split."""
        return "Chinese" if self.text.source_language == "zh" and not self.tokenized else "other"

    @property
    def needs_segmentation(self) -> bool:
        """Whether rare words are split; words with given alignments are never split."""
        return self.rare_words > 0 and self.words == "Chinese"
