"""HTML and SVG as Python calls. Whatever is not Markup is escaped."""

from html import escape

VOID = frozenset({"br", "input", "meta"})  # elements without an end


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(name: str, /, *content: str, **attributes: object) -> Markup:
    """An element. A final underscore of an attribute's name is left out, and other underscores are
    written as hyphens.

    >>> print(element("p", "1 < 2", element("br"), class_="note"))
    <p class="note">1 &lt; 2<br></p>
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
    )
    start = f"<{name}{written}>"
    if name in VOID:
        return Markup(start)
    return Markup(f"{start}{joined(*content)}</{name}>")


def joined(*content: str) -> Markup:
    return Markup("".join(one if isinstance(one, Markup) else escape(one) for one in content))
