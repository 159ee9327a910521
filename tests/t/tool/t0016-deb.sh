#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# turn 7 of 8
test_description='make deb: a package that takes the place of linux-perf and gives it back, and lets one group profile'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'the same scripts, with another binary'

test_lazy_prereq MAKE 'no make, or an unpacked binary' 'command -v make && test -f "$SRC/Makefile"'
test_lazy_prereq DPKG 'no dpkg-deb: not Debian or its kin' 'command -v dpkg-deb && command -v dpkg'
test_lazy_prereq ASCIIDOCTOR 'no asciidoctor, which makes man pages' 'command -v asciidoctor'
test_require MAKE,DPKG,ASCIIDOCTOR
test_lazy_prereq OVERLAY 'no overlay of this system can be mounted' '
	mkdir -p o/low o/up o/work o/all && mount -t overlay -o lowerdir=o/low,upperdir=o/up,workdir=o/work none o/all && umount o/all'
test_lazy_prereq BESIDE 'linux-perf is not installed, or already beside this package' '
	dpkg -s linux-perf | grep "^Status: .* installed" && ! dpkg -s perf'
test_lazy_prereq TOOLS 'no debconf, setcap, setpriv or unshare' '
	command -v debconf-set-selections && command -v setcap && command -v setpriv && command -v unshare'
deb() { env -u SOURCE_DATE_EPOCH make -C "$SRC" O="$BUILD" "$@" deb; }

test_expect_success 'it is built' '
	deb >out 2>&1 || { cat out; return 1; }
	made=$(sed -n "s/^ *DEB *//p" out) && cp "$SRC/$made" a.deb 2>/dev/null || cp "$made" a.deb
'
test_expect_success LONG 'a second time it is the same' '
	umask 077 && deb >out 2>&1; umask 022; cat out &&
	{ cp "$SRC/$made" b.deb 2>/dev/null || cp "$made" b.deb; } && cmp a.deb b.deb
