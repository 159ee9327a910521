#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How fast, beside the reference: runs each case with both binaries in turns and prints medians and
ratios. It judges nothing and never fails because something is slow.

usage: bench.py [-n RUNS] [-l] [CASE-GLOB...]
environment: PERF (build/perf), REF (/usr/bin/perf), BENCH_DIR (/tmp/perf-bench/in): the recordings
a.flat.data, b.fp.data, c2.dwarf.data, d.tp.data, e.procs.data, f.src1k.data, g.sched.data,
h.kmem.data,
k.kwork.data, tiny.data; those that are not there are recorded small in a temporary folder. Those of the big.* cases, files and streams
of BIG_MB (1024) megabytes of records, are made by bigdata.c; they have a third side, cat FILE |
wc -c of as many bytes as the records are, expanded ones too: what stands at the end is our rate as
a part of its.

Before each run of ours, what earlier ones kept of objects on disk is removed, apart from cases
..._kept, which are about it.

wall, cpu: seconds (cpu: user and system, children included); anon: largest anonymous memory, MiB,
sampled every few milliseconds, of all programs of a pipeline that are there at the same time. Only
ratios of one run mean something."""
import argparse
import ctypes
import fnmatch
import os
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PERF = os.environ.get("PERF", TOP + "/build/perf")
REF = os.environ.get("REF", "/usr/bin/perf")
INPUTS = os.environ.get("BENCH_DIR", "/tmp/perf-bench/in")

# A script whose functions do next to nothing: what is left is the way to them.
HANDLERS = TOP + "/tests/bench/handlers.py"
TO_CSV = "{P} script -i {F} -s " + TOP + "/tests/bench/to-csv.py"
# What the reference is asked for instead, where it does not have it.
FOLDING = "{P} script -i {F} | perl " + TOP + "/tests/bench/collapse.pl"
INSTEAD = {
    # As the flame graphs of its users are made; the two scripts are stand-ins of ours for theirs.
    "fp.flamegraph": FOLDING + " | python3 " + TOP + "/tests/bench/draw.py",
    "fp.html": FOLDING + " | python3 " + TOP + "/tests/bench/draw.py",
    "fp.folded": FOLDING,
    "tp.ndjson": "{P} script -i {F}",
    "tp.csv": "{P} script -i {F}",
    "fp.ndjson": "{P} script -i {F}",
    # Columns: a script that writes CSV, which other programs then read.
    "flat.columnar": TO_CSV,
    "fp.columnar": TO_CSV,
    "tp.columnar": TO_CSV,
    "tp.pair": "{P} script -i {F}",
}

# name, command, recording it needs
CASES = [
    ("start.version", "{P} --version", None),
    ("start.record_true", "{P} record -q -e cpu-clock -o {T}/rec.data true", None),
    ("start.record_a_true", "{P} record -q -a -e cpu-clock -o {T}/rec.data true", None),
    ("list.all", "{P} list", None),
    ("list.tracepoint", "{P} list tracepoint", None),
    ("list.raw", "{P} list --raw-dump", None),
    ("list.word", "{P} list sched_switch", None),
    ("stat.true", "sh -c 'for i in $(seq 50); do {P} stat true 2>/dev/null; done'", None),
    ("stat.interval", "{P} stat -a -A -I 1 -e cs,faults -o /dev/null sleep 1", None),
    ("tiny.report", "{P} report --stdio -i {F}", "tiny.data"),
    ("tiny.script", "{P} script -i {F}", "tiny.data"),
    ("flat.report", "{P} report --stdio -i {F}", "a.flat.data"),
    ("flat.report_kept", "{P} report --stdio -i {F}", "a.flat.data"),
    ("flat.report_comm", "{P} report --stdio -s comm -i {F}", "a.flat.data"),
    ("flat.report_pid", "{P} report --stdio -s pid,dso,sym -i {F}", "a.flat.data"),
    ("flat.script", "{P} script -i {F}", "a.flat.data"),
    ("flat.script_ip", "{P} script -F ip -i {F}", "a.flat.data"),
    ("flat.diff", "{P} diff {F} {F}", "a.flat.data"),
    ("src.srcline", "{P} report --stdio -s srcline -i {F}", "f.src1k.data"),
    ("src.srcline_kept", "{P} report --stdio -s srcline -i {F}", "f.src1k.data"),
    ("dwarf.inline", "{P} report --stdio --no-children -i {F}", "c2.dwarf.data"),
    ("dwarf.inline_kept", "{P} report --stdio --no-children -i {F}", "c2.dwarf.data"),
    ("fp.report", "{P} report --stdio -i {F}", "b.fp.data"),
    ("fp.report_nochild", "{P} report --stdio --no-children -i {F}", "b.fp.data"),
    ("fp.report_caller", "{P} report --stdio --no-children -g caller -i {F}", "b.fp.data"),
    ("fp.report_folded", "{P} report --stdio --no-children -g folded -i {F}", "b.fp.data"),
    ("fp.script", "{P} script -i {F}", "b.fp.data"),
    ("fp.flamegraph", "{P} report -q -i {F} --flamegraph {T}/out.svg", "b.fp.data"),
    ("fp.folded", "{P} report -q -i {F} --folded={T}/out.folded", "b.fp.data"),
    ("fp.html", "{P} report -q -i {F} --html {T}/out.html", "b.fp.data"),
    ("tp.report", "{P} report --stdio -i {F}", "d.tp.data"),
    ("tp.script", "{P} script -i {F}", "d.tp.data"),
    ("tp.python", "{P} script -i {F} -s " + HANDLERS, "d.tp.data"),
    ("tp.python_all", "sh -c 'cd {T} && {P} script -i {F} -g python && {P} script -i {F} -s perf-script.py'", "d.tp.data"),
    ("tp.perl", "{P} script -i {F} -s " + TOP + "/tests/bench/handlers.pl", "d.tp.data"),
    ("flat.python", "{P} script -i {F} -s " + HANDLERS, "a.flat.data"),
    ("tp.ndjson", "{P} script --ndjson -i {F}", "d.tp.data"),
    ("tp.csv", "{P} script --csv -i {F}", "d.tp.data"),
    ("fp.ndjson", "{P} script --ndjson -i {F}", "b.fp.data"),
    ("flat.columnar", "{P} script --columnar {T}/out.arrow -i {F}", "a.flat.data"),
    ("fp.columnar", "{P} script --columnar {T}/out.arrow -i {F}", "b.fp.data"),
    ("tp.columnar", "{P} script --columnar {T}/out.arrow -i {F}", "d.tp.data"),
    ("tp.pair", "{P} report --pair raw_syscalls:sys_enter,raw_syscalls:sys_exit -i {F}", "d.tp.data"),
    ("sched.latency", "{P} sched -i {F} latency", "g.sched.data"),
    ("sched.map", "{P} sched -i {F} map", "g.sched.data"),
    ("sched.timehist", "{P} sched -i {F} timehist", "g.sched.data"),
    ("sched.timehist_s", "{P} sched -i {F} timehist -s", "g.sched.data"),
    ("sched.timehist_all", "{P} sched -i {F} timehist -MVwn", "g.sched.data"),
    ("sched.script", "{P} sched -i {F} script", "g.sched.data"),
    ("sched.timechart", "{P} timechart -i {F} -o {T}/out.svg", "g.sched.data"),
    ("kwork.report", "{P} kwork -i {F} report", "k.kwork.data"),
    ("kwork.latency", "{P} kwork -i {F} latency", "k.kwork.data"),
    ("kwork.timehist", "{P} kwork -i {F} timehist", "k.kwork.data"),
    ("lock.contention", "{P} lock -i {F} contention", "l.lock.data"),
    ("lock.report", "{P} lock -i {F} report", "l.lock.data"),
    ("kmem.stat", "{P} kmem -i {F} --caller --alloc stat", "h.kmem.data"),
    ("flat.annotate", "{P} annotate --stdio -i {F}", "a.flat.data"),
    ("flat.annotate_limit", "{P} annotate --stdio --percent-limit 1 -i {F}", "a.flat.data"),
    ("flat.inject", "{P} inject -b -i {F} -o {T}/inject.data", "a.flat.data"),
    ("fp.inject", "{P} inject -b -i {F} -o {T}/inject.data", "b.fp.data"),
    ("procs.inject", "{P} inject -b -i {F} -o {T}/inject.data", "e.procs.data"),
    ("flat.json", "{P} data convert --force --to-json {T}/out.json -i {F}", "a.flat.data"),
    ("tp.json", "{P} data convert --force --to-json {T}/out.json -i {F}", "d.tp.data"),
    ("flat.ctf", "{P} data convert --to-ctf {T}/out.ctf -i {F}", "a.flat.data"),
    ("tp.ctf", "{P} data convert --to-ctf {T}/out.ctf -i {F}", "d.tp.data"),
    ("procs.report", "{P} report --stdio -i {F}", "e.procs.data"),
    ("flat.stats", "{P} report --stats -i {F}", "a.flat.data"),
    ("fp.stats", "{P} report --stats -i {F}", "b.fp.data"),
    ("tp.stats", "{P} report --stats -i {F}", "d.tp.data"),
    ("procs.stats", "{P} report --stats -i {F}", "e.procs.data"),
    ("flat.hits", "{P} buildid-list -H -i {F}", "a.flat.data"),
    ("fp.hits", "{P} buildid-list -H -i {F}", "b.fp.data"),
    ("tp.hits", "{P} buildid-list -H -i {F}", "d.tp.data"),
    ("procs.hits", "{P} buildid-list -H -i {F}", "e.procs.data"),
    ("tp.evlist", "{P} evlist -i {F}", "d.tp.data"),
    ("tp.header", "{P} script --header-only -i {F}", "d.tp.data"),
    ("big.stats", "{P} report --stats -i {F}", "big.data"),
    ("big.stats_z", "{P} report --stats -i {F}", "big.zstd.data"),
    ("big.stats_pipe", "cat {F} | {P} report --stats -i -", "big.pipe.data"),
    ("big.stats_pipe_z", "cat {F} | {P} report --stats -i -", "big.pipe.zstd.data"),
    ("big.hits", "{P} buildid-list -H -i {F}", "big.data"),
    ("big.hits_z", "{P} buildid-list -H -i {F}", "big.zstd.data"),
    ("big.evlist", "{P} evlist -i {F}", "big.data"),
    ("big.header", "{P} script --header-only -i {F}", "big.data"),
]

# How to record a small one.
SMALL = {
    "tiny.data": "-F 999 -e cpu-clock -- {P} test -w noploop 0.3",
    "a.flat.data": "-F 20000 -e cpu-clock -- {P} test -w thloop 2 2",
    "c2.dwarf.data": "-F 999 --call-graph dwarf -e cpu-clock -- {P} list",
    "f.src1k.data": "-F 999 -e cpu-clock -- {P} list",
    "b.fp.data": "-F 10000 -g -e cpu-clock -- {P} test -w thloop 2 2",
    "d.tp.data": "-e raw_syscalls:* -- {P} test -w context_switch_loop",
    "g.sched.data": "-a -m 1024 -c 1 -e sched:sched_switch,sched:sched_stat_runtime,"
                    "sched:sched_process_fork,sched:sched_waking,sched:sched_wakeup_new,"
                    "sched:sched_migrate_task -- {P} test -w context_switch_loop",
    "k.kwork.data": "-a -m 1024 -c 1 -e irq:irq_handler_entry,irq:irq_handler_exit,irq:softirq_raise,"
                    "irq:softirq_entry,irq:softirq_exit,workqueue:workqueue_activate_work,"
                    "workqueue:workqueue_execute_start,workqueue:workqueue_execute_end"
                    " -- {P} test -w context_switch_loop",
    "l.lock.data": "-a -m 1024 -c 1 --call-graph fp,8 -e lock:contention_begin,lock:contention_end"
                   " -- sh -c 'for i in 1 2 3 4; do seq 20000 | cat | cat >/dev/null & done; wait'",
    "h.kmem.data": "-a -m 1024 -c 1 -e kmem:kmalloc,kmem:kfree,kmem:kmem_cache_alloc,kmem:kmem_cache_free -- "
                   "ls -R /etc /usr/share",
    "e.procs.data": "-F 4999 -e cpu-clock -- sh -c 'for i in $(seq 200); do /bin/true; done'",
}


def memory_kb(pids, resident):
    """Anonymous memory as it is, and what is resident: @resident: VmRSS, or VmHWM for the most so
    far; of all together."""
    found = {"RssAnon": 0, resident: 0}
    for pid in pids:
        try:
            with open(f"/proc/{pid}/status") as f:
                for line in f:
                    name, _, value = line.partition(":")
                    if name in found:
                        found[name] += int(value.split()[0])
        except OSError:
            pass
    return found["RssAnon"], found[resident]


def watch_memory(pids, resident, largest, ended):
    """Keep the largest (RssAnon, RESIDENT) in LARGEST until ENDED; apart from what waits for the
    end, so that looking does not delay it."""
    while not ended.wait(0.003 if largest[0] else 0.0005):
        now = memory_kb(pids, resident)
        largest[:] = max(largest[0], now[0]), max(largest[1], now[1])


def adopt_orphans():
    """Have this process wait for what its children leave behind, so that its time counts: the
    reference ends before its addr2line does."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wait_for_orphans():
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


