"""Puts small versions of all pictures of `make screenshots` on two sheets, and makes the README's.

python contact_sheet.py FROM TO
"""

import shutil
import sys
from html import escape
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

FIRST = "-phone-light.png"
"""The end of the name of each page's first picture."""

README = {"hint-laptop-light": "playing", "whole-class-projector-light": "class"}
"""The pictures that the README shows, and their names there."""

STYLE = """
  body { margin: 12px; background: #888; font: 11px sans-serif; width: 2000px;
         display: grid; grid-template-columns: repeat(5, 1fr); gap: 10px; }
  figure { margin: 0; display: grid; grid-template-columns: 46px 160px 178px; gap: 3px; }
  img { width: 100%; height: 100px; object-fit: cover; object-position: top; }
  figcaption { grid-column: 1 / -1; color: #fff; }
"""

WHOLE = "<style>body { margin: 0 } img { width: 960px; display: block }</style>"


def main(pictures: Path, folder: Path) -> None:
    """Put the pictures of a folder on a sheet in light and one in dark."""
    names = sorted(path.name.removesuffix(FIRST) for path in pictures.glob(f"*{FIRST}"))
    with sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 2024, "height": 400})
        for scheme in ("light", "dark"):
            figures = "".join(figure(name, scheme) for name in names)
            take(page, pictures, f"<style>{STYLE}</style>{figures}", folder / f"pages-{scheme}.jpg")
        page.set_viewport_size({"width": 960, "height": 100})
        for name, called in README.items():
            take(
                page,
                pictures,
                f'{WHOLE}<img src="{name}.png">',
                folder / f"{called}.jpg",
                quality=80,
            )
        browser.close()


def figure(name: str, scheme: str) -> str:
    """Return the pictures of a page on a phone, a laptop and a projector."""
    shown = (f"{name}-{size}-{scheme}.png" for size in ("phone", "laptop", "projector"))
    images = "".join(f'<img src="{escape(path)}">' for path in shown)
    return f"<figure>{images}<figcaption>{escape(name)}</figcaption></figure>"


def take(page: Page, pictures: Path, body: str, path: Path, quality: int = 55) -> None:
    """Save a picture of an HTML page that shows the pictures."""
    sheet = pictures / "sheet.html"
    sheet.write_text(f"<!doctype html>{body}")
    page.goto(sheet.absolute().as_uri())
    page.screenshot(path=path, full_page=True, quality=quality)
    sheet.unlink()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
