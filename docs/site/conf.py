# How Sphinx makes the site. ./dev docs runs docs/site/build, which lays the tree's pages out in build/site and calls
# Sphinx with this file. Warnings are errors, so a link between pages that leads nowhere ends the build.
#
# The pages stay plain Markdown that GitHub shows as well. So nothing in them is Sphinx's own; the order of the pages is
# in index.md, and tree_links.py makes links to the tree's other files lead to pages of the site.
import gc
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

gc.set_threshold(200_000)  # to look for garbage after every 700 new nodes took a sixth of the time

project = "clue"
copyright = "the authors of clue"
release = os.environ["CLUE_VERSION"]
html_title = "clue " + release

extensions = ["myst_parser", "tree_links", "lua_kernels"]
source_suffix = {".md": "markdown"}
root_doc = "index"
include_patterns = ["*.md", "api/**.md", "docs/**.md"]
exclude_patterns = ["docs/site"]

# Links may name the headings of a page as GitHub does.
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # a page of the API may skip a level
highlight_language = "none"
pygments_style = "default"
pygments_dark_style = "monokai"
smartquotes = False  # they would change the quotes that a reader is to type

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["clue.css"]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # it reads the pages by requests, which a browser refuses for file://
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True}
