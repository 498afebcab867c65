"""How the documentation is built: Sphinx with MyST and furo. `make site` builds it."""

from __future__ import annotations

import html

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

import numduel
from numduel.games import game_type
from numduel.play.friendly_settings import friendly_game
from numduel.site.app import ENTRY
from numduel.web.sharing import challenge_address

project = "Numduel"
version = release = numduel.__version__
html_title = f"Numduel {release}"
html_theme = "furo"
html_copy_source = False
html_favicon = "../src/numduel/web/static/icon.svg"
html_logo = "../src/numduel/web/static/icon.svg"
html_static_path = ["play.css"]
html_css_files = ["play.css"]
html_theme_options = {"sidebar_hide_name": False}

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
default_role = "code"  # what docstrings put in single `marks`
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}


class Play(Directive):
    """A game on the page, from its start at friendly settings against the perfect player."""

    required_arguments = 1  # the key of the game

    def run(self) -> list[nodes.Node]:
        kind = game_type(self.arguments[0])
        game = friendly_game(kind)
        address = html.escape(f"..{ENTRY}{challenge_address(game, game.start())}")
        text = (
            f'<details class="play"><summary>Play {kind.title} here</summary>'
            f'<iframe title="{kind.title}" src="{address}" loading="lazy"></iframe>'
            f'<p><a href="..{ENTRY}/new/{kind.key}">On a page of its own, '
            "against any opponent</a></p></details>"
        )
        return [nodes.raw("", text, format="html")]


PAGES_OF_FILES = {
    "../CHANGELOG.md": "changes.md",
    "../CONTRIBUTING.md": "contributing.md",
    "../proofs/README.md": "proofs.md",
}
"""Files outside of this folder that have a page of the documentation."""


def link_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Let links to such files lead to their pages."""
    for file, page in PAGES_OF_FILES.items():
        source[0] = source[0].replace(f"]({file})", f"]({page})")


def skip_aliases(app: Sphinx, kind: str, name: str, value: object, skip: bool, _: object) -> bool:
    """Leave out what says nothing: the fields of named tuples, which the signature shows."""
    return skip or (getattr(value, "__doc__", "") or "").startswith("Alias for field number")


def setup(app: Sphinx) -> None:
    """Let pages hold games, and link to each other."""
    app.add_directive("play", Play)
    app.connect("source-read", link_pages)
    app.connect("autodoc-skip-member", skip_aliases)
