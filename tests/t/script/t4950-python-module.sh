#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='import perf: events are opened, counted and followed, and recordings are looked at, by programs in Python'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'a sanitizer has to be in the interpreter'
test_lazy_prereq MODULE 'built without the module for Python' 'test -e "$BUILD/python/perf.abi3.so"'
test_require PYTHON,MODULE
export PYTHONDONTWRITEBYTECODE=1
test_lazy_prereq REFMODULE 'the module of the reference is not installed' '
	env -u PYTHONPATH python3 -c "import perf; perf.SAMPLE_IP"'
test_lazy_prereq NUMPY 'no numpy' 'python3 -c "import numpy"'
export PYTHONPATH=$BUILD/python

# py: run the program of standard input.
py() { cat >program.py && timeout 60 python3 program.py "$@"; }

test_expect_success 'the module is ours, and its stub describes it' '
	py <<-\EOF &&
		import os, perf
		assert os.path.samefile(perf.__file__, os.environ["BUILD"] + "/python/perf.abi3.so"), perf.__file__
	EOF
	python3 "$SRC/tests/lib/python/module-stub.py" "$SRC/python/perf.pyi"
'
test_expect_success REFMODULE 'types, members and constants of the reference are there, with the same values' '
	cat >names.py <<-\EOF &&
		import perf
		for name in dir(perf):
		    it = getattr(perf, name)
		    if isinstance(it, int):
		        print(name, it)
		    elif isinstance(it, type):
		        for member in set(dir(it)) - set(dir(object)):
		            print(name, member)
		    elif callable(it):
		        print(name)
	EOF
	env -u PYTHONPATH python3 names.py | sort >theirs && python3 names.py | sort >ours &&
	test $(wc -l <theirs) -gt 150 && comm -23 theirs ours >missing && test_cmp /dev/null missing
'
test_expect_success 'maps are sequences' '
	py <<-\EOF
		import os, perf
		cpus = perf.cpu_map()
		assert len(cpus) == os.sysconf("SC_NPROCESSORS_ONLN") and list(perf.cpu_map(str(cpus[0]))) == [cpus[0]]
		assert list(perf.thread_map()) == [-1]
		assert list(perf.thread_map(os.getpid())) == [os.getpid()] == list(perf.thread_map(tid=os.getpid()))
		assert os.getpid() in list(perf.thread_map(uid=os.geteuid()))
		try:
		    cpus[len(cpus)]
		    raise SystemExit("no IndexError")
		except IndexError:
		    pass
	EOF
'
test_expect_success PERF_EVENTS 'events are counted on each CPU' '
	py <<-\EOF
		import perf
		events = perf.parse_events("task-clock,page-faults:u", threads=perf.thread_map(tid=__import__("os").getpid()))
		assert [e.name for e in events] == ["task-clock", "page-faults:u"], events
		events.open()
		events.enable()
		pages = [bytearray(4096) for i in range(4000)]
		events.disable()
		def total(event):
		    return [sum(x) for x in zip(*((c.val, c.ena, c.run) for c in (event.read(cpu, t) for cpu in event.cpus()
		                                                                  for t in event.threads())))]
		clock, faults = total(events[0]), total(events[1])
		assert 0 < clock[0] <= 10**10 and clock[1] >= clock[2] > 0, clock
		assert 3000 < faults[0] < 40000, faults
		assert total(events[1]) == faults
		events.close()
		try:
		    events[0].read(0, 0)
		    raise SystemExit("no exception")
		except ValueError as e:
		    assert "not open" in str(e), e
	EOF
