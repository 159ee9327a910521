# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Programs on a terminal of their own, in tmux: keys are pressed one by one, and what is on the screen then is compared.
# perf says what it has drawn, and how many events it has seen (PERF_UI_SCREEN), so that nothing is guessed by time.

test_require TMUX
test_lazy_prereq SLANG 'built without S-Lang' 'perf check feature libslang'

UI_SOCKET=$TRASH/tmux0 UI_STARTS=0
UI_SHOWN=$TRASH/shown
trap 'ui_end; test_at_exit' EXIT

ui_tmux() { LC_ALL=C.UTF-8 tmux -u -S "$UI_SOCKET" "$@"; }

# ui_end: end what runs on the terminal. The next one has a socket of its own, as a server does not end at once.
ui_end() {
	ui_tmux kill-server 2>/dev/null
	rm -f "$UI_SHOWN" status
	UI_SOCKET=$TRASH/tmux$((++UI_STARTS))
}

# ui_run COLUMNSxROWS COMMAND [VARIABLE=VALUE...]: start a command (one word) there, and wait until it has drawn its screen.
ui_run() {
	local size=$1 command=$2

	shift 2
	ui_end
	ui_tmux -f /dev/null new-session -d -x "${size%x*}" -y "${size#*x}" \
		"env -u COLUMNS -u LINES TERM=screen-256color LC_ALL=C.UTF-8 PERF_UI_SCREEN='$UI_SHOWN' $* sh -c 'cd \"$PWD\"; $command; echo status=\$? >status; sleep 60'" &&
	wait_for test -s "$UI_SHOWN" && ui_look
}

# ui_report COLUMNSxROWS COMMAND: start a report, and show the rows of its first event.
ui_report() { ui_run "$@" && { ! head -n 1 screen | grep -qx "Available samples" || ui_keys Enter; }; }

ui_events() { local now; read -r now <"$UI_SHOWN"; echo "$now"; }

ui_moved() { local now; read -r now <"$UI_SHOWN" && test "$now" != "$1"; }

# ui_same: the terminal shows what perf has drawn; it is then in the file screen.
ui_same() {
	ui_tmux capture-pane -p | sed 's/ *$//' >screen && tail -n +2 "$UI_SHOWN" | cmp -s - screen
}

# ui_look: wait until it does.
ui_look() { wait_for ui_same; }

# ui_shows PATTERN: the terminal shows it at this moment, whoever has drawn it; it is then in the file screen.
ui_shows() { ui_tmux capture-pane -p >screen && grep -q -e "$1" screen; }

# ui_keys KEY...: press keys, as tmux names them ("Down", "F1", "x"), each when the one before was answered.
ui_keys() {
	local key before

	for key; do
		before=$(ui_events)
		ui_tmux send-keys "$key" && wait_for ui_moved "$before" || return 1
	done
	ui_look
}

# ui_type TEXT: type it, character by character.
ui_type() {
	local i

	for ((i = 0; i < ${#1}; i++)); do
		local before

		before=$(ui_events)
		ui_tmux send-keys -l "${1:i:1}" && wait_for ui_moved "$before" || return 1
	done
	ui_look
}

# ui_resize COLUMNSxROWS: the terminal gets another size.
ui_sized() { test "$(tail -n +2 "$UI_SHOWN" | wc -l)" = "$1"; }
ui_resize() {
	ui_tmux resize-window -x "${1%x*}" -y "${1#*x}" && wait_for ui_sized "${1#*x}" && ui_look
}

# ui_pid NAME: the process of that name that runs on the terminal.
ui_pid() { ps -o pid=,comm= -t "$(ui_tmux display -p '#{pane_tty}')" | sed -n "s/^ *\([0-9]*\) $1\$/\1/p"; }

# ui_left: wait until the command has ended, with status 0.
ui_left() { wait_for test -s status && test_grep "^status=0" status; }

# ui_rows: the rows of a view whose titles are in the second line, as --stdio prints them: without the signs of call graphs,
# the scrollbar, and the last line.
ui_rows() { sed '1,2d; $d' screen | sed 's/^[-+]/ /; s/[│█]$//; s/ *$//; /^$/d'; }

# ui_recording FILE: a program whose functions call each other, in two threads of two processes, for two events. The name of
# one process has bytes that would control a terminal.
# shellcheck disable=SC2046 # a word for each function
ui_recording() {
	{ for f in main work leaf idle; do echo "__attribute__((aligned(64))) int f_$f(void) __asm__(\"$f\");"; done
	  echo "int f_leaf(void) { return 1; } int f_work(void) { return 2; } int f_idle(void) { return 3; } int f_main(void) { return 0; }"
	} >prog.c && gcc -no-pie -o prog prog.c &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$1" "$PWD/prog" \
		$(nm prog | sed -n 's/^\([0-9a-f]*\) T \(main\|work\|leaf\|idle\)$/\2=\1/p') <<-\EOF
		import sys
		import pdata as p
		fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
		at = {k: int(v, 16) + 1 for k, v in (a.split("=") for a in sys.argv[3:])}
		records = [p.comm(100, 100, "worker"), p.comm(200, 200, "ev\033[2Jil"),
		           p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[2]), p.mmap2(200, 0x400000, 0x100000, 0, sys.argv[2])]
		t = 10**9
		for n, pid, path, event, period in ((60, 100, "leaf work main", 1, 1000), (20, 100, "work main", 1, 1000),
		        (15, 100, "leaf main", 1, 1000), (5, 200, "idle main", 1, 1000), (10, 200, "idle main", 2, 500)):
		    ips = [at[f] for f in path.split()]
		    for i in range(n):
		        t += 1000
		        records.append(p.sample(fields, IDENTIFIER=event, IP=ips[0], TID=(pid, pid), TIME=t, CPU=0, PERIOD=period,
		                                CALLCHAIN=[2**64 - 512] + ips))
		p.write(sys.argv[1], [(p.attr(1, 0, fields), [1]), (p.attr(1, 1, fields), [2])], records)
	EOF
}
