#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""watch-threads.py [PID]: show the threads that begin, get names and end, of the whole system or of a process."""
import sys

import perf


def watch(pid):
    cpus = perf.cpu_map()
    threads = perf.thread_map(pid) if pid else perf.thread_map()
    event = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY, task=1, comm=1, inherit=1 if pid else 0,
                       sample_period=1, wakeup_events=1, watermark=1, sample_id_all=1,
                       sample_type=perf.SAMPLE_TID | perf.SAMPLE_CPU | perf.SAMPLE_TIME)
    event.open(cpus=cpus, threads=threads)
    events = perf.evlist(cpus, threads)
    events.add(event)
    events.mmap()
    while True:
        events.poll(timeout=-1)
        for cpu in cpus:
            while (record := events.read_on_cpu(cpu)) is not None:
                print(f"cpu {record.sample_cpu} thread {record.sample_tid} {record}", flush=True)


if __name__ == "__main__":
    try:
        watch(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    except KeyboardInterrupt:
        pass
    except OSError as e:
        sys.exit(f"watch-threads.py: {e.strerror}")
