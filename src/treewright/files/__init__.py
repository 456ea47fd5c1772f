"""Tables in files: reading them whatever their format, writing them all or not at all."""

from treewright.files.reading import SUFFIXES, read_table
from treewright.files.writing import atomic_write, write_table

__all__ = ["SUFFIXES", "atomic_write", "read_table", "write_table"]
