"""The cards of all methods, the one list of them.

``treewright.splits`` and its ``__all__``, the words of ``split=``, ``treewright.recipes.__all__``,
``treewright fit --method``, ``treewright methods``, the families of the report, the tables in
README and docs and the common tests are read from here. To add a split method, add its import for
type checkers and its card; CONTRIBUTING.md says the rest.

A class is spelled as its source spells the method: an acronym in capitals, without hyphens
(``MUST``, ``CARTLC``, ``PBOT``), words in CamelCase (``Logistic``, ``LinearProgram``). The name of
its card is the same in small letters with ``_`` between words (``cart_lc``).

This file imports nothing at run time, so that the command line can list methods at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.splits.card import Card, ReportWords

if TYPE_CHECKING:
    from treewright.splits.axis import Axis as Axis
    from treewright.splits.best import Best as Best
    from treewright.splits.best_subset import BestSubset as BestSubset
    from treewright.splits.cart_lc import CARTLC as CARTLC
    from treewright.splits.categorical import Categorical as Categorical
    from treewright.splits.climb import Climb as Climb
    from treewright.splits.cruise import CRUISE as CRUISE
    from treewright.splits.example import Example as Example
    from treewright.splits.f_test import FTest as FTest
    from treewright.splits.fact import FACT as FACT
    from treewright.splits.hhcart import HHCART as HHCART
    from treewright.splits.linear_program import LinearProgram as LinearProgram
    from treewright.splits.lmdt import LMDT as LMDT
    from treewright.splits.logistic import Logistic as Logistic
    from treewright.splits.must import MUST as MUST
    from treewright.splits.oc1 import OC1 as OC1
    from treewright.splits.pairs import Pairs as Pairs
    from treewright.splits.pbot import PBOT as PBOT
    from treewright.splits.quest import QUEST as QUEST
    from treewright.splits.sadt import SADT as SADT
    from treewright.splits.wodt import WODT as WODT

CARDS: tuple[Card, ...] = (
    Card(
        "readable",
        "Readable tree",
        "thresholds, sets of levels and linear combinations of up to three columns that several "
        "methods propose: no tree of its size over them does better",
        page="readable.md",
        estimators=("ReadableTreeClassifier", "ReadableTreeRegressor"),
        is_search=True,
        report=ReportWords(
            "The best readable tree",
            "A question is about one column or about a linear combination of up to three. Several "
            "methods propose questions, an exact search puts the best tree of every size together, "
            "and cross-validation chooses the size.",
        ),
        choose=("the tree must be proven best of its size", "a split reads up to three columns"),
    ),
    Card(
        "cart",
        "CART",
        "thresholds and sets of levels, every one tried; two branches",
        source="Breiman, Friedman, Olshen, Stone (1984)",
        page="pruning.md",
        recipes=("cart", "rpart", "cart_forest"),
        report=ReportWords(
            "One column per question",
            "Each question asks for one column. Grown to the end and pruned by "
            "cross-validation (CART).",
        ),
        choose=("a greedy tree will do", "a split reads one column", "no more is asked"),
    ),
    Card(
        "must",
        "MUST",
        "linear combinations of a few columns by discriminant analysis",
        method="MUST",
        source="Leroux, Boussard, Dès (2018)",
        page="must.md",
        recipes=("must", "must_paper", "must_forest", "fisher_tree"),
        examples=("must(1)", "must(2)", "must(3)", "must(all)"),
        report=ReportWords(
            "Linear combinations of {columns} columns",
            "A question may be about a linear combination of up to {columns} numeric columns; one "
            "question then does the work of several. Pruned by cross-validation (MUST).",
        ),
        choose=(
            "a greedy tree will do",
            "a split combines two or three columns",
            "quickly, by discriminant analysis",
        ),
    ),
    Card(
        "best_subset",
        "Best subsets",
        "linear combinations of the two or three columns that go together best, with short weights",
        method="BestSubset",
        examples=("best_subset", "best_subset(2)"),
        choose=(
            "a greedy tree will do",
            "a split combines two or three columns",
            "those that go together best",
        ),
    ),
    Card(
        "logistic",
        "Logistic tree",
        "linear combinations by logistic regression, without the columns that do not matter",
        method="Logistic",
        source="Truong (2009)",
        page="logistic.md",
        recipes=("oblique_logistic", "oblique_tree", "logistic_forest"),
        examples=("logistic", "logistic(None)", "logistic(l1_bic)", "logistic(climb=True)"),
        choose=(
            "a greedy tree will do",
            "a split combines as many columns as help",
            "those that matter in a logistic regression",
        ),
    ),
    Card(
        "c45",
        "C4.5",
        "thresholds, and a branch per level, by gain ratio",
        source="Quinlan (1993)",
        page="rules.md",
        recipes=("c45", "j48", "c45rules", "c45_forest"),
        choose=(
            "a greedy tree will do",
            "a split reads one column",
            "a category has a branch per level",
            "and the tree is pruned",
        ),
    ),
    Card(
        "id3",
        "ID3",
        "a branch per level, by information gain",
        source="Quinlan (1986)",
        page="id3.md",
        recipes=("id3",),
        choose=(
            "a greedy tree will do",
            "a split reads one column",
            "a category has a branch per level",
            "and the tree fits every row",
        ),
    ),
    Card(
        "optimal",
        "Optimal tree",
        "thresholds, sets of levels and pairs of them: no tree of its depth does better on the "
        "training rows, with a proof",
        source="Demirović et al. (2022), Mălan (2021)",
        page="optimal.md",
        recipes=("optimal_tree", "murtree"),
        is_search=True,
        report=ReportWords(
            "The best tree of depth {depth}",
            "The best tree on the training rows among all with at most {depth} questions on the "
            "way to a prediction, found by search instead of question by question.",
        ),
        choose=("the tree must be proven best of its size", "a split reads one column"),
    ),
    Card(
        "f_test",
        "dGMML",
        "a threshold without a search, on the column that the F test chooses",
        method="FTest",
        source="Li, Chen (2022)",
        page="dgmml.md",
        recipes=("dgmml", "dgmml_paper", "dgmml_mdt", "dgmml_forest"),
        word="dgmml",
        examples=(
            "f_test",
            "f_test(threshold=closest)",
            "f_test(threshold=median, fallback=0.2)",
            "f_test(threshold=class_midpoint, selection=impurity)",
            "f_test(2)",
            "f_test(all, variant=paper)",
        ),
        choose=(
            "a greedy tree will do",
            "a split reads one column",
            "there are very many rows and little time",
        ),
    ),
    Card(
        "ihd",
        "iHD",
        "thresholds by the inter-node Hellinger distance, which keeps sight of rare classes",
        source="Akash, Kadir, Ali, Shoyaib (2019)",
        page="dgmml.md",
        recipes=("ihd", "ihd_forest"),
        choose=("a greedy tree will do", "a split reads one column", "a class is rare"),
    ),
    Card(
        "quest",
        "QUEST",
        "a threshold between normal densities, on the column that significance tests choose",
        method="QUEST",
        source="Loh, Shih (1997)",
        page="discriminant.md",
        recipes=("quest",),
        examples=("quest", "quest(linear=True)"),
        choose=(
            "a greedy tree will do",
            "a split reads one column",
            "columns with many values must not be preferred",
            "two branches",
        ),
    ),
    Card(
        "cart_lc",
        "CART-LC",
        "linear combinations, one coefficient moved after the other; columns are deleted again",
        method="CARTLC",
        source="Breiman, Friedman, Olshen, Stone (1984)",
        page="direct-search.md",
        recipes=("cart_lc",),
        examples=("cart_lc", "cart_lc(2, beta=0.0)"),
        choose=(
            "a greedy tree will do",
            "a split combines as many columns as help",
            "those that are left when others are deleted",
        ),
    ),
    Card(
        "oc1",
        "OC1",
        "linear combinations by hill climbing, with random restarts and jumps",
        method="OC1",
        source="Murthy, Kasif, Salzberg (1994)",
        page="direct-search.md",
        recipes=("oc1", "oc1_ap"),
        examples=(
            "oc1(n_restarts=2)",
            "oc1(2, n_restarts=1, n_jumps=0, order=sequential)",
            "oc1(n_restarts=3, order=random, n_random=4, axis_bias=1.1, n_jobs=2)",
        ),
        choose=(
            "a greedy tree will do",
            "a split combines as many columns as help",
            "by a direct search for the coefficients",
            "hill climbing with random restarts",
        ),
    ),
    Card(
        "hhcart",
        "HHCART",
        "thresholds in the space reflected onto the principal axes of each class",
        method="HHCART",
        source="Wickramarachchi, Robertson, Reale, Price, Brown (2016)",
        page="direct-search.md",
        recipes=("hhcart",),
        examples=("hhcart", "hhcart(dominant, features=2, standardize=True)"),
        choose=(
            "a greedy tree will do",
            "a split combines as many columns as help",
            "along the principal axes of a class",
        ),
    ),
    Card(
        "sadt",
        "SADT",
        "linear combinations by simulated annealing",
        method="SADT",
        source="Heath, Kasif, Salzberg (1993)",
        page="direct-search.md",
        recipes=("sadt",),
        examples=("sadt(patience=20)", "sadt(2, start=random, patience=20)"),
        choose=(
            "a greedy tree will do",
            "a split combines as many columns as help",
            "by a direct search for the coefficients",
            "simulated annealing",
        ),
    ),
    Card(
        "wodt",
        "WODT",
        "linear combinations that make the entropy of a soft split small",
        method="WODT",
        source="Yang, Shen, Gao (2019)",
        page="direct-search.md",
        recipes=("wodt",),
        examples=("wodt(max_iterations=20)", "wodt(2, n_starts=2, max_iterations=10)"),
        choose=(
            "a greedy tree will do",
            "a split combines as many columns as help",
            "by a direct search for the coefficients",
            "descent on a soft split",
        ),
    ),
    Card(
        "linear_program",
        "Linear programs",
        "linear combinations by linear programming, each class against the others",
        method="LinearProgram",
        source="Brown, Pittard, Park (1996)",
        page="machines.md",
        recipes=("linear_program",),
        examples=("linear_program", "linear_program(minimax)"),
        choose=(
            "a greedy tree will do",
            "a split combines as many columns as help",
            "by a direct search for the coefficients",
            "linear programming, with few rows",
        ),
    ),
    Card(
        "lmdt",
        "LMDT",
        "a linear score per class, by perceptrons that cool down",
        method="LMDT",
        source="Utgoff, Brodley (1991)",
        page="machines.md",
        recipes=("lmdt",),
        examples=("lmdt", "lmdt(elimination=None)"),
        choose=(
            "a greedy tree will do",
            "a split has a linear score and a branch per class",
            "by perceptrons, which assume no distribution",
        ),
    ),
    Card(
        "pbot",
        "P-BOT",
        "a linear score per class, by multinomial logistic regression",
        method="PBOT",
        source="Axelrod, Campos, Envarli (2005)",
        page="machines.md",
        recipes=("pbot",),
        examples=("pbot", "pbot(levels=1)", "pbot(levels=None)"),
        choose=(
            "a greedy tree will do",
            "a split has a linear score and a branch per class",
            "by multinomial logistic regression",
        ),
    ),
    Card(
        "fact",
        "FACT",
        "a linear score per class, by linear discriminant analysis",
        method="FACT",
        source="Loh, Vanichsetakul (1988)",
        page="discriminant.md",
        recipes=("fact",),
        examples=("fact", "fact(0.0, f_to_enter=0.0)"),
        choose=(
            "a greedy tree will do",
            "a split has a linear score and a branch per class",
            "by discriminant analysis",
        ),
    ),
    Card(
        "cruise",
        "CRUISE",
        "a branch per predicted class, on the column that significance tests choose",
        method="CRUISE",
        source="Kim, Loh (2001)",
        page="discriminant.md",
        recipes=("cruise",),
        examples=("cruise", "cruise(transform=False)", "cruise(linear=True)"),
        choose=(
            "a greedy tree will do",
            "a split reads one column",
            "columns with many values must not be preferred",
            "a branch per class",
        ),
    ),
    Card(
        "pairs",
        "CART-alpha",
        "two conditions joined by and, or, xor near the root",
        method="Pairs",
        source="Mălan (2021)",
        page="pairs.md",
        recipes=("cart_alpha",),
        word="cart_alpha",
        examples=("pairs", "pairs(None, functions=5)", "pairs(thresholds=2)"),
        choose=(
            "a greedy tree will do",
            "a split reads one column",
            "two conditions may be joined by and, or, xor",
        ),
    ),
    Card(
        "axis",
        "Axis",
        "thresholds on one numeric column, every one tried",
        method="Axis",
        use="parts",
        examples=("axis", "axis(c45)"),
    ),
    Card(
        "categorical",
        "Categorical",
        "sets of levels, a branch per level, or groups of levels",
        method="Categorical",
        use="parts",
        examples=("categorical(subset)", "categorical(multiway)", "categorical(grouped)"),
    ),
    Card(
        "best",
        "Best",
        "the best of what several methods propose",
        method="Best",
        use="parts",
        examples=("best(axis)",),
    ),
    Card(
        "climb",
        "Climb",
        "the linear combinations of another method, their coefficients moved while that helps",
        method="Climb",
        source="Truong (2009)",
        page="direct-search.md",
        use="parts",
        examples=("climb(must(all))", "climb(logistic, n_jumps=2)"),
    ),
    Card(
        "example",
        "Example",
        "every column at its mean: the method to copy",
        method="Example",
        use="authors",
        examples=("example",),
    ),
)

DEFAULT = CARDS[0]
"""The method of ``treewright fit`` and ``treewright report`` where none is named."""