'
cat >follow.py <<-\EOF
	import os, perf, sys
	cpus, threads = perf.cpu_map(), perf.thread_map(tid=os.getpid())
	event = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY, task=1, comm=1, mmap=1, freq=0, inherit=1,
	                   wakeup_events=1, watermark=1, sample_id_all=1, sample_type=perf.SAMPLE_TID | perf.SAMPLE_CPU | perf.SAMPLE_TIME)
	event.open(cpus, threads, inherit=1)
	events = perf.evlist(cpus, threads)
	assert events.add(event) == 1 and len(events) == 1
	events.mmap()
	child = os.fork()
	if not child:
	    os.execv("/bin/true", ["true"])
	os.waitpid(child, 0)
	events.poll(timeout=1000)
	found = []
	for cpu in cpus:
	    while (r := events.read_on_cpu(cpu)) is not None:
	        found.append((r.sample_time, repr(r), r, cpu))
	numbers = {child: "CHILD", os.getpid(): "PARENT"}
	for time, text, r, cpu in sorted(found, key=lambda f: f[0]):
	    if type(r) is perf.mmap_event:
	        assert r.filename in text and r.pid == child
	        if "lib" in text or "[" in text:
	            continue
	        text = "{ type: mmap, filename: %s }" % os.path.basename(r.filename)
	    if type(r) is perf.task_event:
	        assert abs(r.time - time) < 10**6, (r.time, time)
	        text = text.replace(str(r.time), "TIME")
	    assert r.sample_cpu == cpu and r.type in (perf.RECORD_MMAP, perf.RECORD_FORK, perf.RECORD_EXIT, perf.RECORD_COMM)
	    for number, name in numbers.items():
	        text = text.replace("id: %d," % number, "id: " + name + ",")
	    print(text, numbers[r.sample_tid])
	sys.stdout.flush()
	os._exit(0)
EOF
test_expect_success PERF_EVENTS 'records of threads are read from the rings as they come' '
	timeout 60 python3 follow.py >ours &&
	test_grep "^{ type: fork, pid: CHILD, ppid: PARENT, tid: CHILD, ptid: PARENT, time: TIME} PARENT$" ours &&
	test_grep "^{ type: comm, pid: CHILD, tid: CHILD, comm: true } CHILD$" ours &&
	test_grep "^{ type: mmap, filename: true } CHILD$" ours &&
	test_grep "^{ type: exit, pid: CHILD, ppid: .*time: TIME} CHILD$" ours
'
test_expect_success PERF_EVENTS,REFMODULE 'the reference shows the same records in the same words' '
	env -u PYTHONPATH timeout 60 python3 follow.py >theirs 2>err && test_cmp theirs ours
'
test_expect_success PERF_EVENTS 'samples and context switches' '
	py <<-\EOF
		import os, perf, time
		threads = perf.thread_map(tid=os.getpid())
		events = perf.parse_events("cpu-clock:u,dummy", threads=threads)
		events.config(period=1000000)
		events[1].context_switch = 1
		events.open()
		events.mmap(pages=64)
		events.enable()
		end = time.process_time() + 0.2
		while time.process_time() < end:
		    pass
		time.sleep(0.001)
		events.disable()
		kinds = {}
		for cpu in events[0].cpus():
		    while (r := events.read_on_cpu(cpu)) is not None:
		        kinds.setdefault(type(r), []).append(r)
		samples = kinds[perf.sample_event]
		assert len(samples) > 5 and all(s.sample_period == 1000000 and s.sample_ip and s.sample_tid == os.getpid()
		                                 for s in samples), samples[:3]
		assert repr(samples[0]) == "{ type: sample }" and samples[0].raw_buf is None
		assert {s.switch_out for s in kinds[perf.switch_event]} == {True, False}
		try:
		    events[0].sample_freq = 1
		    raise SystemExit("no exception")
		except ValueError as e:
		    assert "is open" in str(e), e
	EOF
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT 'fields of tracepoints are attributes of their samples' '
	py <<-\EOF
		import os, perf, time
		event = perf.evsel(type=perf.TYPE_TRACEPOINT, config=perf.tracepoint("sched", "sched_switch"), sample_period=1,
		                   sample_type=perf.SAMPLE_PERIOD | perf.SAMPLE_TID | perf.SAMPLE_CPU | perf.SAMPLE_RAW | perf.SAMPLE_TIME)
		events = perf.evlist(perf.cpu_map(), perf.thread_map(tid=os.getpid()))
		events.add(event)
		events.open()
		events.mmap()
		for i in range(5):
		    time.sleep(0.001)
		events.disable()
		seen = []
		for cpu in perf.cpu_map():
		    while (r := events.read_on_cpu(cpu)) is not None:
		        seen.append(r)
		assert len(seen) >= 5 and all(r.prev_pid == os.getpid() == r.sample_tid for r in seen), seen
		assert seen[0].prev_comm == open("/proc/self/comm").read().strip() and len(seen[0].raw_buf) > 40
		try:
		    seen[0].no_such_field
		    raise SystemExit("no exception")
		except AttributeError:
		    pass
	EOF
