"""What stands before and after the text of a news story: datelines, marks of agencies, bylines, dates of publication.

No headline has any of it.
"""

import re

from widl.headline.word_lists import CLASSES, word_set

_DASH = r"(?:--?|–|—|_)"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_DATE = rf"(?:{_MONTH} [0-9]{{1,2}}|[0-9]{{1,2}} {_MONTH}|[A-Z][A-Za-z]{{2,8}}\.? [0-9]{{1,2}})(?:,? [12][0-9]{{3}})?"
_CAPITALS = r"[A-Z][A-Z.'’]+(?:[ -][A-Z][A-Z.'’]*){0,4}"
_REGION = r"(?:, [A-Z][\w.’' -]{1,30}?){0,2}?"
_PLACE = rf"{_CAPITALS}(?:/{_CAPITALS})?{_REGION}"
_MIXED = r"[A-Z][a-z]+\.?(?:[ -][A-Z][a-z]+\.?){0,3}(?:, [A-Z][\w. ]{1,20}?)?"
_AGENCY = r"(?:\([A-Z][\w/.& '’-]{1,39}\)|\[[A-Z][\w/.& '’-]{1,39}\]|/ ?[A-Z][\w ]{1,30}/)"
_MARK = rf"(?:{_AGENCY}|\([a-z]{{2,20}}(?:\.com)?\))"
_BEGIN = r"(?=[A-Z0-9\"“„«‘'`$€£(])"
"""How the text behind a dateline begins."""

_FUNCTION = (
    r"(?:AFTER|ALL|ALONG|AMID|BEFORE|BEHIND|BEYOND|BOTH|DESPITE|DURING|FOR|FROM|HALF|HERE|INTO|JUST|LIKE|MORE|NEARLY|NOT"
    r"|ONCE|ONLY|OVER|QUITE|SUCH|THAN|THAT|THERE|THIS|THROUGH|UNDER|UNTIL|UPON|WAS|WHAT|WHEN|WHERE|WHILE|WITH\w*)\b"
)
"""Words in capitals at the beginning of a text that are no place: *AFTER A long strike*."""
_DATELINES = tuple(
    re.compile(pattern)
    for pattern in (
        # OLY--Marathon,0058 BULLETIN ATHENS, Greece (AP) -- Ada Holm
        rf"[^.!?\"“]{{0,80}}?\b{_PLACE} \((?:AP|AFP|CNN|UPI|Reuters)\) ?{_DASH} ?{_BEGIN}",
        # UPDATE 1-LONDON; washingtonpost.com - WeatherBug; Canadian Press - OTTAWA (CP) - A group; AP -- A storm
        rf"(?:(?:UPDATE|WRAPUP) [0-9]+|RPT|CORRECTED|REFILE) ?- ?{_BEGIN}",
        rf"(?:[A-Za-z]+\.com|[A-Z][a-z]+[A-Z]\w+|[A-Z]\w+ Press|AP|AFP|UPI|CNN|Reuters) ?{_DASH} {_BEGIN}",
        # (CNN) -- The; (CNN)A; LONDON, Oct 19 (Reuters) - Oil; MIAMI (AP)--A; NEW YORK--(BUSINESS WIRE)--Acme
        rf"(?:(?:{_PLACE}|{_MIXED}),? ?)?(?:{_DATE},? ?)?{_DASH}? ?{_MARK} ?(?:{_DASH}|:) ?{_BEGIN}",
        rf"(?:{_PLACE},? ?)?(?:{_DATE},? ?)?(?!\[[A-Z][a-z]){_MARK} ?{_BEGIN}",
        rf"(?:{_MIXED} \((?:AP|AFP|CNN|CBS|BBC|UPI|Reuters)\)|[A-Z][a-z]+, [A-Z][\w.]+ {_AGENCY}) ?{_BEGIN}",
        # SYDNEY, June 18 - Rain; NEW DELHI, AUG 29: Rain; HARRISBURG, Pa., March 24, 2014 Governor
        rf"(?:{_PLACE}|{_MIXED}),? {_DATE} ?(?:{_DASH}|:) ?{_BEGIN}",
        rf"(?:{_PLACE},?|{_MIXED},) {_MONTH} [0-9]{{1,2}}(?:, [12][0-9]{{3}})? {_BEGIN}",
        # NEW YORK _ Rain; GOMA, Congo -- Rain; MONTREAL, Canada : Rain; BANGKOK: The army, not FBI: Rain
        rf"{_CAPITALS} _ ?(?=\S)",
        rf"{_CAPITALS}(?:/{_CAPITALS})?(?:, [A-Z][\w.’' -]{{1,30}}?){{1,2}}(?: {_DASH} ?| ?:) ?{_BEGIN}",
        rf"(?:[A-Z]{{2,3}} )?[A-Z]{{4}}[A-Z '’]*(?: ?: ?| {_DASH} ?|—|–|--)(?=[A-Z][a-z]|A |\"|“)",
        # WASHINGTON The White House; BAGHDAD, Iraq Two bombs; Berlin - A German
        rf"(?!{_FUNCTION})(?=[A-Z]{{4}}|[A-Z]{{3}} [A-Z])"
        rf"{_CAPITALS}{_REGION} (?=(?:The|A|An|At least|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten) [A-Za-z])",
        rf"{_MIXED} {_DASH} (?=[A-Z\"“])",
    )
)

