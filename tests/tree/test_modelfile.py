"""The model file: what is written, what is read back, and everything that is refused."""

from __future__ import annotations

import json
import os
import re
import stat
import threading
from pathlib import Path

import handmade
import jsonschema
import pytest
from golden_files import check_golden
from mutations import check_sound, model_files, mutated

from treewright import modelfile
from treewright.exceptions import ModelFileError, WriteError
from treewright.modelfile import (
    ModelFile,
    model_from_text,
    model_schema,
    model_to_text,
    read_model,
    write_model,
)

PUBLISHED = jsonschema.Draft202012Validator(model_schema())
MODEL = ModelFile(handmade.heart(), "TreeClassifier", {"max_depth": 3}, "treewright 0.1.0")
TEXT = model_to_text(MODEL)


def test_the_published_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(model_schema())


@pytest.mark.parametrize("make", handmade.ALL.values(), ids=handmade.ALL)
def test_a_file_comes_back_as_it_was(make, tmp_path):
    parameters = {"cost_matrix": [[0, 1.5], [5, 0]], "prune": None, "readable": True, "größe": "ß"}
    model = ModelFile(make(), "TreeClassifier", parameters)
    path = tmp_path / "model.json"
    write_model(path, model)
    loaded = read_model(path)
    assert loaded == model
    assert loaded.tree == model.tree
    assert loaded.schema == model.schema
    assert loaded.parameters == parameters
    assert loaded.written_by.startswith("treewright")
    PUBLISHED.validate(json.loads(path.read_text(encoding="utf-8")))


def test_a_file_can_be_read_by_people():
    check_golden("heart.model.json", TEXT.rstrip("\n"))


def test_files_of_version_1_stay_readable():
    # Written by release 0.1.0 and never renewed.
    assert read_model(Path(__file__).parents[1] / "models" / "heart-version-1.json") == MODEL


def test_a_mark_at_the_start_of_the_file_is_fine():
    assert model_from_text(b"\xef\xbb\xbf" + TEXT.encode()) == MODEL


def test_a_file_written_by_hand_is_fine():
    content = json.loads(TEXT)
    del content["written_by"]
    content["tree"]["nodes"][0]["rows"] = 168.0
    assert model_from_text(json.dumps(content)).tree == MODEL.tree


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    write_model(path, MODEL)
    monkeypatch.setattr(modelfile, "MAX_BYTES", 100)
    with pytest.raises(ModelFileError, match="prune the tree first"):
        write_model(path, MODEL)
    assert read_model(path) == MODEL
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(WriteError, match="absent"):
        write_model(tmp_path / "absent" / "model.json", MODEL)


@pytest.mark.skipif(os.name == "nt", reason="has no such permissions")
def test_an_ordinary_file_is_made(tmp_path):
    path = tmp_path / "model.json"
    write_model(path, MODEL)
    assert stat.S_IMODE(path.stat().st_mode) & 0o600 == 0o600


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"a": float("nan")}, "A number in the parameters must be a finite number"),
        ({"a": float("inf")}, "finite"),
        ({"a": (1, 2)}, "not JSON"),
        ({"a": {1: 2}}, "A key in the parameters must be a text. Got 1"),
        ({"a": {1, 2}}, "not JSON"),
        ({"a": object()}, "not JSON"),
        ({"a": 2**64}, "more than 64 bits"),
        ({"a": "\ud800"}, "not valid Unicode"),
        ({"a\udfff": 1}, "not valid Unicode"),
        (None, "must be an object"),
    ],
)
def test_parameters_are_plain_json(parameters, message):
    with pytest.raises(ModelFileError, match=message):
        ModelFile(handmade.stump(), "TreeClassifier", parameters)


def test_a_parameter_must_not_hold_itself():
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(ModelFileError, match="nested more than 64 levels deep"):
        ModelFile(handmade.stump(), "TreeClassifier", {"a": loop})


def edited(*path: object, value: object) -> str:
    content = json.loads(TEXT)
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(content)


