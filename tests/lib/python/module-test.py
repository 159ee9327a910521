#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Unit tests of the module perf. Those that need the kernel's events are skipped where there are none."""
import gc
import os
import sys
import tempfile
import unittest
import warnings

import perf


def can_count():
    try:
        events = perf.parse_events("task-clock:u", threads=perf.thread_map(tid=os.getpid()))
        events.open()
        events.close()
    except OSError:
        return False
    return True


counting = unittest.skipUnless(can_count(), "no events of the kernel")


def burn(n=200000):
    return sum(i * i for i in range(n))


class Syscalls(unittest.TestCase):
    def test_names(self):
        self.assertEqual([perf.syscall_name(n, elf_machine=62) for n in (0, 39, 257, 335, 435)],
                         ["read", "getpid", "openat", None, "clone3"])
        self.assertEqual(perf.syscall_name(63, elf_machine=183), "read")
        self.assertEqual(perf.syscall_name(3, elf_machine=3), "read")
        self.assertIsNone(perf.syscall_name(0, elf_machine=65535))
        self.assertIsNone(perf.syscall_name(-1))
        self.assertIsNone(perf.syscall_name(2**31 - 1, elf_machine=62))

    def test_numbers(self):
        self.assertEqual(perf.syscall_id("openat", elf_machine=62), 257)
        self.assertEqual(perf.syscall_id("openat", elf_machine=183), 56)
        for machine in 62, 3, 183, 243, 258:
            for n in range(470):
                name = perf.syscall_name(n, elf_machine=machine)
                if name:
                    self.assertEqual(perf.syscall_id(name, elf_machine=machine), n, name)
        for name in "", "rea", "no_such_call", "read write":
            with self.assertRaisesRegex(ValueError, "no system call '%s' is known" % name):
                perf.syscall_id(name, elf_machine=62)

    @unittest.skipUnless(os.uname().machine in ("x86_64", "aarch64", "riscv64", "loongarch64"), "numbers are not known")
    def test_own_machine(self):
        name = perf.syscall_name(perf.syscall_id("openat"))
        self.assertEqual(name, "openat")
        self.assertEqual(perf.syscall_name(0), perf.syscall_name(0, elf_machine=0))

    def test_wrong_types(self):
        for call in (lambda: perf.syscall_name("read"), lambda: perf.syscall_name(), lambda: perf.syscall_id(1),
                     lambda: perf.syscall_name(0, 62), lambda: perf.syscall_name(0, elf_machine="x86")):
            self.assertRaises(TypeError, call)
        self.assertRaises(OverflowError, perf.syscall_name, 2**40)


class Config(unittest.TestCase):
    """What the shell test wrote to the file $PERF_CONFIG."""

    def test_values(self):
        self.assertEqual(perf.config_get("unit.word"), "some words")
        self.assertEqual(perf.config_get("UNIT.Word"), "some words")
        self.assertIsNone(perf.config_get("unit.none"))
        self.assertIsNone(perf.config_get(""))
        self.assertIsNone(perf.config_get("no.section.here"))
        self.assertRaises(TypeError, perf.config_get)
        self.assertRaises(TypeError, perf.config_get, 1)


class Metrics(unittest.TestCase):
    def test_list(self):
        known = {m["MetricName"]: m for m in perf.metrics()}
        one = known["CPUs_utilized"]
        self.assertIn("duration_time", one["MetricExpr"])
        self.assertIn("Summary", one["MetricGroup"])
        self.assertTrue(one["BriefDescription"])
        for m in known.values():
            self.assertIsInstance(m["MetricGroup"], list)
            self.assertTrue(all(isinstance(v, str) for k, v in m.items() if k != "MetricGroup"), m)
        self.assertEqual(known["ours"]["MetricExpr"], "1000 * task\\-clock / task\\-clock")

    def test_errors(self):
        for text in "no_such_metric", "", ",":
            self.assertRaises(ValueError, perf.parse_metrics, text)
        with self.assertRaisesRegex(ValueError, "no_such_metric"):
            perf.parse_metrics("no_such_metric")
        with self.assertRaisesRegex(ValueError, "by the PMU no_such_pmu"):
            perf.parse_metrics("ours", "no_such_pmu")
        self.assertRaises(TypeError, perf.parse_metrics)
        self.assertRaises(TypeError, perf.parse_metrics, "ours", cpus=[0])
        events = perf.parse_metrics("ours")
        self.assertEqual(events.metrics(), ["ours"])
        with self.assertRaisesRegex(ValueError, "not open"):
            events.compute_metric("ours", 0, -1)
        self.assertEqual(perf.parse_events("task-clock").metrics(), [])
        with self.assertRaisesRegex(ValueError, "does not measure 'ours'"):
            perf.parse_events("task-clock").compute_metric("ours", 0, -1)

    @counting
    def test_values(self):
        me = perf.thread_map(tid=os.getpid())
        events = perf.parse_metrics("ours,faults_by_clock,CPUs_utilized", threads=me)
        self.assertEqual(events.metrics(), ["ours", "faults_by_clock", "CPUs_utilized"])
        events.open()
        cpus = [cpu for cpu in events[0].cpus()]
        os.sched_setaffinity(0, {cpus[0]})
        events.enable()
        pages = [bytearray(4096) for i in range(3000)]
        burn()
        events.disable()
        os.sched_setaffinity(0, set(cpus))
        values = {m: events.compute_metric(m, cpus[0], me[0]) for m in events.metrics()}
        self.assertEqual(values, {m: events.compute_metric(m.upper(), cpus[0], me[0]) for m in events.metrics()})
        self.assertEqual(values["ours"], 1000, values)
        count = {e.name: e.read(cpus[0], me[0]).val for e in events}
        self.assertGreater(count["duration_time"], count["task-clock"] / 2)
        self.assertAlmostEqual(values["CPUs_utilized"], count["task-clock"] / count["duration_time"], 6)
        self.assertTrue(0 < values["CPUs_utilized"] < 1.1, values)
        self.assertAlmostEqual(values["faults_by_clock"], 1e9 * count["page-faults"] / count["task-clock"], 3)
        with self.assertRaisesRegex(ValueError, "nothing is counted on CPU 9999"):
            events.compute_metric("ours", 9999, me[0])
        events.close()
        del pages

    @counting
    def test_nothing_counted(self):
        """A part that is divided by zero is no number."""
        events = perf.parse_metrics("faults_by_clock", threads=perf.thread_map(tid=os.getpid()))
        events.open()
        value = events.compute_metric("faults_by_clock", events[0].cpus()[0], os.getpid())
        self.assertNotEqual(value, value)


if __name__ == "__main__":
    unittest.main(verbosity=2)
