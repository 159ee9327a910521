#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Unit tests of the module perf. Those that need the kernel's events are skipped where there are none."""
import gc
import os
import random
import signal
import struct
import subprocess
import sys
import time
import unittest
import warnings

import pdata as p
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


class Recording(unittest.TestCase):
    """Recordings that are made up: two events, threads of two processes on two CPUs, and other records between samples."""

    @classmethod
    def setUpClass(cls):
        fields = ["IP", "TID", "TIME", "CPU", "IDENTIFIER", "PERIOD"]
        trailer = 1 << 18

        def other(kind, misc, body, pid, at, cpu):
            return p.record(kind, misc, body + struct.pack("<IIQIIQ", pid, pid, at * 10**9, cpu, 0, 1))
        records = [other(3, 0, struct.pack("<II", 100, 100) + p.text("first"), 100, 1, 0),
                   other(7, 0, struct.pack("<IIIIQ", 200, 100, 200, 100, 10**9), 100, 1, 0),
                   other(3, 0, struct.pack("<II", 200, 200) + p.text("second"), 200, 1, 1),
                   other(10, 2, struct.pack("<IIQQQIIQQII", 100, 100, 0x400000, 0x1000, 0, 8, 1, 1, 0, 5, 2) + p.text("/bin/none"), 100, 1, 0)]
        for i in range(10):
            pid = 100 if i % 2 == 0 else 200
            records.append(p.sample(fields, IDENTIFIER=1 + i // 5, IP=0x400000 + i, TID=(pid, pid + i % 4 // 2),
                                    TIME=(2 + i) * 10**9, CPU=i % 2, PERIOD=i))
        records.insert(8, other(14, 0x2000, b"", 100, 5, 0))
        records.insert(9, other(2, 0, struct.pack("<QQ", 1, 77), 200, 5, 1))
        cls.path = "samples.data"
        p.write(cls.path, [(p.attr(1, 0, fields, flags=trailer), [1]), (p.attr(1, 1, fields, flags=trailer), [2])], records)

    def ips(self, **choice):
        return [s.ip - 0x400000 for s in perf.data(self.path, **choice)]

    def test_choice(self):
        everything = list(range(10))
        names = perf.data(self.path).events
        for choice, want in (({}, everything), ({"cpu": 1}, [1, 3, 5, 7, 9]), ({"cpu": "0-1"}, everything), ({"cpu": [0, 1]}, everything),
                             ({"pid": 100}, [0, 2, 4, 6, 8]), ({"pid": "200"}, [1, 3, 5, 7, 9]), ({"pid": (100, 200)}, everything),
                             ({"tid": 101}, [2, 6]), ({"tid": [101, "201"]}, [2, 3, 6, 7]), ({"comm": "second"}, [1, 5, 9]), ({"comm": ["first", "second"]}, [0, 1, 4, 5, 8, 9]),
                             ({"event": names[0]}, [0, 1, 2, 3, 4]), ({"event": names}, everything), ({"event": [names[1]]}, [5, 6, 7, 8, 9]),
                             ({"time": "4,6"}, [2, 3, 4]), ({"time": (4, 6)}, [2, 3, 4]), ({"time": (None, 4.5)}, [0, 1, 2]),
                             ({"time": (10, None)}, [8, 9]), ({"time": (None, None)}, everything), ({"time": "0%-50%"}, [0, 1, 2, 3, 4]),
                             ({"pid": 100, "cpu": 0, "time": (5, None), "event": names[1]}, [6, 8]), ({"pid": 999}, []),
                             ({"cpu": None, "comm": None}, everything)):
            with self.subTest(choice=choice):
                self.assertEqual(self.ips(**choice), want)

    def test_wrong_choice(self):
        for kind, choice in ((ValueError, {"cpu": "x"}), (ValueError, {"pid": "first"}), (ValueError, {"event": "no-event"}),
                             (ValueError, {"time": "soon"}), (TypeError, {"cpu": 1.5}), (TypeError, {"pid": {}.items}),
                             (TypeError, {"comm": [b"x"]}), (TypeError, {"time": 5}), (TypeError, {"time": (1, 2, 3)}),
                             (TypeError, {"time": ("a", None)}), (TypeError, {"cpus": 1})):
            with self.subTest(choice=choice):
                self.assertRaises(kind, self.ips, **choice)
        self.assertRaises(TypeError, perf.data, self.path, False, True)
        self.assertRaises(TypeError, perf.data, 5)
        recording = perf.data(self.path, event="no-event")
        for error in ValueError, RuntimeError:
            self.assertRaises(error, len, recording)

    def test_all_records(self):
        kinds = [type(r).__name__ for r in perf.data(self.path, all=True)]
        self.assertEqual(kinds, ["comm_event", "task_event", "comm_event", "mmap_event"] + ["data_sample"] * 4 +
                         ["switch_event", "lost_event"] + ["data_sample"] * 6)
        found = perf.data(self.path, all=True)
        self.assertEqual((found[2].comm, found[2].sample_time, found[1].ppid, found[3].filename, found[8].switch_out, found[9].lost),
                         ("second", 10**9, 100, "/bin/none", True, 77))
        self.assertEqual(found.columns()["ip"].tolist(), [0x400000 + i for i in range(10)])
        self.assertEqual([type(r).__name__ for r in perf.data(self.path, all=True, pid=200, time=(None, 6))],
                         ["comm_event", "data_sample", "data_sample", "lost_event"])
        self.assertRaises(IndexError, lambda: found[len(found)])
        self.assertRaises(IndexError, lambda: found[-len(found) - 1])

    def test_samples_outlive_the_recording(self):
        sample = perf.data(self.path)[3]
        gc.collect()
        self.assertEqual((sample.ip, sample.pid, sample.tid, sample.cpu, sample.period, sample.srcline, sample.dso),
                         (0x400003, 200, 201, 1, 3, None, None))
        self.assertRegex(repr(sample), r"data_sample\(event=.*, time=5000000000, cpu=1, pid=200, tid=201\)")


