"""Where everything of a drawn tree stands, whoever draws it.

In this order, each using only what stands before: ``lettering`` (how wide a text is), ``tidy``
(nodes side by side), ``folding`` (which nodes are drawn), ``contents`` (what stands in a box),
``key`` (what colours mean), ``layout`` (where everything stands), ``style`` (colours, light and
dark).
"""
