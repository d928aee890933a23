"""What `--help` of a command with many options shows first, and what its groups of options are for."""

FIRST: dict[str, tuple[str, ...]] = {
    "translate": (
        *("--output", "--search", "--nbest", "--glossary", "--unknown", "--max-seconds", "--weights", "--threads"),
        *("--json", "--quiet"),
    ),
    **dict.fromkeys(
        ("tune translation", "tune headline"),
        (
            *("--source", "--reference", "--output", "--job", "--metric", "--algorithm", "--candidates"),
            *("--max-iterations", "--threads", "--quiet"),
        ),
    ),
    "tune combination": (
        *("--reference", "--output", "--weights", "--lm", "--job", "--metric", "--algorithm", "--candidates"),
        *("--max-iterations", "--threads", "--quiet"),
    ),
    "tune nbest": (
        *("--reference", "--output", "--weights", "--metric", "--algorithm", "--restarts", "--report", "--threads"),
        "--json",
    ),
    "train": (
        *("--bitext", "--lm-text", "--phrase-table", "--language-model", "--dictionary", "--source-language"),
        *("--target-language", "--tokenized", "--threads", "--overwrite", "--quiet"),
    ),
    "headline generate": (
        *("--output", "--words", "--bytes", "--system", "--must", "--without", "--nbest", "--letters", "--ids"),
        *("--threads", "--json"),
    ),
    "realize": (
        *("--lm", "--weights", "--search", "--nbest", "--max-words", "--max-seconds", "--draw"),
        *("--threads", "--json"),
    ),
    "combine": (
        *("--output", "--weights", "--lm", "--must", "--without", "--glossary", "--source", "--nbest"),
        *("--max-seconds", "--expression", "--threads", "--json"),
    ),
    "order": (
        *("--lm", "--baseline", "--weights", "--search", "--nbest", "--max-seconds", "--threads"),
        "--json",
    ),
}
"""The options that matter first, by command; others than these commands show all."""

ABOUT: dict[str, str] = {
    "Budget options": "how long a headline may be",
    "Budgets": "when a search ends before it is done",
    "Candidates and lattices": "more than the best translation",
    "Cleaning options": "pairs of text that are left out",
    "Combination": "skeletons, and what comes in",
    "Combination options": "more than the best combination",
    "Extraction space options": "memory, and files where it is short",
    "Given alignments options": "word alignments made elsewhere",
    "Headline options": "which headlines, and how they are written",
    "Metric options": "how metrics count",
    "Optimizer options": "how weights are found",
    "Options": "files, weights, and how the command works",
    "Phrase options": "what headlines are made of",
    "Realization options": "more than the best derivation",
    "Scoring options": "how phrase pairs are scored",
    "Search": "speed against exactness",
    "Terms, names and unknown words": "what the phrase table lacks",
    "Text": "input that is tokens already",
    "Text settings": "the languages and their tokens",
    "Training options": "what the model learns",
    "Tuning options": "decodings, and when to stop",
}
"""What the groups of these commands' options are for."""
