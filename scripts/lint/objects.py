# SPDX-License-Identifier: GPL-2.0-or-later
"""What the objects of a build define, need and hold, by the source file of each.

nm and objdump are run once over all objects: starting a process for each would take far longer than the rest.
"""
import glob
import os
import re
import subprocess


class Objects:
    """The objects of BUILD whose sources are in the tree.

    sources is the sorted list of them; defined[source] and needed[source] are sets of global symbols.
    """

    def __init__(self, build):
        self._object = {}
        for path in glob.glob(f"{build}/**/*.o", recursive=True):
            source = os.path.relpath(path, build)[:-2] + ".c"
            if os.path.exists(source):
                self._object[source] = path
        self._source = {path: source for source, path in self._object.items()}
        self.sources = sorted(self._object)
        self.defined = self._symbols("--defined-only", "-g")
        self.needed = self._symbols("-u")

    def _symbols(self, *flags):
        found = {source: set() for source in self.sources}
        for line in self._run("nm", "-A", *flags, *self._source).splitlines():
            path, _, symbol = line.partition(":")
            found[self._source[path]].add(symbol.split()[-1])
        return found

    def mutable_data(self, sources):
        """(source, section, name) of each symbol that can be written to at run time."""
        source = None
        for line in self._run("objdump", "-t", *(self._object[s] for s in sources)).splitlines():
            m = re.match(r"(\S+):\s+file format", line)
            if m:
                source = self._source[m[1]]
            m = re.match(r"[0-9a-f]+ .{7} (\S+)\s+([0-9a-f]+) (?:\.hidden )?(.*)$", line)
            if not m or int(m[2], 16) == 0:
                continue
            section, name = m[1], m[3].strip()
            mutable = section == "*COM*" or re.match(r"\.(data|bss|tdata|tbss)(\.|$)", section)
            if mutable and not section.startswith(".data.rel.ro") and not name.startswith("__"):
                yield source, section, name

    @staticmethod
    def _run(*command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
