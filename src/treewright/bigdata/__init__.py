"""Tables beyond memory: the same tree, grown over partitions, on one machine or on many.

In this order, each using only what stands before: ``parts`` (what a partition gives and what is
asked of it), ``partitions`` (rows of Parquet files), ``spooling`` and ``sources`` (whatever comes
in, as partitions), ``schemas`` (what columns are, by one pass), ``encoding`` (rows as the core
reads them), ``engines`` and ``dask_engine`` (who reads), ``fitting`` and ``prediction``.
"""

from treewright.bigdata.fitting import fit
from treewright.bigdata.sources import ROWS_PER_PARTITION

__all__ = ["ROWS_PER_PARTITION", "fit"]
