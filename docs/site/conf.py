"""Sphinx for the site: run by scripts/build-site, which makes the tree of pages first."""
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import python_reference  # noqa: E402

project = "polhode"
author = "The polhode authors"
copyright = "2026, The polhode authors"
version = release = os.environ.get("POLHODE_VERSION", "")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "breathe"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
myst_update_mathjax = False  # its settings are for version 3
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"
exclude_patterns = ["files/**"]

highlight_language = "none"
pygments_style = "tango"
pygments_dark_style = "monokai"

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_docstring_signature = True
add_module_names = False

breathe_projects = {"c": os.environ.get("POLHODE_DOXYGEN_C", "")}
breathe_default_project = "c"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
c_id_attributes = ["POLHODE_API"]

# Formulas without a network: Debian's MathJax, drawn as SVG, copied by build-site.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax_options = {"async": "async"}
mathjax2_config = {"showMathMenu": False, "tex2jax": {"processClass": "math|tex2jax_process", "displayMath": [["\\[", "\\]"]]}, "SVG": {"font": "TeX", "linebreaks": {"automatic": True}}, "messageStyle": "none"}

html_theme = "furo"
html_title = "polhode"
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = [os.environ["POLHODE_SITE_EXTRA"]]
html_show_sphinx = False
html_show_search_summary = False  # a browser fetches nothing for a page in a file
html_copy_source = False
html_show_sourcelink = False

#: The colours of the laboratory and of the report, light and dark.
_FONTS = {"font-stack": 'system-ui, "DejaVu Sans", sans-serif', "font-stack--monospace": '"DejaVu Sans Mono", ui-monospace, monospace'}
html_theme_options = {
    "light_css_variables": {
        **_FONTS, "color-foreground-primary": "#1a1a1a", "color-foreground-secondary": "#555555", "color-foreground-muted": "#5c6166",
        "color-background-primary": "#ffffff", "color-background-secondary": "#f6f7f8", "color-background-border": "#d4d7da",
        "color-brand-primary": "#00588c", "color-brand-content": "#00588c", "color-link": "#00588c",
        "color-api-name": "#00694b", "color-api-pre-name": "#00694b", "color-code-background": "#f6f7f8",
        "color-highlight-on-target": "#fff4c2",
    },
    "dark_css_variables": {
        **_FONTS, "color-foreground-primary": "#e8e8e8", "color-foreground-secondary": "#a8adb2", "color-foreground-muted": "#9aa0a6",
        "color-background-primary": "#14171a", "color-background-secondary": "#1d2125", "color-background-border": "#3a4047",
        "color-brand-primary": "#7cc0ee", "color-brand-content": "#7cc0ee", "color-link": "#7cc0ee",
        "color-api-name": "#4cc79a", "color-api-pre-name": "#4cc79a", "color-code-background": "#1d2125",
        "color-highlight-on-target": "#33300f",
    },
}


def setup(app) -> None:
    app.connect("autodoc-process-docstring", python_reference.process)
