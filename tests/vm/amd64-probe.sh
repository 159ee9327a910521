# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Runs in the emulated x86 machine (t2915-vm-probe.sh): perf probe on a kernel with kprobes. Of each
# case, what was printed and the exit status are in NAME.out.

MANY=200
TRACING=/sys/kernel/tracing
mount -t debugfs nodev /sys/kernel/debug 2>/dev/null
mount -t securityfs none /sys/kernel/security 2>/dev/null
# run NAME COMMAND...
run() {
	name=$1
	shift
	echo "$name" >/dev/console
	"$@" >"$name.out" 2>&1
	echo "exit $?" >>"$name.out"
}
# ours and theirs do the same things one after the other
for p in ours ref; do
	test -x /$p/perf || continue
	mkdir $p
	(
		cd $p || exit
		perf=/$p/perf
		run entry $perf probe -a do_sys_openat2
		run again $perf probe -a do_sys_openat2
		run force $perf probe -f -a do_sys_openat2
		run return $perf probe -a 'opened=do_sys_openat2%return ret=$retval:s32'
		run args $perf probe -a 'args=do_sys_openat2 dfd=%di:s32 path=+0(%si):ustring'
		run number $perf probe -a 'mine:number=do_sys_openat2 $arg1:x32 $comm'
		run module $perf probe -m virtio_blk -a virtio_queue_rq
		run none $perf probe -a no_such_function_at_all
		run blacklisted $perf probe -a "$(awk '$2 ~ /^[a-z_0-9]+$/ { print $2; exit }' /sys/kernel/debug/kprobes/blacklist)"
		for at in 4 5 9; do
			run offset $perf probe -a "inside=do_sys_openat2+$at"
			! grep -q "^exit 0" offset.out || break
		done
		cat $TRACING/kprobe_events >events
		run list $perf probe -l
		while read -r line; do echo "$line" >>$TRACING/kprobe_events; done </definitions 2>definitions.err
		run record $perf record -a -e 'probe:*' -e 'mine:*' -o probe.data -- sh -c 'cat /etc/passwd; dd if=/dev/vda of=/dev/null bs=4k count=1 iflag=direct'
		run script $perf script -F comm,event,trace -i probe.data
		run delete $perf probe -d 'probe:opened*' -d 'mine:number'
		run rest $perf probe -l
		run all $perf probe -d 'probe:*'
		cat $TRACING/kprobe_events >events.rest
		: >$TRACING/kprobe_events
	)
done
P=/ours/perf
run functions $P probe -F 'vfs_open*'
run of_module $P probe -m virtio_blk -F
run of_file $P probe -m /modules/virtio_blk.ko -F
run file $P probe -m /modules/virtio_blk.ko -a virtio_queue_rq
run file_events cat $TRACING/kprobe_events
run file_delete $P probe -d '*'
# many at once, all or none
grep -E '^[a-z]+_[a-z_]+$' $TRACING/available_filter_functions | sort -u | grep -E '^(vfs|tcp|udp|pid)_' | head -n "$MANY" >names
# shellcheck disable=SC2046 # a list of words
run many $P probe -q $(sed 's/^/-a /' names)
grep -c . $TRACING/kprobe_events >many.count
run many_delete $P probe -q -d 'probe:*'
run half $P probe -a vfs_read -a vfs_write -a no_such_function_at_all
cat $TRACING/kprobe_events >half.events
# two at once
for i in 1 2; do
	$P probe -q -a vfs_read -f >two.a 2>&1 &
	$P probe -q -a vfs_write -f >two.b 2>&1
	wait
done
cat $TRACING/kprobe_events >two.events
run two_delete $P probe -q -d '*'
# others may not
run nobody start-stop-daemon -S -p /none -c nobody -x $P -- probe -a vfs_read
run dry $P probe -n -a vfs_read
# locked down, at the very end: there is no way back
for level in integrity confidentiality; do
	echo $level >/sys/kernel/security/lockdown || continue
	run lock.$level $P probe -a vfs_read
done
exit 0