class Damage(unittest.TestCase):
    """Whatever is in a file, reading it ends, with values or with an exception that is meant."""

    def read(self, path):
        try:
            with warnings.catch_warnings():
                recording = perf.data(path, True, all=True)
                for r in recording:
                    if type(r) is perf.data_sample:
                        r.comm, r.symbol, r.dso, r.callchain, r.fields, r.raw_buf, r.event, repr(r)
                    else:
                        repr(r)
                recording.columns(), recording.events, recording.problems
        except (OSError, ValueError) as e:
            self.assertTrue(str(e))
            return False
        return True

    def test_made_up(self):
        Recording.setUpClass()
        with open(Recording.path, "rb") as f:
            whole = f.read()
        done = 0
        for seed in range(200):
            chance = random.Random(seed)
            data = bytearray(whole)
            for _ in range(chance.randint(1, 8)):
                data[chance.randrange(len(data))] = chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)))
            if seed % 4 == 0:
                del data[chance.randrange(len(data)):]
            with open("damaged.data", "wb") as f:
                f.write(data)
            done += self.read("damaged.data")
        self.assertGreater(done, 20)

    @unittest.skipUnless(os.environ.get("INPUTS") and os.path.isdir(os.environ["INPUTS"]), "no kept inputs of the fuzz targets")
    def test_kept_inputs(self):
        paths = sorted(os.path.join(folder, name) for folder, _, names in os.walk(os.environ["INPUTS"]) for name in names)
        self.assertGreater(len(paths), 10)
        for path in paths:
            with self.subTest(path=path):
                self.read(path)