'
test_expect_success 'every file that knows folders is compiled for its own' '
	(cd "$SRC" && grep -l "perf-paths\.h" -- *.c cmd/*/*.c util/*/*.c) | sort >want &&
	sed -n "s/^DEB_SRC := //p" "$SRC/scripts/mk/deb.mk" | tr " " "\n" | sort >got && test_cmp want got &&
	(cd "$SRC" && grep -l "perf-paths\.h" -- python/*.c) >want &&
	sed -n "s/^DEB_MODULE_SRC := //p" "$SRC/scripts/mk/deb.mk" | tr " " "\n" >got && test_cmp want got &&
	dpkg-deb -x a.deb x && grep -aoE "/usr/[a-z/-]*" x/usr/bin/perf >strings && test_grep /usr/libexec/perf-core strings && test_grep ! /usr/local/libexec strings
'
test_expect_success 'the binary, man pages, completion of three shells, and what it depends on' '
	dpkg-deb -c a.deb | awk "{ print \$1, \$2, \$6 }" >files &&
	test_grep "^-rwxr-xr-x root/root ./usr/bin/perf$" files && test_grep "^-rw-r--r-- root/root ./usr/share/man/man1/perf-record.1.gz$" files &&
	test_grep "/usr/share/bash-completion/completions/perf$" files && test_grep "/usr/share/zsh/vendor-completions/_perf$" files &&
	test_grep "/usr/share/fish/vendor_completions.d/perf.fish$" files && test_grep "/usr/share/doc/perf/README.Debian$" files &&
	test_grep ! "local\|[^/]root " files &&
	dpkg-deb -f a.deb Depends >depends && test_grep "libc6 (>= 2" depends && test_grep libelf1 depends && test_grep "libcap2-bin" depends &&
	dpkg-deb -f a.deb Version >version && test_grep "^$(cat "$SRC/VERSION")-1$" version
'
test_lazy_prereq MODULE 'built without the module for Python' 'test -e "$BUILD/python/perf.abi3.so" && command -v /usr/bin/python3'
test_expect_success MODULE 'the module for Python, which the python3 of the system finds, also beside that of linux-perf' '
	cat >import.py <<-\EOF &&
		import os, sys
		folder = sys.argv[1] + "/usr/lib/python3/dist-packages"
		assert "/usr/lib/python3/dist-packages" in sys.path
		open(folder + "/perf.cpython-%d%d-x86_64-linux-gnu.so" % sys.version_info[:2], "w").close()
		sys.path.insert(0, folder)
		import perf
		assert os.path.dirname(perf.__file__) == folder + "/perf", perf.__file__
		assert sorted(os.listdir(folder + "/perf")) == ["__init__.abi3.so", "__init__.pyi", "py.typed"]
		print(perf.__version__.split(".g")[0], perf.parse_events("cpu-clock")[0].name)
	EOF
	rm -rf y && cp -r x y && env -u PYTHONPATH /usr/bin/python3 import.py "$PWD/y" >out && echo "$(cat "$SRC/VERSION") cpu-clock" | test_cmp - out &&
	grep -aoE "/[a-z/]*/perfconfig" x/usr/lib/python3/dist-packages/perf/*.so | sort -u >strings && echo /etc/perfconfig | test_cmp - strings
'
test_expect_success 'a tool that is not there is told, with the package that has it' '
	mkdir bin && for f in sh dirname make dpkg strip readelf gzip asciidoctor; do ln -s "$(command -v $f)" bin/$f || return 1; done &&
	test_must_fail env PATH="$PWD/bin" sh "$SRC/packaging/debian/build" --check 2>err && test_grep "no dpkg-deb: install the package dpkg" err &&
	ln -s "$(command -v dpkg-deb)" bin/dpkg-deb && env PATH="$PWD/bin" sh "$SRC/packaging/debian/build" --check &&
	rm bin/asciidoctor &&
	test_must_fail env PATH="$PWD/bin" sh "$SRC/packaging/debian/build" --check 2>err && test_grep "install the package asciidoctor" err
'

# All that follows happens in a copy of this system that exists for this test alone; in a mount namespace, so
# that nothing has to be unmounted whatever happens.
W=$PWD
cat >within <<'END'
#!/bin/sh
# within UPPER COMMAND...: in the copy
cd "${0%/*}" && up=$1 && shift && mkdir -p $up.upper $up.work $up
mount -t overlay -o lowerdir=/,upperdir=$up.upper,workdir=$up.work none $up && mount --rbind /dev $up/dev && mount -t proc proc $up/proc &&
	mount --rbind /sys $up/sys && mount -t tmpfs tmp $up/tmp && cp "${0%/*}"/*.deb $up/tmp && cp /dev/null $up/etc/ld.so.preload &&
	rm -f $up/var/lib/man-db/auto-update &&
	exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/ LC_ALL=C DEBIAN_FRONTEND=noninteractive \
		chroot $up "$@"
END
chmod +x within
# system UPPER SCRIPT: keeps what it changes in UPPER
system() { unshare -m "$W/within" "$1" sh -ec "$2"; }

test_expect_success LONG,ROOT,OVERLAY,BESIDE,TOOLS 'beside linux-perf, it is what users get, and nobody has rights; it goes, and theirs is back' '
	cat >one.deb <<-\END &&
		apt-get install -qq -y /tmp/a.deb
		perf version
		zcat $(man -w perf) $(man -w perf-record) | grep -a "^.\\\\\" *Generator: Asciidoctor" | uniq -c
		grep -o -m 1 "SPDX[^ ]* GPL-2.0-or-later" /usr/share/bash-completion/completions/perf
		perf.linux-perf version
		! test -e /usr/libexec/perf-core/privileged || echo rights
		cd / && dpkg --verify perf && echo verified
		dpkg -r perf
		perf version
		dpkg --verify linux-perf && echo back
		dpkg -P perf
		find /etc /usr /var/lib /var/cache -xdev -newer /tmp/a.deb -path "*perf*" -type f | sed "s/^/left: /"
		dpkg-divert --list | grep "by perf$" || echo gone
	END
	system one "bash /tmp/one.deb" >out 2>&1; rc=$?; cat out; test $rc -eq 0 &&
	ours=$(x/usr/bin/perf version) theirs=$("$REF" version) && test "$ours" != "$theirs" &&
	grep "^perf version\|^verified\|^back\|^left\|^gone\|^rights" out >got &&
	printf "%s\n" "$ours" "$theirs" verified "$theirs" back gone >want && test_cmp want got &&
	test_grep "2 .*Asciidoctor" out && test_grep "^SPDX.*GPL" out
'
test_expect_success LONG,ROOT,OVERLAY,BESIDE,TOOLS 'linux-perf may be upgraded, removed and installed again meanwhile, and this upgraded' '
	mkdir -p new/usr/bin new/usr/share/man/man1 new/usr/share/bash-completion/completions new/DEBIAN &&
	printf "#!/bin/sh\necho perf version new\n" >new/usr/bin/perf && chmod 755 new/usr/bin/perf new/DEBIAN &&
	for f in man/man1/perf.1.gz man/man1/perf-record.1.gz bash-completion/completions/perf; do echo theirs >new/usr/share/$f || return 1; done &&
	for f in preinst postrm; do cp /var/lib/dpkg/info/linux-perf.$f new/DEBIAN/$f || return 1; done &&
	printf "Package: linux-perf\nVersion: 9999\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a\n" >new/DEBIAN/control &&
	dpkg-deb --root-owner-group -b new new.deb &&
	cat >two.deb <<-\END &&
		now() { dpkg "$@" >&2; echo "$*: $(perf version)$(perf.linux-perf version 2>/dev/null | sed "s/.*/ and theirs/")"; }
		now -i /tmp/a.deb
		now -i /tmp/new.deb
		now -r linux-perf
		ls -d /usr/bin/perf* /usr/share/man/man1/perf*linux* /usr/share/bash-completion/completions/perf* 2>/dev/null
		now -i /tmp/new.deb
		now -i /tmp/b.deb
		dpkg --verify perf
		now -r perf
		cat /usr/share/man/man1/perf.1.gz /usr/share/man/man1/perf-record.1.gz /usr/share/bash-completion/completions/perf
	END
	system two "bash /tmp/two.deb" >got 2>err; rc=$?; cat err; test $rc -eq 0 &&
	cat >want <<-END &&
		-i /tmp/a.deb: $ours and theirs
		-i /tmp/new.deb: $ours and theirs
		-r linux-perf: $ours
		/usr/bin/perf
		/usr/share/bash-completion/completions/perf
		-i /tmp/new.deb: $ours and theirs
		-i /tmp/b.deb: $ours and theirs
		-r perf: perf version new
		theirs
		theirs
		theirs
	END
	test_cmp want got
