"""Words, numbers, tables and colours as a person reads them."""

from treewright.words.wording import (
    count_text,
    display_width,
    flag_text,
    level_texts,
    name_text,
    number_text,
    plural,
    share_text,
    visible,
)

__all__ = [
    "count_text",
    "display_width",
    "flag_text",
    "level_texts",
    "name_text",
    "number_text",
    "plural",
    "share_text",
    "visible",
]
