"""Whether the order of words bears out the parse of a subject and its verb."""

from collections.abc import Sequence

from widl.headline.attributions import is_saying
from widl.headline.sentence_tree import SUBJECTS, SentenceTree
from widl.headline.verb_groups import VerbGroups, is_plural, is_single, number_of_verb
from widl.headline.words import Word

_PARTICIPLES = frozenset({"acl", "acl:relcl", "advcl", "amod"})


class SubjectOrder:
    """Looks at the words around a subject and its verb."""

    def __init__(self, tree: SentenceTree, groups: VerbGroups) -> None:
        self._tree = tree
        self._groups = groups

    def contradicts(self, v: int, subject: int) -> bool:
        """Whether something stands between subject and verb that neither owns, or the verb has two subjects."""
        tree = self._tree
        subjects = [c for c in tree.children[v] if tree.words[c].relation in SUBJECTS]
        begins = tree.first(subject) == 0 and tree.last(subject) + 1 == min([v, *self._groups.positions(v)])
        begins = begins and bool(tree.function_words(v, "aux", "cop"))  # Rovers have won
        nominal = tree.words[subject].tag in {"PROPN", "NOUN"} and not begins
        if nominal and number_of_verb(tree, v) and is_single(tree, subject):
            return True
        clauses = [c for c in tree.children[subject] if tree.words[c].relation == "advcl" and c > subject]
        if any(tree.subject(c) is not None for c in clauses) and not tree.comma_before(v):
            return True  # the rise since the pact was within the range agreed in March
        appositions = [tree.first(c) for c in tree.children[subject] if tree.relation(c) == "appos"]
        behind = tree.last(subject) + 1
        seconds = [c for c in tree.children[v] if tree.relation(c) == "conj" and not tree.function_words(c, "cc")]
        open_aside = behind <= v and any(map(tree.comma_before, appositions)) and not tree.comma_before(behind)
        if tree.comma_before(v) and seconds and not tree.function_words(v, "aux", "cop"):
            return True  # the merger, ranked as the largest, can be …
        if open_aside and any(tree.words[c].tag == "VERB" for c in seconds):
            return True  # Smith, author of the hit Rain, has …: the verb is further on
        if len(subjects) > 1 or tree.words[v].relation == "dep" or not self._begins_at(v, tree.first(subject)):
            return True
        group = {v, *self._groups.positions(v)}
        asides = {k for c in tree.children[v] if self._is_aside(c, subject, v) for k in tree.subtree(c)}
        between = [k for k in range(tree.last(subject) + 1, v) if k not in group | asides]
        for k in between:
            owners = [*(c for c in tree.children[v] if c > subject), *(group - {v})]  # have for the first time met
            if tree.words[k].head != v and not any(k in tree.subtree(c) for c in owners):
                return True
            if tree.words[k].tag == "VERB" or (tree.words[k].tag == "ADJ" and tree.words[k].head == v):
                return True  # with their lands idle have
        return tree.last(subject) > v or not tree.is_contiguous(subject)

    def means_another(self, c: int, pronoun: int) -> bool:
        """Whether *it* in a clause is not the subject above it: *firms believe it will help*."""
        above = self._tree.subject(self._tree.words[c].head)
        return self._tree.words[pronoun].key == "it" and above is not None and is_plural(self._tree, above)

    def _is_aside(self, c: int, subject: int, v: int) -> bool:
        """Whether something stands between commas behind the subject: *Acme, in a letter to its owners, said*."""
        tree = self._tree
        begin, end = tree.first(c), tree.last(c)
        if any(tree.words[k].tag == "AUX" for k in tree.subtree(c)) and tree.relation(c) != "acl":
            return False  # a clause of its own
        inside = tree.last(subject) < begin and end < v and tree.is_contiguous(c)
        return inside and tree.comma_before(begin) and tree.comma_before(end + 1)

    def _begins_at(self, v: int, start: int) -> bool:
        """Whether a subject starts here by the order of words, too: *one diplomat* after *all but* does not."""
        tree = self._tree
        inner = tree.relation(v) == "ccomp" and tree.words[v].head < start
        if start == 0 or (tree.comma_before(start) and not inner):
            return True
        before = tree.words[start - 1]
        if before.tag == "CCONJ":
            head = tree.words[v].head
            return tree.relation(v) == "conj" and head < start - 1 and tree.words[head].tag == "VERB"
        if before.key in {"that", "while", "as", "when", "because", "if", "after", "before", "since"}:
            return True
        # After the verb of saying, its adverbs or times: "said on Monday prices …".
        head = tree.words[v].head
        between = [c for c in tree.children[head] if c != v and head < tree.first(c) < start]
        if tree.comma_before(start) and tree.first(v) == start and not between:
            return True  # said, "prices …"
        told = tree.words[head].lemma == "tell"
        adverbial = told or all(tree.relation(c) in {"obl", "advmod", "iobj", "mark"} for c in between)
        return head != v and adverbial and (start - 1 == head or any(start - 1 in tree.subtree(c) for c in between))


def parser_knows_more(parsed: Sequence[Word], read: Sequence[Word], verb: int) -> bool:
    """Whether the parser has a participle or a verb with a clause behind it where word order has a main verb."""
    alone = not any(word.head == verb and word.relation.startswith("aux") for word in read[:verb])
    clause = any(word.head == verb and word.relation == "ccomp" for word in parsed[verb + 1 :])
    return (alone and parsed[verb].relation in _PARTICIPLES) or (clause and not is_saying(parsed[verb]))