def run(command):
    """One run of a command or pipeline: (wall, cpu, anonymous MiB, exit status of its last,
    resident MiB)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    feed = subprocess.DEVNULL
    feeders = []
    parts = command.split(" | ")
    for part in parts[:-1]:
        p = subprocess.Popen(shlex.split(part), stdin=feed, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        feeders.append(p)
        feed = p.stdout
    p = subprocess.Popen(shlex.split(parts[-1]), stdin=feed, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    for f in feeders:
        f.stdout.close()
    pids = [f.pid for f in feeders] + [p.pid]
    largest, ended = [0, 0], threading.Event()
    watch = threading.Thread(target=watch_memory,
                             args=(pids, "VmRSS" if feeders else "VmHWM", largest, ended))
    watch.start()
    p.wait()
    for f in feeders:
        f.wait()
    wall = time.monotonic() - start
    wait_for_orphans()
    ended.set()
    watch.join()
    anon, rss = largest
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall, cpu, anon / 1024, p.returncode, rss / 1024


def make_big(name, path, tmp):
    """big[.pipe][.zstd].data"""
    if os.path.exists(path):
        return
    tool = f"{tmp}/bigdata"
    if not os.path.exists(tool):
        base = ["cc", "-O2", "-o", tool, f"{TOP}/tests/bench/bigdata.c"]
        if subprocess.run(base + ["-lzstd"], stderr=subprocess.DEVNULL, check=False).returncode:
            subprocess.run(base + ["-DNO_ZSTD"], check=True)
    subprocess.run([tool, path, os.environ.get("BIG_MB", "1024")] + name.split(".")[1:-1],
                   check=True)


def find_input(name, tmp):
    path = f"{INPUTS}/{name}"
    if os.path.exists(path):
        return path, ""
    path = f"{tmp}/{name}"
    if name.startswith("big."):
        make_big(name, path, tmp)
    elif not os.path.exists(path):
        args = shlex.split(SMALL[name].format(P=PERF))
        subprocess.run([PERF, "record", "-q", "-o", path] + args, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    note = "" if name.startswith("big.") else " (small)"
    return (path, note) if os.path.exists(path) else (None, "")


def median(runs, i):
    return statistics.median(r[i] for r in runs)


def prepare(tmp):
    """Have ours keep results of work on objects in a folder of this run alone."""
    adopt_orphans()
    with open(f"{tmp}/config", "w") as f:
        f.write(f"[cache]\n\tdir = {tmp}/kept\n")
    os.environ["PERF_CONFIG"] = f"{tmp}/config"


def run_ours(name, command, path, tmp, first):
    """One run of ours. FIRST: it is the first of the case."""
    command = command.format(P=PERF, F=path, T=tmp)
    if not name.endswith("_kept"):
        shutil.rmtree(f"{tmp}/kept", ignore_errors=True)
    elif first:
        run(command)
    return run(command)


def bench(name, command, needs, runs, tmp):
    path, note = find_input(needs, tmp) if needs else ("", "")
    if path is None:
        print(f"{name:20} no recording {needs}")
        return
    a, b, cat = [], [], []
    plain = find_input("big.data", tmp)[0] if name.startswith("big.") else None
    for i in range(runs):
        a.append(run_ours(name, command, path, tmp, i == 0))
        if shutil.which(REF):
            b.append(run(INSTEAD.get(name, command).format(P=REF, F=path, T=tmp)))
        if plain:
            cat.append(run(f"cat {plain} | wc -c"))
    line = f"{name:20} {median(a, 0):8.3f} {median(a, 1):8.3f} {median(a, 2):7.1f}"
    if b:
        line += f" | {median(b, 0):8.3f} {median(b, 1):8.3f} {median(b, 2):7.1f}"
        line += " | %7.1fx %7.1fx %7.1fx" % tuple(
            median(b, i) / max(median(a, i), 1e-3) for i in range(3))
    if cat:
        line += f"  {median(cat, 0) / max(median(a, 0), 1e-3):.2f} of cat|wc"
    bad = [r[3] for r in a + b if r[3]]
    print(line + note + (f" exit {bad[0]}" if bad else ""), flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("-n", type=int, default=3, help="runs of each")
    ap.add_argument("-l", action="store_true", help="list the cases")
    ap.add_argument("cases", nargs="*")
    o = ap.parse_args()
    cases = [c for c in CASES
             if not o.cases or any(fnmatch.fnmatch(c[0], g) for g in o.cases)]
    if o.l:
        for name, command, needs in cases:
            print(name, "|", command, "|", needs or "")
        return
    if not os.access(PERF, os.X_OK):
        sys.exit(f"no binary {PERF}: run make, or set PERF")
    print(f"# {PERF} | {REF} | how many times less   load {os.getloadavg()[0]:.1f}")
    print(f"{'case':20} {'wall':>8} {'cpu':>8} {'anon':>7} | {'wall':>8} {'cpu':>8} {'anon':>7}"
          f" | {'wall':>8} {'cpu':>8} {'anon':>8}")
    with tempfile.TemporaryDirectory(prefix="perf-bench.") as tmp:
        prepare(tmp)
        for name, command, needs in cases:
            bench(name, command, needs, o.n, tmp)


if __name__ == "__main__":
    main()