class Live(unittest.TestCase):
    def spin(self, seconds=0.4):
        program = "import time\nend = time.process_time() + %g\nwhile time.process_time() < end: pass" % seconds
        return subprocess.Popen([sys.executable, "-S", "-c", program])

    @counting
    def test_until_the_end_of_a_child(self):
        with self.spin() as child:
            events = perf.parse_events("cpu-clock:u", threads=perf.thread_map(child.pid))
            events.config(period=1000000, callgraph=True)
            with perf.LiveSession(events) as session:
                samples = list(session)
        self.assertGreater(len(samples), 50)
        self.assertEqual({s.pid for s in samples}, {child.pid})
        times = [s.time for s in samples]
        self.assertEqual(times, sorted(times))
        self.assertTrue(all(s.period == 1000000 and s.event == "cpu-clock:u" and s.callchain for s in samples))
        self.assertTrue([s for s in samples if s.symbol and s.dso and os.path.isabs(s.dso)])
        self.assertEqual((session.lost, list(session)), (0, []))

    @counting
    def test_timeout_and_other_records(self):
        events = perf.parse_events("cpu-clock:u", threads=perf.thread_map(tid=os.getpid()))
        events.config(period=1000000)
        start = time.monotonic()
        session = perf.LiveSession(events, 0.3, all=True, srcline=True)
        kinds = {type(r).__name__ for r in session if burn(2000)}
        self.assertTrue({"data_sample", "comm_event", "mmap_event"} <= kinds, kinds)
        self.assertTrue(0.25 < time.monotonic() - start < 30)

    @counting
    def test_stop_and_close(self):
        for end in "stop", "close":
            events = perf.parse_events("cpu-clock", threads=perf.thread_map(tid=os.getpid()))
            session = perf.LiveSession(events)
            with session:
                burn()
                self.assertIs(type(next(session)), perf.data_sample)
                with self.assertRaisesRegex(ValueError, "live session"):
                    events.close()
                with self.assertRaisesRegex(ValueError, "live session"):
                    events.read_on_cpu(0)
                getattr(session, end)()
                rest = list(session)
            self.assertEqual(list(session), [])
            events.close()
            self.assertTrue(all(s.tid == os.getpid() for s in rest))

    @counting
    def test_interrupt(self):
        def on_alarm(*_):
            raise ZeroDivisionError
        signal.signal(signal.SIGALRM, on_alarm)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        events = perf.parse_events("dummy", threads=perf.thread_map(tid=os.getpid()))
        with self.assertRaises(ZeroDivisionError), perf.LiveSession(events, 60) as session:
            next(session)

    @counting
    def test_wrong_use(self):
        events = perf.parse_events("cpu-clock", threads=perf.thread_map(tid=os.getpid()))
        for wrong in (0, -1, float("nan"), 1e300):
            self.assertRaises(ValueError, perf.LiveSession, events, wrong)
        self.assertRaises(ValueError, perf.LiveSession, events, 1, pages=3)
        for wrong in ((), ("cpu-clock",), (events, "1"), (events, 1, 128)):
            self.assertRaises(TypeError, perf.LiveSession, *wrong)
        session = perf.LiveSession(events)
        session.close()
        self.assertRaises(ValueError, next, session)
        events.config(freq=99)
        with self.assertRaisesRegex(ValueError, "config"):
            events.config(freq=99)
        events.open()
        with self.assertRaisesRegex(ValueError, "are open"):
            next(perf.LiveSession(events))