_REMAINS = re.compile(
    r"(?:(?:Archive-unreviewed|Template:\w+(?: and \w+)?|\w+_infobox|[0-9]{2,4}px|Publish(?= [A-Z])"
    r"|(?:right|left)(?= (?:right|left) | \w*[A-Z])) )+"
)
"""Templates, categories and pictures of a wiki's page: *250px Google is being sued*."""
_CAPTION = re.compile(
    r"(?:[\w'’,()-]+ ){1,9}?(?<![,;:] )(?=The [a-z]|An [aeiou][a-z])"
    rf"|(?!(?:{'|'.join(CLASSES)}) )(?:[A-Z][a-z]+ ){{1,3}}(?=A [a-z])",
)
"""A caption right before a sentence: *Bristol*, in *Bristol A second explosion is expected*."""
_DOUBLED = re.compile(r"((?=[A-Z0-9])\w+(?: \w+){0,3}) (?=\1 )")
"""A caption with the words of the sentence behind it: *Microsoft*, in *Microsoft Microsoft announced*."""

_WORK = r"(?:report|writ|edit|compil|photograph|produc|contribut|translat|publish|post|updat)(?:ing|ed|ten|e?d|s)?"
_BY = rf"\(?(?:(?:(?:additional|further) )?(?:{_WORK}|photos?|words|story) )?by"
_CREDIT = re.compile(rf"{_BY}[ :]", re.IGNORECASE)
_NAME = re.compile(r"(?:[A-Z0-9][\w.'’&/@:-]*|[\w.-]+@[\w.-]+)[,;:|)]*")
_LINKS = word_set(
    "and in at on for of the by with de van von der den da del la le el al bin | - – — • & editing writing reporting "
    "additional further"
)
_LONGEST_CREDIT = 25  # words
_PLAIN_CREDIT = 6  # words of a credit all in capitals, or without any
_ROLE = re.compile(
    r"(?:[\w.&'’-]+,? ){0,4}(?:writers?|reporters?|correspondents?|editors?|staff|press|news|reuters)\W*", re.IGNORECASE
)
_TIMES = (
    rf"(?:[\s,.|/()@·•–—-]|[0-9][0-9:]*(?:st|nd|rd|th|am|pm)?\b|[ap]\.?m\b\.?|{_MONTH}\b|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b"
    r"|(?:at|on|ago|today|yesterday|hours?|hrs?|minutes?|mins?|days?|gmt|utc|bst|ist|jst|hkt|[ecmpa][sd]?t|cest|cet)\b)+"
)
_PUBLISHED = re.compile(
    rf"\(?(?:(?:first|last|originally) )?(?:published|updated|posted|modified|filed|issued)\b:?(?P<time>{_TIMES})",
    re.IGNORECASE,
)
_ONLY_TIME = re.compile(_TIMES, re.IGNORECASE)
_CREDIT_BEHIND = re.compile(rf"(?<=[.!?\"”’)]) \(?(?=(?:(?:additional|further) )?{_WORK} by )", re.IGNORECASE)
_HEADING = re.compile(
    r"(?:(?:story|news) )?highlights:?|key (?:points|facts)\b.{0,20}:?|at a glance:?|summary:?", re.IGNORECASE
)
"""A heading above a list of points."""
_LISTED = re.compile(rf"(?:story highlights|key points):? .{{0,400}}?(?={_AGENCY} ?{_DASH})", re.IGNORECASE)
_OPEN_CREDIT = re.compile(rf"(?:{_BY}|published|updated|posted)\b[\s:.|]*", re.IGNORECASE)
"""A credit whose names or times stand in the next lines."""
_DATE_IN_DIGITS = re.compile(r"[0-9]{1,2}[/.-][0-9]{1,2}[/.-](?:[0-9]{4}|[0-9]{2})\s+(?=[A-Z])")
"""A date in digits right before a sentence."""
_LONE_MARKS = re.compile(r"\s+[.|]+$")
_BEFORE_SENTENCE = r"(?=(?:The|A|An|At least|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten) [A-Za-z])"
_NAMED = re.compile(rf"by(?: [A-Z][a-z'’-]+){{2,3}} {_BEFORE_SENTENCE}")
_OPENING = 3  # number of first paragraphs that are searched for a dateline


