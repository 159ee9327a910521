# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Stacks of tests/programs/called.c, whose functions call each other in few known ways.

test_lazy_prereq UNWIND 'no unwinder for this processor' 'case $(uname -m) in x86_64 | aarch64) ;; *) false ;; esac'
test_lazy_prereq CC 'no compiler' 'test -n "$CC"'
# What may call what: "CALLEE CALLER"; other callers of functions of the program are wrong.
cat >allowed <<-END
	leaf recurse
	leaf compare
	leaf tail_target
	leaf on_signal
	leaf with_cfi
	leaf without_cfi
	leaf variable
	recurse recurse
	recurse all
	sort all
	tail all
	tail_target tail
	tail_caller tail
	signalled all
	clock_reader all
	variable all
	with_cfi assembly
	without_cfi assembly
	assembly all
	all main
END

# Functions that nothing else calls.
closed="leaf recurse"

# possible FILE: every pair of functions of the program on top of each other is one of them, and the
# share of stacks that reach the start of the program is printed.
possible() {
	awk -v allowed=allowed -v closed=" $closed " '
		BEGIN {
			while ((getline line < allowed) > 0) { split(line, w, " "); may[line] = 1; known[w[1]] = 1; known[w[2]] = 1 }
		}
		function end() { if (nr) { stacks++; roots += rooted; nr = 0; rooted = 0; last = "" } }
		/^$/ { end(); next }
		{
			f = $2; sub(/\+.*/, "", f); sub(/@.*/, "", f)
			if ($NF ~ /kernel|unknown/ && !nr) next
			nr++
			rooted = rooted || f ~ /^(_start|__libc_start|_dl_start|_dl_relocate)/
			if (last in known && f in known && !((last " " f) in may)) { print "impossible: " last " called by " f; bad = 1 }
			if (last != "" && index(closed, " " last " ") && !(f in known)) { print "impossible: " last " called by " f; bad = 1 }
			last = f
		}
		END { end(); printf "%d stacks, %.1f%% rooted\n", stacks, stacks ? 100 * roots / stacks : 0; exit bad || stacks < 100 || roots < 0.99 * stacks }
	' "$1"
}

build_called() { $CC -o "$1" -O2 -fomit-frame-pointer -w "${@:2}" "$SRC/tests/programs/called.c"; }
