"""`widl headline`: headlines of documents."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from widl.cli.options import Cluster, output_stream, resumable

app = typer.Typer(no_args_is_help=True, help="Headlines of documents: ten words, or seventy-five bytes.")

_THREADS = os.cpu_count() or 1


@app.command("train", short_help="Learn from documents with headlines.")
def train(
    pairs: Annotated[
        list[Path],
        typer.Argument(
            help="Documents with headlines, and at the end the directory to make: JSON lines with text and headline, "
            "or directories of DUC files.",
            metavar="PAIRS... MODEL_DIR",
        ),
    ],
    lm_text: Annotated[
        list[Path] | None,
        typer.Option(help="Running text for the general language model, one sentence a line. Repeatable."),
    ] = None,
    order: Annotated[int, typer.Option(min=2, max=6, help="Longest n-grams of the language models.")] = 3,
    parser: Annotated[
        str | None,
        typer.Option(help="A spaCy pipeline, by name or path; else en_core_web_sm if installed, or widl's own."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a model that is there.")] = False,
    threads: Annotated[int, typer.Option(min=1, help="Processes that parse.")] = _THREADS,
    seed: Annotated[int, typer.Option(help="Seed of what is left to chance.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing on the way.")] = False,
) -> None:
    """Learn from documents with headlines: which words headlines take over, in which form, and how they go on.

    With fewer than 50 headlines only language models are made, and keywords are weighed by frequency and place.
    Run the same command again to resume an interrupted training.

    \b
      widl headline train news.jsonl headlines
    """
    from widl.errors import InputError
    from widl.pipeline.headline_training import HeadlineTraining, train_headlines
    from widl.pipeline.progress import progress_bars

    if len(pairs) < 2:
        raise InputError(f"{pairs[0]}: name documents to train from, and then the directory to make")
    *files, directory = pairs
    training = HeadlineTraining(pairs=files, text=lm_text or (), order=order, parser=parser, threads=threads, seed=seed)
    start = time.perf_counter()
    with resumable(), progress_bars(quiet=quiet) as progress:
        manifest = train_headlines(training, directory, overwrite=overwrite, progress=progress)
    if not quiet:
        made_from = manifest.training
        typer.echo(
            f"{directory}: {made_from['documents']} documents, {made_from['pairs']} headlines, "
            f"{time.perf_counter() - start:.1f} seconds",
            err=True,
        )


@app.command("generate", short_help="Make the headlines of documents.")
def generate(
    model: Annotated[Path, typer.Argument(help="A directory made by 'widl headline train'.", metavar="MODEL_DIR")],
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Documents: text, JSON lines, SGML, directories; stdin when there is none."),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Where to write instead of stdout.")] = None,
    system: Annotated[str, typer.Option(help="widl, lead, hedge-trimmer, topiary, keywords or webcl.")] = "widl",
    words: Annotated[int, typer.Option(min=0, help="At most so many words; 0: no such limit.")] = 10,
    max_bytes: Annotated[
        int, typer.Option("--bytes", min=0, help="At most so many bytes, as DUC had 75; 0: no such limit.")
    ] = 0,
    search: Annotated[str, typer.Option(help="astar (exact), astar-k, beam or bfs.")] = "astar",
    k: Annotated[int, typer.Option(min=0, help="astar-k: how many words a state may lag behind the longest.")] = 2,
    beam_size: Annotated[int, typer.Option(min=0, help="beam: states kept of a length; 0: all.")] = 100,
    sentences: Annotated[int, typer.Option(min=1, max=4, help="Phrases come from so many first sentences.")] = 3,
    phrases: Annotated[int, typer.Option(min=1, help="So many phrases of a document, the most promising.")] = 100,
    present_tense: Annotated[bool, typer.Option(help="Put verbs as headlines do: 'falls' for 'fell'.")] = True,
    max_seconds: Annotated[float, typer.Option(min=0, help="Budget of a document's search; 0: none.")] = 2.0,
    weights: Annotated[Path | None, typer.Option(help="A TOML file of weights instead of the model's.")] = None,
    parser: Annotated[str | None, typer.Option(help="A spaCy pipeline instead of the model's.")] = None,
    nbest: Annotated[int, typer.Option(min=1, help="With --json: so many candidates a document.")] = 1,
    upper: Annotated[bool, typer.Option("--upper", help="Headlines in capitals.")] = False,
    ids: Annotated[bool, typer.Option("--ids", help="Each document's identifier before its headline.")] = False,
    threads: Annotated[int, typer.Option(min=1, help="Processes that parse and search.")] = _THREADS,
    cluster: Cluster = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a document, with all scores.")] = False,
) -> None:
    """Make the headlines of documents, one line each, in their order.

    A document that can't be read or has no words gets an empty line and a message; the others follow, and the exit
    code is 1.

    \b
      widl headline generate headlines story.txt more.jsonl --ids
      widl headline generate headlines duc/ --words 0 --bytes 75
    """
    from widl.headline import HeadlineOptions, Headliner
    from widl.headline.budget import Budget
    from widl.headline.documents import read_documents
    from widl.headline.expression import PhraseOptions
    from widl.pipeline.cluster import open_engine

    options = HeadlineOptions(
        system=system,
        budget=Budget(words, max_bytes),
        search=search,
        k=k,
        beam_size=beam_size,
        max_seconds=max_seconds,
        nbest=nbest,
        phrases=PhraseOptions(sentences=sentences, most=phrases, present_tense=present_tense),
        upper=upper,
    )
    headliner = Headliner(model, weights=weights, parser=parser)
    documents = read_documents(files or None)
    failed = 0
    with (
        open_engine(cluster, threads=threads, tell=lambda text: typer.echo(text, err=True)) as engine,
        output_stream(output) as out,
    ):
        for headline in headliner.generate(documents, options, engine=engine):
            if headline.message:
                typer.echo(f"{headline.identifier}: {headline.message}", err=True)
            failed += headline.failed
            if as_json:
                out.write(headline.to_json() + "\n")
            else:
                out.write((f"{headline.identifier}\t" if ids else "") + headline.text + "\n")
            if out is sys.stdout:
                out.flush()
    if failed:
        raise typer.Exit(1)
