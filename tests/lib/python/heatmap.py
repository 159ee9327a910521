# SPDX-License-Identifier: GPL-2.0-or-later
"""A heat map in a browser: pointed at, light and dark.

	heatmap.py FILE COUNT	a picture or a page; what its cells count"""
import re
import sys

from browser import Browser

OWN = ("file:", "chrome:", "data:")  # the last two: of the empty page that a browser begins with


def main(path, want):
    with Browser() as b:
        b.open(path)
        assert b.wait("return !!document.querySelector('.cells rect')")
        cells = b.run("return [...document.querySelectorAll('.cells rect title')].map((t) => t.textContent)")
        assert len(cells) > 1 and sum(int(re.search(r": (\d+) \w+$", c)[1]) for c in cells) == want, cells[:5]
        page = b.run("return !!document.getElementById('here')")
        for number in (0, len(cells) - 1):
            x, y = b.run("""const e = document.querySelectorAll('.cells rect')[arguments[0]];
                e.scrollIntoView({block: 'center'});
                const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]""", number)
            b.pointer(("move", x, y))
            assert b.wait("return document.querySelectorAll('.cells rect')[%d].matches(':hover')" % number)
            if page:
                assert b.wait("return document.getElementById('here').textContent === "
                              "document.querySelectorAll('.cells rect title')[%d].textContent" % number)
        if page:
            b.pointer(("move", 2, 2))
            assert b.wait("return document.getElementById('here').textContent === '\\u00a0'")
        seen = set()
        for dark in (True, False):
            b.dark(dark)
            assert b.wait("return matchMedia('(prefers-color-scheme: dark)').matches === %s" % str(dark).lower())
            seen.add(b.run("return getComputedStyle(document.querySelector('.back')).fill + "
                           "getComputedStyle(document.querySelector('text')).fill"))
        assert len(seen) == 2, seen
        assert not [r for r in b.requests() if not r.startswith(OWN)], "requests"
        assert not b.console(), "complaints"


main(sys.argv[1], int(sys.argv[2]))
