#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws folded stacks (standard input) as a flame graph in SVG (standard output). A stand-in for the
last step of the usual pipeline, script | collapse | draw, whose own scripts are not part of this
tree: sorted stacks, a rectangle with a title and a label for each function that is wide enough, no
script in the picture, no palette to choose. It does less than those do, so that it takes no longer."""
import html
import sys

WIDTH, ROW, LETTER, LEAST = 1200, 16, 7, 0.1


def read(lines):
    """(frames from the outermost, count), in the order of the stacks."""
    for line in sorted(lines):
        stack, _, count = line.rpartition(" ")
        yield ["all"] + stack.split(";"), int(count)


def merge(stacks):
    """(name, depth, start, end) of each frame; and the sum of all."""
    out, open_frames, at = [], [], 0
    for frames, count in stacks:
        same = 0
        for (name, _), frame in zip(open_frames, frames):
            if name != frame:
                break
            same += 1
        while len(open_frames) > same:
            name, start = open_frames.pop()
            out.append((name, len(open_frames), start, at))
        for name in frames[same:]:
            open_frames.append((name, at))
        at += count
    while open_frames:
        name, start = open_frames.pop()
        out.append((name, len(open_frames), start, at))
    return out, at


def draw(frames, total, put):
    least = LEAST * total / WIDTH
    frames = [f for f in frames if f[3] - f[2] >= least]
    height = (max(f[1] for f in frames) + 3) * ROW
    put(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}">\n')
    for name, depth, start, end in frames:
        x, width = start * WIDTH / total, (end - start) * WIDTH / total
        y = height - (depth + 1) * ROW
        title = html.escape(f"{name} ({end - start:,}, {100 * (end - start) / total:.2f}%)")
        put(f'<g><title>{title}</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 1}"'
            f' fill="rgb({205 + hash(name) % 50},{hash(name) // 50 % 200},50)"/>')
        room = int(width / LETTER)
        if room > 2:
            label = name if len(name) <= room else name[:room - 2] + ".."
            put(f'<text x="{x + 3:.1f}" y="{y + ROW - 4}">{html.escape(label)}</text>')
        put("</g>\n")
    put("</svg>\n")


def main():
    frames, total = merge(read(sys.stdin))
    if total:
        draw(frames, total, sys.stdout.write)


sys.stdin.reconfigure(errors="replace")
sys.stdout.reconfigure(errors="replace")
main()
