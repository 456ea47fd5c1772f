"""A graph of ONNX under construction: operators whose results have names.

Columns are tensors of one column, [rows, 1], and so is everything computed from them, until the
predictions are looked up. Numbers are doubles throughout: the graph adds and compares them in the
order and precision of the tree itself, which the tree operators of ONNX, made for float32, do not.
"""

from __future__ import annotations

from functools import reduce
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import MissingDependencyError
from treewright.export.carriers import carried
from treewright.schema import Column, Schema

__all__ = ["Graph", "load_onnx"]

_OPERATORS = 17  # version of the standard operators: onnxruntime 1.12 and later run it
_LEVEL_OPERATORS = 4  # version of ai.onnx.ml, which has the operator that looks up levels
_FORMAT = 9  # version of the file format that goes with them

_WHAT_COMES = {
    "numeric": "A number; NaN where missing.",
    "text": "A level as text; any other text counts as missing.",
    "number": "A level as a number (true is 1); NaN and any other number count as missing.",
    "json": "A level as JSON writes it; any other text counts as missing.",
}


def load_onnx() -> ModuleType:
    """Import the package onnx when it is first needed.

    Raises
    ------
    MissingDependencyError
        If it is not installed.
    """
    try:
        import onnx
    except ImportError:
        raise MissingDependencyError(
            "The target 'onnx' needs the package onnx; install it with "
            "'pip install \"treewright[onnx]\"'."
        ) from None
    module: ModuleType = onnx
    return module


class Graph:
    """Operators and constants, each named when it is added.

    Parameters
    ----------
    schema : Schema
        The columns, which become inputs when they are first asked for.
    """

    def __init__(self, schema: Schema) -> None:
        self._onnx = load_onnx()
        self._schema = schema
        self._nodes: list[Any] = []
        self._constants: dict[tuple[object, ...], Any] = {}
        self._inputs: dict[str, Any] = {}
        self._looked_up: dict[str, str] = {}
        # Names of our own must not meet those of columns.
        self._prefix = "tree"
        while any(name.startswith(self._prefix) for name in schema.names):
            self._prefix += "_"

    def add(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add an operator and return the name of its result."""
        name = f"{self._prefix}{len(self._nodes)}"
        make = self._onnx.helper.make_node
        self._nodes.append(make(operator, list(inputs), [name], **attributes))
        return name

    def fold(self, operator: str, parts: list[str]) -> str:
        """Join one part or several by an operator of two."""
        return reduce(lambda left, right: self.add(operator, left, right), parts)

    def constant(self, values: Any) -> str:
        """Add a constant, once, and return its name."""
        array = np.asarray(values)
        key = (array.dtype, array.shape, *array.ravel().tolist())
        if array.dtype.kind == "f":  # 0.0 and -0.0 are equal
            key = (array.dtype, array.shape, array.tobytes())
        if key not in self._constants:
            name = f"{self._prefix}_constant{len(self._constants)}"
            self._constants[key] = self._onnx.numpy_helper.from_array(array, name)
        return str(self._constants[key].name)

    def number(self, value: float) -> str:
        """Add a constant number."""
        return self.constant(np.array([[value]], dtype=np.float64))

    def column(self, column: Column) -> str:
        """Return the tensor of a column as it comes in."""
        if column.name not in self._inputs:
            proto = self._onnx.TensorProto
            form = "numeric" if column.kind == "numeric" else carried(column.levels).form
            is_number = form in ("numeric", "number")
            kind = proto.DOUBLE if is_number else proto.STRING
            # An empty name means that there is no input.
            name = column.name or f"{self._prefix}_column{self._schema.index(column.name)}"
            self._inputs[column.name] = self._onnx.helper.make_tensor_value_info(
                name, kind, ["rows", 1], doc_string=_WHAT_COMES[form]
            )
        return str(self._inputs[column.name].name)

    def code(self, column: Column) -> str:
        """Return the positions of a column's levels, -1 where missing or never seen."""
        if column.name not in self._looked_up:
            keys = carried(column.levels)
            known: NDArray[Any]
            known = np.array(keys.texts, dtype=object) if keys.texts else np.array(keys.numbers)
            tensor = self._onnx.numpy_helper.from_array
            self._looked_up[column.name] = self.add(
                "LabelEncoder",
                self.column(column),
                domain="ai.onnx.ml",
                keys_tensor=tensor(known),
                values_tensor=tensor(np.arange(len(known), dtype=np.int64)),
                default_tensor=tensor(np.array([-1], dtype=np.int64)),
            )
        return self._looked_up[column.name]

    def value(self, column: Column) -> str:
        """Return what comparisons see: numbers, or ranks of levels; NaN where missing."""
        if column.kind == "numeric":
            return self.column(column)
        code = self.code(column)
        ranks = np.array([*range(len(column.levels)), np.nan], dtype=np.float64)
        return self.add("Gather", self.constant(ranks), code)  # -1 takes the last entry

    def zeros(self) -> str:
        """Return a zero a row, whatever the rows hold."""
        shape = self.add("Shape", self.column(self._schema.columns[0]), start=0, end=1)
        zero = self._onnx.numpy_helper.from_array(np.zeros(1, dtype=np.int64))
        return self.add("ConstantOfShape", shape, value=zero)

    def model(
        self, outputs: list[tuple[str, str, NDArray[Any], list[str | int]]], words: str
    ) -> bytes:
        """Close the graph.

        Parameters
        ----------
        outputs : list of tuple
            Name, tensor, an array of its type, and shape of each output. A name that a column
            has already gets an underscore.
        words : str
            What the model is.

        Returns
        -------
        bytes
            The content of a file.
        """
        helper = self._onnx.helper
        results = []
        for name, tensor, example, shape in outputs:
            while name in self._schema.names:
                name += "_"
            self._nodes.append(helper.make_node("Identity", [tensor], [name]))
            kind = self._onnx.numpy_helper.from_array(example).data_type
            results.append(helper.make_tensor_value_info(name, kind, shape))
        graph = helper.make_graph(
            self._nodes,
            "tree",
            list(self._inputs.values()),
            results,
            list(self._constants.values()),
            doc_string=words,
        )
        versions = [
            helper.make_opsetid("", _OPERATORS),
            helper.make_opsetid("ai.onnx.ml", _LEVEL_OPERATORS),
        ]
        model = helper.make_model(
            graph, opset_imports=versions, producer_name="treewright", ir_version=_FORMAT
        )
        return bytes(model.SerializeToString())