NODE = json.dumps(json.loads(TEXT)["tree"]["nodes"][0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "It is empty"),
        (b"  \n ", "It is empty"),
        (b"\xff\xfe{}", "not UTF-8"),
        (TEXT.encode("utf-16"), "not UTF-8"),
        (b"\x80\x04pickle", "not UTF-8"),
        ("age,buys\n42,yes\n", r"It is not JSON \(.* in line 1, column 1\)"),
        (TEXT[:-20], "It is not JSON"),
        (TEXT + "{}", r"It is not JSON \(Extra data"),
        ("null", 'lacks "format"'),
        ("[]", 'lacks "format"'),
        ("{}", 'lacks "format"'),
        (edited("format", value="other"), 'lacks "format"'),
        (edited("version", value=2), "Its version is 2, and this treewright reads version 1"),
        (edited("version", value=1.0), "Its version is 1.0"),
        (edited("version", value=True), "Its version is True"),
        (edited("version", value="1"), "Its version is '1'"),
        (edited("extra", value=1), "The file has an unknown key: 'extra'"),
        (edited("estimator", value=3), "name of the estimator must be a text. Got 3"),
        (edited("estimator", value="\ud800"), "not valid Unicode"),
        (edited("written_by", value=[]), "'written_by' must be a text"),
        (edited("parameters", value=[]), "The parameters must be an object"),
        (edited("parameters", "a", value=2**65), "more than 64 bits"),
        (edited("parameters", "\udc00", value=1), "not valid Unicode"),
        (edited("schema", value=[]), "A schema must be a JSON object"),
        (edited("schema", "classes", value=None), "needs classes in its schema"),
        (edited("schema", "classes", value=["healthy"]), "statistics of node 0 must be 1 numbers"),
        (edited("schema", "classes", value=["ill", "ill"]), "'ill' of the target stands twice"),
        (edited("schema", "columns", value=[]), "at least one column"),
        (
            edited("schema", "columns", 0, "kind", value="categorical"),
            "column 'age' is categorical",
        ),
        (edited("schema", "columns", 0, "name", value="smoker"), "'smoker' stands twice"),
        (
            edited("schema", "columns", 2, "levels", value=["typical"]),
            "must be an integer from 0 to 0",
        ),
        (edited("schema", "columns", 0, "unit", value=5), "unit of column 'age'"),
        (edited("schema", "target", value=5), "name of the target"),
        (edited("schema", "named", value=1), "'named'"),
        (edited("tree", value=None), "The tree must be an object"),
        (edited("tree", "task", value="regression"), "must not have classes"),
        (edited("tree", "nodes", 0, "value", value=True), "The value of node 0"),
        (
            edited("tree", "nodes", 0, "test", "threshold", value="54.5"),
            "The threshold of the split",
        ),
        (TEXT.replace("54.5", "NaN"), "It holds NaN"),
        (TEXT.replace("54.5", "-Infinity"), "It holds -Infinity"),
        (TEXT.replace("54.5", "1e999"), "must be a finite number. Got inf"),
        (TEXT.replace("54.5", "9" * 5000), "an integer of 5000 digits"),
        (
            TEXT.replace('"max_depth": 3', '"max_depth": 3, "max_depth": 4'),
            "'max_depth' stands twice",
        ),
        (TEXT.replace('"rows": 168', '"rows": 168, "rows": 168'), "'rows' stands twice"),
        (TEXT.replace(NODE, NODE + "," + NODE), "Node 1 must have the id 1"),
        (TEXT.replace('"max_depth": 3', '"max_depth": ' + "[" * 70 + "]" * 70), "64 levels deep"),
        (TEXT.replace("54.5", "[" * 100_000), "nested too deeply"),
        ("[" * 1_000_000, "nested too deeply"),
        ('{"a":' * 1_000_000, "nested too deeply"),
        ('{"format": ' + "[" * 500 + "]" * 500 + "}", 'lacks "format"'),
        (edited("version", value=json.loads("[" * 300 + "]" * 300)), "Its version is"),
    ],
)
def test_broken_files_are_refused_in_words(text, message, tmp_path, monkeypatch):
    with pytest.raises(ModelFileError, match=message) as caught:
        model_from_text(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    monkeypatch.chdir(tmp_path)
    Path("broken.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(
        ModelFileError, match=r"^Model file 'broken.json' cannot be used: "
    ) as named:
        read_model("broken.json")
    assert is_one_sentence(str(named.value))


def is_one_sentence(message: str) -> bool:
    return message.endswith(".") and re.search(r"\. [A-Z]", message) is None


def test_what_is_no_file(tmp_path):
    with pytest.raises(
        ModelFileError, match=r"^Model file '.*absent.json' cannot be used: there is no such file.$"
    ):
        read_model(tmp_path / "absent.json")
    with pytest.raises(ModelFileError, match="cannot be used: it is a folder"):
        read_model(tmp_path)
    with pytest.raises(ModelFileError, match="null"):
        read_model("null\0byte.json")
    with pytest.raises(ModelFileError, match="too long"):
        read_model("x" * 10_000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    answers = []

    def read() -> None:
        with pytest.raises(ModelFileError, match="not a regular file"):
            read_model(pipe)
        answers.append("refused")

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(timeout=10)
    assert answers == ["refused"]


@pytest.mark.long
def test_a_file_that_is_too_large_is_not_parsed(tmp_path):
    path = tmp_path / "model.json"
    write_model(path, MODEL)
    with pytest.raises(ModelFileError, match="more than 1,000 bytes"):
        read_model(path, max_bytes=1000)
    with path.open("wb") as file:
        file.truncate(2 * modelfile.MAX_BYTES)  # takes no room on the disk
    with pytest.raises(ModelFileError, match="bytes"):
        read_model(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="may read everything")
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "model.json"
    write_model(path, MODEL)
    path.chmod(0)
    with pytest.raises(ModelFileError, match="permission denied"):
        read_model(path)


@pytest.mark.long
def test_some_broken_files_by_chance():
    # tests/slow has ten thousand of them
    files = model_files()
    n_loaded = 0
    for seed in range(10**6, 10**6 + 300):
        data = mutated(files, seed)
        try:
            model = model_from_text(data)
        except ModelFileError:
            continue
        n_loaded += 1
        PUBLISHED.validate(json.loads(data))
        check_sound(model, seed)
    assert 5 < n_loaded < 200
