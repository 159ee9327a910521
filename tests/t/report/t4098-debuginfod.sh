#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='readers fetch what is missing from debuginfod servers: when asked, hot objects first, in limited time'
. "$(dirname "$0")/../../lib/tap.sh"
"$PERF" version --build-options | grep -q "libelf: \[ on" || test_skip_all 'built without libelf'
test_require PERF_EVENTS,GCC
test_lazy_prereq DEBUGINFOD 'no libdebuginfod, python3 or objcopy' '
	command -v python3 && command -v objcopy && ldconfig -p | grep -q "libdebuginfod\.so\.1"'
test_require DEBUGINFOD

# Serves the folder srv, and hangs while there is a file "hang"; each request is a line of the file "asked".
cat >serve.py <<-\EOF
	import functools, http.server as h, os, time
	class Handler(h.SimpleHTTPRequestHandler):
	    def do_GET(self):
	        with open("asked", "a") as f:
	            f.write(self.path + "\n")
	        while os.path.exists("hang"):
	            time.sleep(0.1)
	        super().do_GET()
	    def log_message(self, *args):
	        pass
	s = h.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory="srv"))
	s.daemon_threads = True
	open("port.new", "w").write(str(s.server_port))
	os.rename("port.new", "port")
	s.serve_forever()
EOF
# fresh: forget all that was fetched, and all failures
fresh() { rm -rf dcache "$HOME/.debug" asked && : >asked; }
# names [OPTION...]: the rows of a report
names() { perf report --stdio -i prog.data -s sym "$@" 2>err >out; }

test_expect_success 'two programs that are gone, whose files a server has; it has none of the third' '
	for name in prog rare absent; do
		case $name in rare) times=15 ;; *) times=60 ;; esac
		sed "s/NAME/$name/; s/TIMES/$times/" >$name.c <<-\EOF &&
		__attribute__((noinline)) void NAME_hot(void) { for (volatile long i = 0; i < TIMES * 1000000L; i++) ; }
		int main(void) { hot(); return 0; }
		EOF
		sed -i "s/ hot()/ ${name}_hot()/" $name.c && gcc -O1 -g -Wl,--build-id=sha1 -o $name $name.c &&
		id=$(perf buildid-list -i $name) && id=${id%% *} && eval "$name=$id" || return
		test $name = absent && continue
		mkdir -p srv/buildid/$id && objcopy --only-keep-debug $name srv/buildid/$id/debuginfo && objcopy --strip-all $name srv/buildid/$id/executable || return
	done &&
	perf record -q -N -e cpu-clock:u -F 1000 -o prog.data sh -c "./rare; ./prog" && perf record -q -N -e cpu-clock:u -F 1000 -o absent.data ./absent &&
	rm prog rare absent && { python3 serve.py & } && server=$! &&
	wait_for test -e port && url=http://127.0.0.1:$(cat port) && export DEBUGINFOD_CACHE_PATH=$PWD/dcache'

test_expect_success 'DEBUGINFOD_URLS alone asks nobody' '
	fresh && DEBUGINFOD_URLS=$url names && test_grep ! "_hot" out && test ! -s asked'

test_expect_success '--debuginfod fetches, the object with most samples first' '
	fresh && names --debuginfod="$url" && test_grep "\] prog_hot" out && test_grep "\] rare_hot" out &&
	test_grep "^debuginfod: [0-9]* of [0-9]* files fetched" err && head -n 2 asked >first &&
	test_grep "$prog/executable" first && test_grep "$prog/debuginfo" first &&
	test_grep "$rare/debuginfo" asked'

test_expect_success 'what is in its cache is used without the option, and nobody is asked' '
	: >asked && names && test_grep "\] prog_hot" out && test ! -s asked && perf script -i prog.data -F ip,sym,srcline 2>err >out &&
	test_grep "prog\.c:1$" out && test ! -s asked'

test_expect_success 'script, annotate and exports do the same; the configuration asks, --no-debuginfod does not' '
	fresh && DEBUGINFOD_URLS=$url perf script -i prog.data --debuginfod -F ip,sym 2>err >out && test_grep prog_hot out &&
	fresh && perf annotate --stdio -i prog.data --debuginfod=$url prog_hot 2>err >out && test_grep "movq\|mov " out &&
	fresh && perf report -i prog.data --debuginfod=$url --folded folded 2>err && test_grep "prog_hot [0-9]" folded &&
	fresh && perf data convert -i prog.data --debuginfod=$url --to-folded other 2>err && test_grep "prog_hot [0-9]" other &&
	fresh && perf config buildid-cache.debuginfod="$url" && names --no-debuginfod && test ! -s asked && names -q && test ! -s err &&
	test_grep "\] prog_hot" out && rm "$HOME/.perfconfig"'

test_expect_success 'what no server has is remembered for a day' '
	fresh && perf report --stdio -i absent.data --debuginfod=$url >out 2>err &&
	test_grep " not there$" err && test_grep "$absent/debuginfo" asked && rm -rf dcache &&
	: >asked && perf report --stdio -i absent.data --debuginfod=$url >out 2>err && test_grep "not there when last asked for" err && test ! -s asked &&
	find "$HOME/.debug/.debuginfod" -type f -exec touch -d "2 days ago" {} + && perf report --stdio -i absent.data --debuginfod=$url >out 2>err &&
	test_grep "$absent/debuginfo" asked'

test_expect_success 'time is limited, and Ctrl-C goes on without' '
	fresh && touch hang && perf config debuginfod.seconds=1 && start=$(date +%s) && names --debuginfod=$url && test $(($(date +%s) - start)) -lt 20 &&
	test_grep "left when 1 seconds were over" err && test_grep "# Samples" out && perf config debuginfod.seconds=100 && : >asked &&
	{ perf report --stdio -i prog.data --debuginfod=$url 2>err >out & } && reader=$! && wait_for test -s asked && kill -INT $reader && wait $reader; rc=$?
	rm -f hang "$HOME/.perfconfig"; test $rc -eq 0 && test_grep "^debuginfod: 0 of .*, stopped" err && test_grep "# Samples" out'

test_expect_success 'no server answers: none is asked again for a while' '
	{ kill $server; wait $server; fresh; } 2>/dev/null; names --debuginfod=$url && test_grep "no server answers" err && names --debuginfod=$url &&
	test_grep "no server answered less than" err && { DEBUGINFOD_URLS= names --debuginfod; test_grep "no debuginfod servers" err && test_grep "# Samples" out; }'

test_done
