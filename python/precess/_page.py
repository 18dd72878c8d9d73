"""HTML pages. They can be shown in a notebook, saved to a file, or opened in a browser."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["Page"]


def quoted(text: str) -> str:
    """Escapes a text for HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


class Page:
    """A page that needs no network. A notebook shows it in its cell."""

    def __init__(self, text: str, height: int = 540) -> None:
        self.html = text
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file."""
        file = Path(path)
        file.write_text(self.html, encoding="utf-8")
        return file

    def open(self) -> bool:
        """Opens the page in a browser. Returns false if there is none."""
        import tempfile
        import webbrowser

        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self.html)
        return webbrowser.open(Path(file.name).as_uri())

    def _repr_html_(self) -> str:
        text = quoted(self.html)
        style = f"width:100%;height:{self.height}px;border:0"
        return f'<iframe srcdoc="{text}" style="{style}" allowfullscreen></iframe>'

    def __repr__(self) -> str:
        return f"<Page of {len(self.html) // 1000} kB: save(path), open()>"
