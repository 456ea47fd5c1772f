"""Public text speaks as data scientists and statisticians do."""

from __future__ import annotations

import re

import pytest

from tests.support.public_text import Text, public_texts

# What is said in the field in place of a word of our own, and where the word has another sense.
WORDS = {
    r"truth values?": "boolean",
    r"gaps?": "missing value; a gap is the optimality gap",
    r"for numbers|numbers as target": "regression, numeric target",
    r"sums? of columns|planes?": "linear combination, oblique split, hyperplane",
    r"tests?": "split, condition; a test set keeps its name",
    r"answer(?:s|ed|ing)?": "prediction, predicts",
    r"told right": "classified correctly",
    r"(?:cut|cuts|cutting) back": "prune",
    r"(?:kept|keep|keeps|keeping|set|put)(?: [\w ]{1,30})? aside": "hold-out set",
    r"shares?": "proportion, class probability",
    r"tables? of mistakes": "confusion matrix",
    r"nearest other": "counterfactual",
    r"ways? of (?:a|the|each|every) rows?": "decision path",
    r"fronts?": "Pareto front",
    r"prices? of a leaf|leaf's price": "complexity parameter",
    r"grown anew": "refitted on bootstrap samples",
    r"trivial (?:answer|prediction)s?": "baseline",
    r"fair choice": "unbiased variable selection",
    r"(?:value|row|byte|bit|second|branch|number|column|leaf|term|cell|split|level|time|figure|point"
    r"|line|sentence|file|entry|rule|threshold)(?:es|s)? an? "
    r"(?:row|level|leaf|class|column|node|tree|fold|cell|line|rule|method|branch)": "per row",
    r"on wish|to be had|by lot": "optionally, available, at random",
    r"mend(?:s|ed|ing)?|anew|tabulators?": "fix, again, tab",
}

# Phrases in which such a word has the field's sense.
FIELD = re.compile(
    r"""
    optimality[ ]gap | relative[ ]gap
    | hyperplanes? | plane[ ]of[ ]two
    | (?:common|property|unit|your[ ]own)[ ]tests?
    | tests?[ ]of[ ](?:treewright|the[ ]repository) | def[ ]test
    | lines[ ]and[ ]planes | line[ ]or[ ](?:a[ ])?plane
    | threads[ ](?:that[ ])?share
    | (?:train[ ]and[ ])?test[ ](?:set|rows|fold|data|score|error)s? | under[ ]test
    | \b(?:F|t|chi-squared?|Wilcoxon|sign|score|significance|statistical|independence|Levene(?:'s)?|
       Fisher's|permutation|Kruskal-Wallis|likelihood-ratio|curvature|interaction)[ ]tests?
    | Pareto[ ]fronts?
    | in[ ]front
    | in[ ]a[ ]plane | a[ ]line[ ]or[ ]a[ ]plane
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Options, keys and fields in a text keep the names that the code has for them.
NAMES = re.compile(r"--[a-z-]+|'\w+'|\"\w+\"|\b\w+=")

# Places that speak of something else by these words: the start of a place and the word, and why.
ELSEWHERE = {
    ("src/treewright/export/c.py", "share"): "a name in the code that is written",
    ("src/treewright/export/code.py", "share"): "a name in the code that is written",
    ("src/treewright/export/javascript.py", "share"): "a name in the code that is written",
    ("src/treewright/export/python.py", "share"): "a name in the code that is written",
    ("src/treewright/export/sql_shares.py", "share"): "a name in the code that is written",
    ("src/treewright/export/latex.py", "answer"): "a style in the code that is written",
    ("src/treewright/cli/export.py", "answer"): "the name of an order of rules",
    ("src/treewright/files/numbers.py", "answer"): "what survey data call a missing value",
    ("src/treewright/plot/figures/plane.py", "Plane"): "the name of a class",
    ("src/treewright/plot/tree/layout.py", "test"): "the kind of a box",
}


def strange_words(texts: list[Text], pattern: str) -> list[str]:
    """Give the lines that have a word of our own."""
    word = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return [
        f"{place}: {found[0]}: {words.strip()[:160]}"
        for place, words in texts
        for found in word.finditer(words)
        if not any(place.startswith(start) and found[0] == one for start, one in ELSEWHERE)
    ]


@pytest.fixture(scope="module")
def texts() -> list[Text]:
    return [Text(place, FIELD.sub("", NAMES.sub("", words))) for place, words in public_texts()]


@pytest.mark.parametrize("pattern", WORDS)
def test_public_text_has_no_words_of_our_own(texts: list[Text], pattern: str) -> None:
    found = strange_words(texts, pattern)
    assert not found, f"say {WORDS[pattern]}:\n" + "\n".join(found)
