# SPDX-License-Identifier: GPL-2.0-or-later
"""What benchmarks share that run commands in turns."""
import resource
import statistics
import subprocess
import time


def spent(command):
    """CPU (user and system, with the children's) and wall time of a command, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def medians(commands, runs):
    """Name to (CPU, wall) in seconds, of commands by name that run so many times, in turns."""
    times = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(spent(command))
    return {name: tuple(statistics.median(t[i] for t in all_) for i in (0, 1)) for name, all_ in times.items()}


def least(commands, runs):
    """Name to the least CPU in seconds, as medians() runs the commands."""
    times = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(spent(command)[0])
    return {name: min(all_) for name, all_ in times.items()}
