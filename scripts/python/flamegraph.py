# SPDX-License-Identifier: GPL-2.0-or-later
"""A flame graph of samples: a page for a browser that needs nothing else, or the tree behind it as JSON.

Wants: samples of any event, with call chains (perf record -g).
Usage: perf script flamegraph [-f json|html] [-o FILE] [--template FILE] [--colorscheme blue-green|orange]

The JSON is that of d3-flame-graph: n is the name of a frame, l "kernel" for frames of the kernel, v the number of samples
that end there, c what it called. A template is a page of d3-flame-graph; the tree and the options are put in place of
/** @flamegraph_json **/ and /** @options_json **/. `perf report --html` shows much more of a recording, and
`perf flame` records and shows in one step.
"""
import argparse
import html
import json
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import frames, write_file

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>@TITLE@</title>
<style>
body { font: 13px sans-serif; margin: 1em; }
#graph { position: relative; overflow: hidden; }
#graph div { position: absolute; height: 17px; line-height: 17px; overflow: hidden; white-space: nowrap; cursor: pointer;
  box-sizing: border-box; border: 1px solid #fff; padding-left: 3px; border-radius: 2px; }
#graph div.found { outline: 2px solid #d0f; }
#says { height: 1.5em; }
</style>
</head>
<body>
<h1>@TITLE@</h1>
<p><input id="search" placeholder="search" aria-label="search"> <button id="all">all</button></p>
<p id="says"></p>
<div id="graph"></div>
<script>
"use strict";
const root = @TREE@, options = @OPTIONS@, height = 18, graph = document.getElementById("graph");
const says = document.getElementById("says"), search = document.getElementById("search");
let shown = root;
function weigh(node, depth, above) {
  node.depth = depth; node.above = above; node.total = node.v; node.below = depth;
  for (const c of node.c) { weigh(c, depth + 1, node); node.total += c.total; node.below = Math.max(node.below, c.below); }
}
function color(node) {
  let h = 0;
  for (const c of node.n) h = (h * 31 + c.charCodeAt(0)) % 997;
  const kernel = node.l === "kernel";
  const hue = options.colorscheme === "orange" ? (kernel ? 15 : 30) : (kernel ? 120 : 200);
  return `hsl(${hue + h % 25} 65% ${62 + h % 18}%)`;
}
function text(node) {
  return `${node.n}: ${node.total} samples, ${(100 * node.total / root.total).toFixed(2)}%`;
}
function draw(node, left, width) {
  if (width < 0.5) return;
  const box = document.createElement("div");
  box.style.left = left + "px"; box.style.width = width + "px";
  box.style.top = node.depth * height + "px"; box.style.background = color(node);
  if (width > 25) box.textContent = node.n;
  box.title = text(node);
  if (search.value && node.n.includes(search.value)) box.className = "found";
  box.onmouseenter = () => { says.textContent = text(node); };
  box.onclick = () => { shown = node; show(); };
  graph.append(box);
}
function drawBelow(node, left, width) {
  draw(node, left, width);
  for (const c of node.c) {
    const w = width * c.total / node.total;
    if (w >= 0.5) drawBelow(c, left, w);
    left += w;
  }
}
function show() {
  const width = graph.clientWidth;
  graph.replaceChildren();
  graph.style.height = (root.below + 1) * height + "px";
  for (let n = shown.above; n; n = n.above) draw(n, 0, width);
  drawBelow(shown, 0, width);
}
weigh(root, 0, null);
search.oninput = show;
document.getElementById("all").onclick = () => { shown = root; show(); };
window.onresize = show;
show();
</script>
</body>
</html>
"""


class Node:
    """A frame, with what it called by (name, kind)."""

    def __init__(self):
        self.samples = 0
        self.children = {}

    def child(self, name, kind):
        """Return what is called from here, which is made if it is new."""
        key = name, kind
        found = self.children.get(key)
        if not found:
            found = self.children[key] = Node()
        return found


def arguments():
    """Return the arguments; ends with a message when they are wrong."""
    parser = argparse.ArgumentParser(
        prog="flamegraph.py", description="Create flame graphs.",
        epilog="`perf report --html` shows a recording as such a page with tables, too, and `perf flame` also records it.")
    parser.add_argument("-f", "--format", default="html", choices=["json", "html"], help="output file format")
    parser.add_argument("-o", "--output", help="output file name")
    parser.add_argument("--template", help="path to flame graph HTML template")
    parser.add_argument("--colorscheme", default="blue-green", choices=["blue-green", "orange"],
                        help="flame graph color scheme")
    given = parser.parse_args()
    if given.template and given.format == "html" and not os.path.isfile(given.template):
        sys.exit("Flame Graph template %s does not exist. Without --template the page needs none." % given.template)
    return given


args = arguments()
root = Node()


def process_event(event):
    """Add the stack of one sample."""
    node = root.child("%s (%d)" % (event["comm"], event["sample"]["pid"]), "")
    for frame in frames(event):
        node = node.child(frame.name, "kernel" if frame.kernel else "")
    node.samples += 1


def tree():
    """Return the JSON of all nodes. Stacks may be deeper than Python's own, so it is written without recursion."""
    out = []
    work = [("all", "root", root)]
    while work:
        item = work.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        name, kind, node = item
        out.append('{"n": %s, "l": %s, "v": %d, "c": [' % (json.dumps(name), json.dumps(kind), node.samples))
        work.append("]}")
        for at, ((child_name, child_kind), child) in reversed(list(enumerate(node.children.items()))):
            work.append((child_name, child_kind, child))
            if at:
                work.append(", ")
    return "".join(out)


def page():
    """Return the page."""
    # "</script>" in a name must not end the script.
    data = tree().replace("<", "\\u003c")
    options = json.dumps({"colorscheme": args.colorscheme})
    if args.template:
        with open(args.template, encoding="utf-8") as f:
            text = f.read()
        return text.replace("/** @options_json **/", options).replace("/** @flamegraph_json **/", data)
    return PAGE.replace("@TITLE@", html.escape("Flame graph")).replace("@OPTIONS@", options).replace("@TREE@", data)


def trace_end():
    """Write what was asked for."""
    text = page() if args.format == "html" else tree()
    name = args.output or ("flamegraph.html" if args.format == "html" else "stacks.json")
    if name != "-":
        print("dumping data to %s" % name)
    write_file("flamegraph", name, text)
