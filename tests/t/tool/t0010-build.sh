#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# turn 6 of 8
test_description='the build: nothing is done twice, headers are known, install and uninstall match'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'the same build, with other flags'

test_lazy_prereq MAKE 'no make, or an unpacked binary' 'command -v make && test -f "$SRC/Makefile"'
test_require MAKE
test_lazy_prereq ASCIIDOCTOR 'no asciidoctor' 'command -v asciidoctor'
build() { make -C "$SRC" O="$BUILD" "$@"; }

test_expect_success 'a second make has nothing to do' '
	build all >/dev/null &&
	build all >out &&
	test_grep "Nothing to be done" out
'

test_expect_success 'a changed header rebuilds what includes it' '
	build -n V=1 -W util/base/err.h all >out &&
	test_grep "[-]o .*util/base/err\.o" out &&
	test_grep "[-]o .*util/file/reader\.o" out &&
	test_grep ! "[-]o .*util/base/arena\.o" out &&
	build -n V=1 -W util/session/session.h tests-build >out &&
	test_grep "[-]o .*tests/lib/drive\.o" out
'

test_expect_success 'features are a table, and what make knows is what perf says' '
	build features >out &&
	test_grep "libzstd: \[" out &&
	perf version --build-options >options &&
	for lib in libzstd:zstd libiberty:libiberty; do
		want=$(sed -n "s/^ *${lib%:*}: \[ *\([a-zA-Z]*\).*/\1/p" out) &&
		test_grep "^ *${lib#*:}: \[ *$want " options || return 1
	done
'

# A compiler that builds every probe stands for a machine with all libraries.
test_expect_success 'a static perf goes without what it would have to load' '
	for static in "" 1; do CC=true PKG_CONFIG=true STATIC=$static sh "$SRC/scripts/feature/probe.sh" "probed$static" || return 1; done &&
	for name in libdw-dwarf-unwind debuginfod; do
		test_grep "\"$name\", 1," probed/include/build-features.h && test_grep "\"$name\", 0," probed1/include/build-features.h || return 1
	done &&
	test_grep "\"libelf\", 1," probed1/include/build-features.h && test_grep "\"libbfd\", 0," probed/include/build-features.h
'

test_expect_success 'install puts everything under DESTDIR and prefix' '
	build install DESTDIR="$PWD/dest" prefix=/opt/p >/dev/null &&
	dest/opt/p/bin/perf version >version &&
	test_grep "^perf version " version &&
	test -s dest/opt/p/share/doc/perf/COPYING &&
	test -s dest/opt/p/share/bash-completion/completions/perf &&
	test -s dest/opt/p/share/zsh/site-functions/_perf &&
	test -s dest/opt/p/share/fish/vendor_completions.d/perf.fish
'

test_expect_success ASCIIDOCTOR 'man pages are installed and can be read' '
	test -s dest/opt/p/share/man/man1/perf-test.1 &&
	test_grep "^.TH \"PERF" dest/opt/p/share/man/man1/perf-test.1
'

test_expect_success 'uninstall leaves no file' '
	build uninstall DESTDIR="$PWD/dest" prefix=/opt/p >/dev/null &&
	find dest -type f >left &&
	test_line_count -eq 0 left
'

test_done
