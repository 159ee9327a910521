#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='sensors and graphics as events: list, stat, stat record; of folders that stand for those of the machine'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

test_lazy_prereq MOUNTS 'needs the right to mount in a namespace' 'unshare -m mount -t tmpfs none /sys/class'

# with_sensors COMMAND: run it where /sys/class has two chips
cat >sensors.sh <<'END'
mount -t tmpfs none /sys/class && cd /sys/class && mkdir -p hwmon/hwmon0 hwmon/hwmon1 && cd hwmon &&
echo coretemp >hwmon0/name && echo 45500 >hwmon0/temp1_input && echo "Core 0" >hwmon0/temp1_label &&
echo -12000 >hwmon0/in1_input && echo 1000000 >hwmon0/energy1_input &&
echo board >hwmon1/name && echo 30000 >hwmon1/temp1_input && echo 900 >hwmon1/fan2_input && cd "$OLDPWD" && eval "$1"
END
with_sensors() {
	unshare -m sh "$PWD/sensors.sh" "cd '$PWD' && $1"
}

test_expect_success MOUNTS 'perf list shows them' '
	with_sensors "perf list --no-desc" >out && test_grep "temp1 OR temp_core_0" out && test_grep "fan2" out &&
	with_sensors "perf list -j pmu" >out && test_grep "hwmon_coretemp/config=0xa0001/" out && test_grep "Temperature, Core 0" out
'

test_expect_success MOUNTS 'perf stat shows what they tell, in their units' '
	with_sensors "perf stat -x, -o out -e temp_core_0,in1,hwmon_board/fan2/,hwmon_coretemp/temp1,name=t/ true" && cat out &&
	test_grep "^45.50,.C,temp_core_0," out && test_grep "^-12.00,V,in1," out && test_grep "^900,rpm,hwmon_board/fan2/," out &&
	test_grep "^45.50,.C,t," out &&
	with_sensors "perf stat -x, -o out -e temp1 true" && test_grep "^45.50,.C,hwmon_coretemp/temp1/" out &&
	test_grep "^30.00,.C,hwmon_board/temp1/" out
'

test_expect_success MOUNTS 'states stay, and what grows is counted from the start' '
	with_sensors "perf stat -x, -o out -a -e energy1,temp_core_0 sh -c \"echo 3500000 >/sys/class/hwmon/hwmon0/energy1_input;
		echo 46000 >/sys/class/hwmon/hwmon0/temp1_input\"" && cat out &&
	test_grep "^2.50,J,energy1," out && test_grep "^46.00,.C,temp_core_0," out &&
	with_sensors "perf stat -x, -o out -I 20 -e temp_core_0,energy1 sleep 0.1" && test_grep "^ *[0-9.]*,45.50,.C,temp_core_0" out &&
	test_must_fail grep -v "temp_core_0\|#\|^$\|,0.00,J" out
'

test_expect_success MOUNTS 'a file has them, too' '
	with_sensors "perf stat record -o s.data -e temp_core_0,in1,cs true" 2>live && perf stat report -i s.data 2>later &&
	test_grep " 45.50 .C *temp_core_0" live && test_grep " 45.50 .C *temp_core_0" later && test_grep "12.00 V *in1" later
'

# with_graphics COMMAND: run it where process $p has two descriptors of one client of a card and one of another
cat >graphics.sh <<'END'
rm -rf card && mkdir -p card/fd card/fdinfo && for fd in 5 6 7; do ln -s /dev/dri/renderD128 card/fd/$fd || exit 1; done
for fd in 5 6 7; do
	printf 'pos:\t0\ndrm-driver:\ti915\ndrm-pdev:\t0000:00:02.0\ndrm-client-id:\t%d\ndrm-engine-render:\t5000000 ns\ndrm-memory-vram:\t2048 KiB\n' $((fd / 7)) >card/fdinfo/$fd
done
sleep 60 & p=$!
mount --bind card/fd /proc/$p/fd && mount --bind card/fdinfo /proc/$p/fdinfo && eval "$1"
rc=$?
kill $p
exit $rc
END
graphics=$PWD/graphics.sh
with_graphics() {
	unshare -m sh "$graphics" "$1"
}
test_lazy_prereq GRAPHICS 'needs the right to mount over the descriptors of a process' 'with_graphics true'

test_expect_success GRAPHICS 'graphics of processes: what engines do is counted from the start, memory is as it is, of each client once' '
	with_graphics "perf list --no-desc" >out && test_grep "drm-engine-render" out && test_grep "drm-memory-vram" out &&
	with_graphics "perf stat -x, -o out -p \$p -e drm-engine-render,drm_i915/drm-memory-vram/ sed -i s/5000000/9000000/ card/fdinfo/5 card/fdinfo/7" && cat out &&
	test_grep "^8000000,ns,drm-engine-render," out && test_grep "^4194304,bytes,drm_i915/drm-memory-vram/," out &&
	with_graphics "perf stat -x, -o out -a -e drm-engine-render,drm-memory-vram true" && test_grep "^0,ns,drm-engine-render," out &&
	test "$(sed -n "s/,bytes,drm-memory-vram,.*//p" out)" -ge 4194304
'

test_expect_success MOUNTS 'what is not there' '
	test_expect_code 129 with_sensors "perf stat -e hwmon_board/fan1/ true" 2>err && test_grep "hwmon_board. has no such event" err &&
	test_grep "Did you mean fan2" err
'
test_expect_success GRAPHICS 'what is not there of graphics' '
	test_expect_code 129 with_graphics "perf stat -e drm_i915/drm-engine-copy/ true" 2>err && test_grep "drm_i915. has no such event" err
'

test_done
