# SPDX-License-Identifier: GPL-2.0-or-later
"""What speedscope itself, of its npm package, shows of a profile of samples: a line TOTAL SELF NAME for each
function of the profile it opens with.

usage: speedscope.py PACKAGE FILE
"""
import base64
import os
import pathlib
import re
import sys

from browser import Browser

ROWS = "return [...document.querySelectorAll('tr')].map(r => [...r.querySelectorAll('td')].map(d => d.innerText))"


def main(package, path):
    loader = path + ".js"
    with open(path, "rb") as f, open(loader, "w") as out:
        name, text = os.path.basename(path), base64.b64encode(f.read()).decode()
        out.write(f"speedscope.loadFileFromBase64('{name}', '{text}')")
    page = pathlib.Path(package, "dist/release/index.html").resolve().as_uri()
    with Browser() as b:
        b.open(f"{page}#localProfilePath={pathlib.Path(loader).resolve()}&view=sandwich")
        if not b.wait("return document.querySelectorAll('td').length"):
            sys.exit("speedscope shows nothing: " + b.run("return document.body.innerText"))
        for cells in b.run(ROWS):
            if len(cells) == 3 and "%" in cells[0]:
                print(*(re.sub(r" \(.*", "", c.strip()) for c in cells[:2]), cells[2].strip())


main(*sys.argv[1:])
