"""Links from pages to other files of the tree lead to pages of the site that show those files.

A link to a text file, and a file's path in code such as `scripts/examples/hello.lua`, lead to a highlighted page; a
link to a folder leads to its README.md or to a list of its files. Other files are downloads, as MyST makes them.
"""
import functools
import html
import os
import posixpath

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.osutil import relative_uri

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = "tree/"  # of the site: where the pages of files are
LARGEST = 200_000  # bytes; a larger file is a download
LEXERS = {".c": "host.c", ".cl": "kernel.c", ".def": "calls.c", ".h": "host.h", ".lua": "script.lua",
          ".mq5": "script.cpp", "dev": "dev.sh"}


def text_of(path):
    """The text of a file of the tree, None if it is large or no text."""
    path = os.path.join(TREE, path)
    if not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
        return None
    with open(path, "rb") as file:
        data = file.read()
    try:
        return None if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def is_shown(path):
    if path.startswith(("../", "/", "build/", "build-", "build.")) or path.endswith((".svg", ".xml")):
        return False
    return os.path.isdir(os.path.join(TREE, path)) or text_of(path) is not None


class TreeLinks(SphinxTransform):
    default_priority = 210

    def apply(self, **kwargs):
        for node in list(self.document.findall(addnodes.download_reference)):
            self.lead(node, self.path_of(node["reftarget"]))
        for node in list(self.document.findall(addnodes.pending_xref)):
            target = node.get("reftarget", "")
            path = self.path_of(target)
            if node.get("reftype") != "myst":
                continue
            if self.path_of(target.split("#")[0]) == "README.md":
                self.lead(node, "README.md")
            elif target and "#" not in target and not self.document_at(path):
                self.lead(node, path)
        for node in list(self.document.findall(nodes.literal)):
            text = node.astext()
            if "/" in text and " " not in text and not isinstance(node.parent, (nodes.reference, nodes.inline)):
                self.lead_from_code(node, posixpath.normpath(text))

    def path_of(self, target):
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.env.docname), target))

    def document_at(self, path):
        """The page that the site has for a path of the tree."""
        if path == "README.md":
            return "index"  # which takes README.md's place
        for each in (path, posixpath.join(path, "README.md")):
            name = each[:-3] if each.endswith(".md") else each
            if each.endswith(".md") and name in self.env.found_docs:
                return name
        return None

    def uri_of(self, path):
        page = self.document_at(path)
        if not page:
            page = FOLDER + path
            self.env.tree_files.add(path)
        return relative_uri(self.env.docname + ".html", page + ".html")

    def lead(self, node, path):
        if self.document_at(path) or is_shown(path):
            reference = nodes.reference("", "", *node.children, refuri=self.uri_of(path), internal=True)
            node.replace_self(reference)

    def lead_from_code(self, node, path):
        if os.path.exists(os.path.join(TREE, path)) and (self.document_at(path) or is_shown(path)):
            reference = nodes.reference("", "", refuri=self.uri_of(path), internal=True)
            node.replace_self(reference)
            reference += node


def body_of_folder(path, add):
    entries = sorted(os.listdir(os.path.join(TREE, path)))
    items = []
    for entry in entries:
        inner = posixpath.join(path, entry)
        if is_shown(inner):
            add(inner)
            name = html.escape(entry)
            uri = relative_uri(FOLDER + path + ".html", FOLDER + inner + ".html")
            items.append(f'<li><a href="{uri}"><code>{name}</code></a></li>')
        else:
            items.append(f"<li><code>{html.escape(entry)}</code></li>")
    return "<ul>" + "".join(items) + "</ul>"


@functools.lru_cache(None)
def lexer_of(name):
    """To find one takes as long as to colour a page."""
    try:
        return get_lexer_for_filename(name)
    except ClassNotFound:
        return TextLexer()


def body_of_file(path):
    name = posixpath.basename(path)
    ending = posixpath.splitext(name)[1] or name
    return highlight(text_of(path), lexer_of(LEXERS.get(ending, name)), HtmlFormatter(cssclass="highlight"))


def file_pages(app):
    """Every linked file or folder, and what is in linked folders."""
    waiting, done = sorted(app.env.tree_files), set()
    while waiting:
        path = waiting.pop()
        if path in done:
            continue
        done.add(path)
        is_folder = os.path.isdir(os.path.join(TREE, path))
        content = body_of_folder(path, waiting.append) if is_folder else body_of_file(path)
        title = html.escape(path)
        yield FOLDER + path, {"title": title, "body": f"<h1><code>{title}</code></h1>{content}"}, "page.html"


def share_navigation(app, pagename, templatename, context, doctree):
    """The navigation, most of a page's time, is the same on all pages of files that are as deep in the site."""
    if not pagename.startswith(FOLDER):
        return
    make = context["toctree"]

    def toctree(**options):
        key = (pagename.count("/"), repr(sorted(options.items())))
        if key not in app.env.tree_navigation:
            app.env.tree_navigation[key] = make(**options)
        return app.env.tree_navigation[key]

    context["toctree"] = toctree


def begin(app):
    app.env.tree_files = set()
    app.env.tree_navigation = {}


def list_other_pages(app, docname, source):
    """Gives a place in the navigation to the API's pages, if they were made, and to how-to pages not named there."""
    if docname == "index" and "api/index" in app.env.found_docs:
        source[0] = source[0].replace("docs/reference/*\n", "docs/reference/*\napi/index\n")
    listed = source[0] if docname == "index" else ""
    others = [name for name in sorted(app.env.found_docs) if name.startswith("docs/howto/") and name not in listed]
    if listed and others:
        source[0] = source[0].replace("docs/howto/ci\n", "docs/howto/ci\n" + "\n".join(others) + "\n")
    if docname == "api/index":
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def setup(app):
    app.add_transform(TreeLinks)
    app.connect("builder-inited", begin)
    app.connect("source-read", list_other_pages)
    app.connect("html-collect-pages", file_pages)
    app.connect("html-page-context", share_navigation, priority=400)  # the theme's asks for the navigation
    return {"parallel_read_safe": False, "parallel_write_safe": False}