def without_datelines(text: str) -> str:
    """The text without datelines, bylines and times of publication; heading lines may stand before a dateline."""
    kept: list[str] = []
    credited = opened = False
    for line in map(_without_credit_behind, _without_points(text.split("\n"))):
        if not any(map(str.isalnum, line)) and (credited or not kept):
            continue
        opened, was_open = _OPEN_CREDIT.fullmatch(line) is not None, opened
        credited = opened or _is_credit(line) or (credited and _ROLE.fullmatch(line) is not None)
        credited = credited or (was_open and _is_credit(f"by {_LONE_MARKS.sub('', line)}"))
        if not credited:
            kept.append(without_dateline(line) if len(kept) < _OPENING else line)
    return "\n".join(kept)


def is_heading(line: str) -> bool:
    """Whether a line is the heading of a list of points: *Story highlights*."""
    return _HEADING.fullmatch(line.strip()) is not None


def _without_points(lines: list[str]) -> list[str]:
    """The lines of a story without a list of points before it, whose lines do not end as sentences do."""
    first = next((i for i, line in enumerate(lines) if any(map(str.isalnum, line))), 0)
    if not lines or not is_heading(lines[first]):
        return lines
    story = (i for i in range(first + 1, len(lines)) if re.search(r"[.!?][\"”’')]*$", lines[i]) or _dateline(lines[i]))
    return lines[next(story, first + 1) :]


def without_dateline(text: str) -> str:
    """A paragraph without what stands before its first sentence: *By Jo Smith OSLO (Reuters) - *.

    A colon or a dash after capitals may also belong to the sentence: it needs a country, a date or an agency before
    it, or a word of four or more letters before it and a capital behind it; shorter words may be a speaker (*FBI: …*).
    """
    if listed := _LISTED.match(text):
        return without_dateline(text[listed.end() :])
    for dateline in (_published, _dateline, _byline, _caption):
        if end := dateline(text):
            return without_dateline(text[end:].lstrip())
    return text


def _dateline(text: str) -> int:
    return next((found.end() for pattern in (*_DATELINES, _DATE_IN_DIGITS) if (found := pattern.match(text))), 0)


def _caption(text: str) -> int:
    """The end of what a page of a wiki has before the first sentence; 0 if there is nothing."""
    if (doubled := _DOUBLED.match(text)) and text.count(f"{doubled[1]} {doubled[1]}") == 1:  # not Sirhan Sirhan
        return doubled.end()
    return next((found.end() for pattern in (_REMAINS, _CAPTION) if (found := pattern.match(text))), 0)


def _published(text: str) -> int:
    """The end of *Updated 10:30 a.m. EST* before a sentence; 0 if there is none."""
    found = _PUBLISHED.match(text)
    if found is None or not any(map(str.isalnum, found["time"])):
        return 0
    named = _NAMED.match(text, found.end())
    end = named.end() if named else found.end()
    again = _PUBLISHED.match(text, end) is not None
    return end if again or text[end : end + 1].isupper() else 0


def _byline(text: str) -> int:
    """The end of a byline right before a dateline; 0 if there is none."""
    if text[:3].lower() != "by ":
        return 0
    words = text[:200].split(" ")[: _PLAIN_CREDIT + 2]
    ends = (len(" ".join(words[:count])) + 1 for count in range(3, len(words)))
    return next(
        (end for end in ends if (_dateline(text[end:]) or _published(text[end:])) and _is_credit(text[: end - 1])), 0
    )


def _is_credit(line: str) -> bool:
    """Whether a line is nothing but a byline, a credit or a time of publication."""
    rest = line
    while found := _PUBLISHED.match(rest):
        rest = rest[found.end() :]
        if not rest or (rest[:3].lower() == "by " and any(map(str.isdigit, found["time"])) and _is_credit(rest)):
            return True
    if _ONLY_TIME.fullmatch(line):
        return any(map(str.isdigit, line))
    found = _CREDIT.match(line)
    if found is None or len(line) > _LONGEST_CREDIT * 20:
        return False
    words = line[found.end() :].split()
    ends = line.rstrip(")").endswith((".", "!", "?"))
    names = line.partition(" | ")[0]
    if names.islower() or names.isupper():
        return not ends and len(words) <= _PLAIN_CREDIT * (1 + (";" in line or "," in line))
    named = all(_NAME.fullmatch(word) or word.lower() in _LINKS for word in words)
    return named and 0 < len(words) <= (_PLAIN_CREDIT if ends and found[0][:2].lower() == "by" else _LONGEST_CREDIT)


def _without_credit_behind(line: str) -> str:
    """A paragraph without *(Reporting by …)* at its end."""
    for found in _CREDIT_BEHIND.finditer(line):
        if _is_credit(line[found.end() :].rstrip(").")):
            return line[: found.start()]
    return line