'
test_expect_success PERF_EVENTS 'a recording is a sequence of samples with symbols, in the order of script' '
	perf record -q -o r.data -e cpu-clock -c 1000000 --sample-cpu --period --call-graph fp "$PERF" test -w noploop 0.1 2>err &&
	perf script -i r.data -F comm,pid,tid,cpu,time,event,ip,sym,symoff,period -G >text &&
	py <<-\EOF >ours &&
		import perf
		recording = perf.data("r.data")
		assert recording.events[0].startswith("cpu-clock") and recording.problems == {}, recording.problems
		for s in recording:
		    symbol = "[unknown]" if s.symbol is None else "%s+0x%x" % (s.symbol, s.symoff)
		    assert s.callchain and s.callchain[0][1] == s.symbol and s.fields == {} and s.raw_buf == b""
		    print(s.comm, "%d/%d" % (s.pid, s.tid), "[%03d]" % s.cpu, "%d.%06d:" % divmod(s.time // 1000, 10**6), s.period,
		          s.event + ":", "%x" % s.ip, symbol)
	EOF
	tr -s " " <text | sed "s/^ //" >theirs && test -s ours && test_cmp theirs ours
'
test_expect_success PERF_EVENTS 'columns hold the same numbers' '
	cat >columns.py <<-\EOF &&
		import perf
		recording = perf.data("r.data")
		columns = recording.columns()
		assert set(columns) == {"time", "ip", "addr", "period", "pid", "tid", "cpu", "event"}
		for name, column in columns.items():
		    if name != "event":
		        assert column.tolist() == [getattr(s, name) for s in recording], name
		assert [recording.events[i] for i in columns["event"].tolist()] == [s.event for s in recording]
		print(type(columns["ip"]).__module__)
	EOF
	mkdir none && echo "raise ImportError" >none/numpy.py &&
	PYTHONPATH=none:$PYTHONPATH python3 columns.py >out && echo builtins | test_cmp - out
'
test_expect_success PERF_EVENTS,NUMPY 'they are arrays of numpy where that is installed' '
	python3 columns.py >out && echo numpy | test_cmp - out
'
test_expect_success 'fields of recorded tracepoints, from a file that was made' '
	PYTHONPATH=$SRC/tests/lib/python python3 "$SRC/tests/lib/python/typed.py" made.data "$PERF" &&
	py <<-\EOF
		import perf
		plain = [s.fields["count"] for s in perf.data("made.data") if s.event == "sys:plain"]
		typed = [s.fields for s in perf.data("made.data") if s.event == "sys:typed"]
		assert plain == [0, 1, 2, 3], plain
		assert [f["low"] for f in typed] == [-1, -2, -3, -4] and typed[0]["high"] == 2**63 + 5 and typed[0]["text"] == "word"
	EOF
'
test_expect_success 'what fails is an exception with a sentence' '
	echo nonsense >bad.data &&
	py <<-\EOF
		import perf
		def fails(kind, words, call):
		    try:
		        call()
		    except kind as e:
		        assert words in str(e), e
		    else:
		        raise SystemExit("no exception: " + words)
		fails(OSError, "none.data", lambda: perf.data("none.data"))
		fails(OSError, "bad.data", lambda: perf.data("bad.data"))
		fails(ValueError, "no-such-event", lambda: perf.parse_events("no-such-event"))
		fails(OSError, "no:thing", lambda: perf.tracepoint("no", "thing"))
		fails(OSError, "999999", lambda: perf.cpu_map("999999"))
		fails(OSError, "", lambda: perf.thread_map(pid=2**22 + 1))
		fails(TypeError, "no_member", lambda: perf.evsel(no_member=1))
		fails(OverflowError, "comm", lambda: perf.evsel(comm=2))
		fails(TypeError, "cpu_map", lambda: perf.evlist([0], None))
		fails(TypeError, "evsel", lambda: perf.evlist().add(1))
		fails(ValueError, "open()", lambda: perf.evlist().mmap())
		fails(ValueError, "mmap()", lambda: perf.evlist().poll())
		fails(IndexError, "", lambda: perf.evlist()[0])
		fails(TypeError, "", lambda: perf.counts_values())
		one, two = perf.evlist(), perf.evlist()
		event = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY)
		one.add(event)
		fails(ValueError, "in a list", lambda: two.add(event))
		fails(ValueError, "in a list", lambda: event.open())
	EOF
