"""All the pictures of `make screenshots`, small, on two sheets: python contact_sheet.py FROM TO."""

import shutil
import sys
from html import escape
from pathlib import Path

from playwright.sync_api import sync_playwright

STYLE = """
  body { margin: 12px; background: #888; font: 11px sans-serif; width: 2000px;
         display: grid; grid-template-columns: repeat(5, 1fr); gap: 10px; }
  figure { margin: 0; display: grid; grid-template-columns: 46px 160px 178px; gap: 3px; }
  img { width: 100%; height: 100px; object-fit: cover; object-position: top; }
  figcaption { grid-column: 1 / -1; color: #fff; }
"""


def main(pictures: Path, sheets: Path) -> None:
    """Put the pictures of a folder on a sheet in light and one in dark."""
    names = sorted(
        path.name.removesuffix("-phone-light.png") for path in pictures.glob("*-phone-light.png")
    )
    browser_path = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 2024, "height": 800})
        for scheme in ("light", "dark"):
            sheet = pictures / f"sheet-{scheme}.html"
            figures = "".join(figure(name, scheme) for name in names)
            sheet.write_text(f"<!doctype html><style>{STYLE}</style>{figures}")
            page.goto(sheet.absolute().as_uri())
            page.screenshot(path=sheets / f"pages-{scheme}.jpg", full_page=True, quality=55)
        browser.close()


def figure(name: str, scheme: str) -> str:
    """A page as a phone, a laptop and a projector show it."""
    shown = (f"{name}-{size}-{scheme}.png" for size in ("phone", "laptop", "projector"))
    images = "".join(f'<img src="{escape(path)}">' for path in shown)
    return f"<figure>{images}<figcaption>{escape(name)}</figcaption></figure>"


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
