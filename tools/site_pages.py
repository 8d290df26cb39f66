"""Make the README, the changelog and bench/ pages of the documentation's site (a hook of MkDocs).

They lie outside ``docs/``, and their links are written for readers of the repository. Here each gets a place in the
site, and links between them and the pages of ``docs/`` lead there.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "index.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "bench/RESULTS.md": "bench/RESULTS.md",
    "bench/HISTORY.md": "bench/HISTORY.md",
    "bench/TALKS.md": "bench/TALKS.md",
    "bench/growth.png": "bench/growth.png",
    "bench/languages/README.md": "bench/languages/README.md",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie outside ``docs/``."""
    for place, path in PAGES.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Turn links of the repository into links of the site, in which ``docs/`` is the root."""
    if page.file.src_uri in PAGES:
        return re.sub(r"\]\(((?:\.\./)*)docs/", r"](\1", markdown)
    outside = re.sub(r"\]\(\.\./((?:\.\./)*)(?=bench/|CHANGELOG)", r"](\1", markdown)
    return re.sub(r"\]\(\.\./((?:\.\./)*)README\.md", r"](\1index.md", outside)