'
test_lazy_prereq GCC 'needs a C compiler' 'command -v "${CC:-cc}"'
test_expect_success GCC,PERF_EVENTS 'source lines on request, as script shows them' '
	printf "volatile long n;\nint main(void)\n{\n\tfor (long i = 0; i < 50000000; i++)\n\t\tn += i;\n\treturn 0;\n}\n" >busy.c &&
	"${CC:-cc}" -g -O1 -o busy busy.c && perf record -q -o lines.data -e cpu-clock:u -c 1000000 ./busy &&
	perf script -i lines.data -F ip,srcline --full-source-path | sed -n "s/^ *\([^ ?].*:[0-9]*\)$/\1/p" >theirs &&
	py >ours <<-\EOF && test_grep "busy.c:[45]$" ours && sort theirs | uniq -c >a && sort ours | uniq -c >b && test_cmp a b
		import perf
		assert {s.srcline for s in perf.data("lines.data")} == {None}
		for s in perf.data("lines.data", srcline=True):
		    if s.srcline:
		        print("%s:%d" % s.srcline)
	EOF
'
test_expect_success GCC 'reading that a signal ends is not taken up again in the middle' '
	"${CC:-cc}" -O1 -DNO_ZSTD -o bigdata "$SRC/tests/bench/bigdata.c" && ./bigdata large.data 24 &&
	py <<-\EOF
		import perf, signal
		recording = perf.data("large.data")
		signal.signal(signal.SIGALRM, lambda *_: 1 / 0)
		signal.setitimer(signal.ITIMER_REAL, 0.01)
		try:
		    raise SystemExit("read at once: %d" % len(recording))
		except ZeroDivisionError:
		    pass
		try:
		    raise SystemExit("read again: %d" % len(recording))
		except RuntimeError as e:
		    assert "open it again" in str(e), e
		assert len(perf.data("large.data")) > 200000
	EOF
'
test_expect_success PERF_EVENTS,ROOT 'the example follows threads until it is interrupted' '
	timeout --foreground -s INT 20 python3 "$SRC/python/examples/watch-threads.py" >out 2>err &
	watcher=$! &&
	for i in $(seq 100); do
		true | cat
		/bin/true
		grep -q "comm: true" out && break
		sleep 0.05
	done &&
	kill -INT $watcher && wait $watcher &&
	test_grep "^cpu [0-9]* thread [0-9]* { type: comm, pid: [0-9]*, tid: [0-9]*, comm: true }" out &&
	test_grep "{ type: fork, " out && test_grep "{ type: exit, " out && test_cmp /dev/null err
'
test_expect_success PERF_EVENTS 'the example of a live session shows the functions of a command' '
	timeout 60 python3 "$SRC/python/examples/live-functions.py" "$PERF" test -w noploop 0.3 >out 2>err && test_cmp /dev/null err &&
	head -n 1 out >first && test_grep "^ *[0-9.]*%  noploop (.*perf)$" first
'
test_expect_success 'the PMUs of the machine' '
	py <<-\EOF
		import os, perf
		pmus = {p.name(): p for p in perf.pmus()}
		folder = "/sys/bus/event_source/devices"
		assert sorted(pmus) == sorted(os.listdir(folder))
		for name, p in pmus.items():
		    assert p.type == int(open(f"{folder}/{name}/type").read()) and isinstance(p.events(), list)
	EOF
'
test_done