class Memory(unittest.TestCase):
    """Objects that are made again and again leave no references and no memory behind."""

    def check(self, times, **makers):
        """What leaves something behind does so each time; caches of the interpreter are full after some rounds."""
        for name, make in makers.items():
            grown = []
            while len(grown) < 4 and (not grown or grown[-1] >= times // 2):
                before = sys.getallocatedblocks()
                for _ in range(times):
                    make()
                gc.collect()
                grown.append(sys.getallocatedblocks() - before)
            with self.subTest(name):
                self.assertLess(grown[-1], times // 2, grown)

    def fails(self, call, *args, **kwargs):
        try:
            call(*args, **kwargs)
        except (ValueError, TypeError, OSError, IndexError):
            return
        self.fail("no exception")

    def test_objects(self):
        Recording.setUpClass()
        path = Recording.path
        self.check(200, maps=lambda: (list(perf.cpu_map()), list(perf.thread_map())), names=lambda: (perf.syscall_name(0), perf.config_get("unit.word")),
                   metrics=lambda: (perf.metrics(), perf.parse_metrics("ours").metrics()), pmus=lambda: [p.events() for p in perf.pmus()],
                   events=lambda: [(repr(e), e.name, e.cpus(), e.threads()) for e in perf.parse_events("cpu-clock,page-faults")],
                   evsel=lambda: perf.evlist().add(perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY)),
                   recording=lambda: [repr(r) for r in perf.data(path, all=True, cpu=[0, 1], time=(1, 20))],
                   columns=lambda: perf.data(path).columns(), samples=lambda: [(s.callchain, s.fields, s.raw_buf, s.comm) for s in perf.data(path)])

    def test_errors(self):
        Recording.setUpClass()
        self.check(200, text=lambda: self.fails(perf.parse_events, "no-such-event"), metric=lambda: self.fails(perf.parse_metrics, "no-such"),
                   member=lambda: self.fails(perf.evsel, no_member=1), file=lambda: self.fails(perf.data, "none.data"),
                   choice=lambda: self.fails(perf.data, Recording.path, cpu=[0, b"x"]),
                   index=lambda: self.fails(perf.data(Recording.path).__getitem__, 99))

    @counting
    def test_open_events(self):
        descriptors = len(os.listdir("/proc/self/fd"))
        me = perf.thread_map(tid=os.getpid())

        def once():
            events = perf.parse_events("task-clock:u,dummy", threads=me)
            events.config(period=10**6)
            events.open()
            events.mmap(pages=1)
            events.enable()
            [[e.read(cpu, me[0]) for cpu in e.cpus()] for e in events]
            [events.read_on_cpu(cpu) for cpu in events[0].cpus()]
        self.check(30, once=once)
        self.assertEqual(len(os.listdir("/proc/self/fd")), descriptors)

        def session():
            with perf.LiveSession(perf.parse_events("dummy", threads=me), 60, pages=1, all=True) as s:
                next(s)
        self.check(6, session=session)
        self.assertEqual(len(os.listdir("/proc/self/fd")), descriptors)


class Names(unittest.TestCase):
    """Every public name, and what it says to arguments of wrong types."""

    def test_types_that_are_not_made(self):
        made = {"cpu_map", "thread_map", "evsel", "evlist", "data", "LiveSession"}
        for name in dir(perf):
            it = getattr(perf, name)
            if isinstance(it, type) and name not in made and not name.startswith("_"):
                with self.subTest(name):
                    self.assertRaises(TypeError, it)
        self.assertTrue(all(perf.__doc__ and getattr(perf, name).__doc__ for name in made))

    def test_wrong_types(self):
        for name in dir(perf):
            it = getattr(perf, name)
            if not callable(it) or name.startswith("_"):
                continue
            for args in ((object(),), (object(),) * 2, (object(),) * 20):
                with self.subTest(name, nr=len(args)):
                    self.assertRaises(TypeError, it, *args)
            with self.subTest(name, nr="keyword"):
                self.assertRaises((TypeError, AttributeError), it, no_such_argument=1)

    def test_methods(self):
        events = perf.evlist()
        for o in events, perf.evsel(), perf.cpu_map(), perf.data(Recording.path), perf.LiveSession(events), *perf.pmus()[:1]:
            for name in dir(type(o)):
                method = getattr(o, name, None) if not name.startswith("_") else None
                if callable(method):
                    with self.subTest(type=type(o).__name__, name=name):
                        self.assertRaises(TypeError, method, *(object(),) * 20)

    def test_members(self):
        event = perf.evsel()
        for name in dir(perf.evsel):
            if name.startswith("_") or callable(getattr(event, name)) or name == "name":
                continue
            with self.subTest(name):
                self.assertIsInstance(getattr(event, name), int)
                self.assertRaises(TypeError, setattr, event, name, "x")
                self.assertRaises((OverflowError, ValueError, TypeError), setattr, event, name, -1)
                self.assertRaises((OverflowError, ValueError), setattr, event, name, 2**70)
                self.assertRaises(AttributeError, delattr, event, name)
        self.assertRaises(AttributeError, setattr, event, "name", "x")

    def test_constants(self):
        for name, value in (("TYPE_SOFTWARE", 1), ("SAMPLE_IDENTIFIER", 1 << 16), ("RECORD_SWITCH_CPU_WIDE", 15)):
            self.assertEqual(getattr(perf, name), value)


if __name__ == "__main__":
    unittest.main(verbosity=2)
