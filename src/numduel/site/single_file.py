"""Puts the exported site into one self-contained HTML file, for example for a USB stick."""

from __future__ import annotations

import base64
import gzip
import json
import re

from numduel.site.export import SCRIPTS, Files, policy_hash, with_policy

_PYTHON = "python/"
_IMPORTS = re.compile(r"^import .*\n|^export (?=async|function|const)", re.MULTILINE)


def single_file(files: Files) -> bytes:
    """Return the files of a site as one HTML page."""
    page = files["index.html"].decode()
    styles = re.findall(r'<link rel="stylesheet" href="\./([^"?]+)[^>]*>\n', page)
    style = "".join(files[name].decode() for name in styles)
    font = _data_url("font/woff2", files["static/fonts/atkinson.woff2"])
    style = style.replace('url("fonts/atkinson.woff2")', f'url("{font}")')
    names = ("storage.js", "engine.js", "single-file.js")
    script = "".join(_IMPORTS.sub("", (SCRIPTS / name).read_text()) for name in names)
    icon = _data_url("image/svg+xml", files["static/icon.svg"])
    encoded = {
        name.removeprefix(_PYTHON): _base64(data)
        for name, data in files.items()
        if name.startswith(_PYTHON) and not name.endswith("asm.mjs")
    }
    encoded["pyodide.asm.mjs.gz"] = _base64(gzip.compress(files["python/pyodide.asm.mjs"], 9))
    encoded["/static/icon.svg"] = icon
    page = re.sub(r"<(link|script|meta http-equiv)\b[^>]*>(</script>)?\n", "", page)
    head = (
        f'<link rel="icon" href="{icon}">\n<style>{style}</style>\n'
        f'<script type="application/json" id="files">{json.dumps(encoded)}</script>\n'
        f'<script type="module">{script}</script>\n</head>'
    )
    page = page.replace("</head>", head, 1).replace("./static/icon.svg", icon)
    page = re.sub("(?s)(<p id=.waiting.*?)<span>.*?</span>", r"\1", page)  # it fetches nothing
    page = page.replace("<body ", "<body inert ", 1)
    policy = (
        f"default-src 'none'; script-src {policy_hash(script)} blob: 'wasm-unsafe-eval'; "
        f"style-src {policy_hash(style)}; img-src data:; font-src data:; base-uri 'none'"
    )
    return with_policy(page, policy).encode()


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _data_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{_base64(data)}"