'
cat >three.deb <<'END'
groupadd --system perfusers
echo "perf perf/group string perfusers" | debconf-set-selections
dpkg -i /tmp/a.deb
copy=/usr/libexec/perf-core/privileged/perf gid=$(getent group perfusers | cut -d: -f3)
getcap $copy
stat -c "%A %G" $copy
sed "s/gid=$gid/gid=ours/" /etc/systemd/system/sys-kernel-tracing.mount.d/perf-group.conf
mkdir /tmp/u && chown 54321 /tmp/u && cd /tmp/u && export HOME=/tmp/u
# as GROUP COMMAND...: as a user who is a member of it; what setpriv itself executes, root may execute
as() { setpriv --reuid 54321 --regid 54321 --groups "$1" sh -c 'shift; exec "$@"' sh "$@"; }
# left COMMAND...: capabilities of the copy while it does that
left() {
	setpriv --reuid 54321 --regid 54321 --groups $gid $copy "$@" 2>/dev/null <>/tmp/fifo & sleep 0.3
	sed -n "s/^CapEff:/left/p" /proc/$!/status
	kill $!
}
stat -f -c "%T" /sys/kernel/tracing
echo "tracing: $(stat -c "%a %G" /sys/kernel/tracing)"
as $gid perf record -a -e cpu-clock,context-switches -o a.data -- sleep 0.2
echo "member: $?"
as $gid perf report --stdio -i a.data -s pid,sym 2>/dev/null | grep -c "\[k\] [a-z_]" | sed 's/[1-9][0-9]*/names/; s/^/kernel: /'
as $gid perf record -a -e sched:sched_switch -o t.data -- sleep 0.1
echo "tracepoints: $?"
as 54321 perf record -a -e cpu-clock -o b.data -- sleep 0.1
echo "other: $?"
as 54321 perf version
mkfifo /tmp/fifo && chmod 666 /tmp/fifo
as 54321 $copy version 2>/dev/null || echo "no copy for others"
as $gid env LD_LIBRARY_PATH=/xx TMPDIR=/yy perf stat -o s -e task-clock sh -c 'env; sed -n "s/^CapEff:[[:space:]]/caps /p" /proc/self/status' | grep "^LD\|^TMP\|caps\|KEPT"
# what a command that runs code of users has left: nothing, or the addresses of the kernel
left test -w noploop 20
left report -i -
echo "perf perf/group string nosuchgroup" | debconf-set-selections
dpkg-reconfigure perf
test -e $copy || echo "nobody again"
dpkg -P perf
ls /usr/libexec/perf-core /etc/systemd/system/sys-kernel-tracing.mount.d
echo "tracing: $(stat -c "%a %G" /sys/kernel/tracing)"
debconf-show perf
END
test_expect_success LONG,ROOT,OVERLAY,BESIDE,TOOLS,PERF_EVENTS,TRACEFS 'the group that the question is answered with may profile everything, others may not' '
	was=$(stat -c "gid=%g,mode=%a" /sys/kernel/tracing) &&
	system three "bash /tmp/three.deb" >got 2>err; rc=$?; cat got err
	mount -o "remount,$was" /sys/kernel/tracing
	test $rc -eq 0 &&
	test_grep "/perf cap_sys_ptrace,cap_syslog,cap_perfmon=ep" got && test_grep "^-rwxr-x--- perfusers" got && test_grep "gid=ours,mode=0750" got &&
	test_grep "^tracing: 750 perfusers" got && test_grep "^member: 0" got && test_grep "^kernel: names" got && test_grep "^tracepoints: 0" got &&
	test_grep "^other: 255" got && test_grep "^$ours" got && test_grep "^no copy for others" got &&
	test_grep "^LD_LIBRARY_PATH=/xx" got && test_grep "^TMPDIR=/yy" got && test_grep "^caps 0*$" got && test_grep ! KEPT got &&
	grep "^left" got | tr -d "\t" >left && printf "left%s\n" 0000000000000000 0000000400000000 >want && test_cmp want left &&
	test_grep "no group nosuchgroup" err && test_grep "^nobody again" got && test_grep "^tracing: 700 root" got
'
test_done
