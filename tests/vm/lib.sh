# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Emulated machines for the shell tests: a kernel of Debian under QEMU (emulation alone, no /dev/kvm), an
# initramfs of busybox, the programs asked for and one script of the test's, and what that leaves
# in /out of the guest brought back through a raw disk. Source this before tap.sh, which moves HOME.
#
#	vm_fetch ARCH			kernel and tools of ARCH under $VM_ROOT, kept in the cache for a week
#	vm_build ARCH FOLDER		build/perf for it
#	vm_initrd ARCH OUT SCRIPT [GUEST=HOST]...	pack; programs come with the libraries they need
#	vm_run ARCH INITRD DIR [QEMU OPTION]...	boot, run, power off; /out of the guest becomes DIR
#
# VM_RELEASE=bullseye: kernel and tools of that release of Debian, kept beside those of this one.
# Each returns false after saying in $vm_why what is missing. Nothing here needs root.

VM_CACHE=${VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perf-vm}
VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
VM_SECONDS=${VM_SECONDS:-150}

# vm_names ARCH: what its tools are called
vm_names() {
	case $1 in
	arm64) vm_qemu=qemu-system-aarch64 vm_triplet=aarch64-linux-gnu vm_console=ttyAMA0 ;;
	amd64) vm_qemu=qemu-system-x86_64 vm_triplet=x86_64-linux-gnu vm_console=ttyS0 ;;
	s390x) vm_qemu=qemu-system-s390x vm_triplet=s390x-linux-gnu vm_console=ttysclp0 ;;
	*) vm_why="no emulated machine for $1"; return 1 ;;
	esac
}

# vm_tools ARCH: the emulator and what packs are installed
vm_tools() {
	local tool

	vm_names "$1" || return
	for tool in $vm_qemu cpio tar readelf flock; do
		command -v "$tool" >/dev/null || { vm_why="no $tool"; return 1; }
	done
}

# vm_fetch ARCH PACKAGE...: into the cache, unless it is there and fresh, or cannot be renewed
vm_fetch() {
	local arch=$1 have='' package want='' stamp log

	vm_names "$arch" || return
	VM_ROOT=$VM_CACHE/$arch${VM_RELEASE:+-$VM_RELEASE}
	stamp=$VM_ROOT/.complete
	shift
	mkdir -p "$VM_CACHE" || { vm_why="cannot write $VM_CACHE"; return 1; }
	log=$VM_ROOT.log
	(
		flock 9
		test ! -e "$stamp" || have=$(cat "$stamp")
		for package; do
			case " $have " in *" $package "*) ;; *) want="$want $package" ;; esac
		done
		test -n "$want" || test -z "$(find "$stamp" -mtime -7)" || exit 0
		rm -rf "$VM_ROOT.new"
		# shellcheck disable=SC2086 # a list of words
		if sh "$VM_DIR/../../scripts/sysroot" -k ${VM_RELEASE:+-r "$VM_RELEASE"} "$VM_ROOT.new" "$arch" $have $want >"$log" 2>&1; then
			echo "$have$want" >"$VM_ROOT.new/.complete"
			rm -rf "$VM_ROOT"
			mv "$VM_ROOT.new" "$VM_ROOT"
		else
			rm -rf "$VM_ROOT.new"
			test -z "$want"
		fi
	) 9>"$VM_CACHE/lock" && return
	vm_why="packages for $arch cannot be had: $(tail -n 1 "$log")"
	return 1
}

# vm_build ARCH FOLDER: our perf for it, with the libraries that were fetched
vm_build() {
	local cache='' top target

	vm_names "$1" || return
	case $CC in ccache*) cache='ccache ' ;; esac
	# The rules name what is below the tree by its path from there.
	top=$(cd "$VM_DIR/../.." && pwd -P) && target=${2#"$top"/}/perf
	env -u MAKEFLAGS -u MAKELEVEL make -j"$(nproc)" -C "$top" O="$2" CC="$cache$vm_triplet-gcc" \
		CROSS_COMPILE="$vm_triplet-" SYSROOT="$VM_ROOT" CFLAGS="-Werror -O1 -g0" "$target" >"$TRASH/build.out" 2>&1 && return
	tail -n 30 "$TRASH/build.out"
	return 1
}

# vm_find LIBRARY: its path on this side; $root is '' for programs of this machine
vm_find() {
	local dir

	for dir in lib/$vm_triplet usr/lib/$vm_triplet lib usr/lib lib64 usr/local/lib; do
		test ! -e "$root/$dir/$1" || { echo "$root/$dir/$1"; return; }
	done
	return 1
}

# vm_closure FILE: copy what it needs to run into $tree, where the loader looks
vm_closure() {
	local need path

	for need in $(readelf -Wdl "$1" 2>/dev/null | sed -n \
		-e 's/.*(NEEDED).*\[\(.*\)\]/\1/p' -e 's/.*interpreter: \(.*\)\]/\1/p'); do
		path=$(vm_find "$(basename "$need")") || { vm_why="$1 needs $need"; return 1; }
		case $need in */*) ;; *) need=/usr/lib/$vm_triplet/$need ;; esac
		test ! -e "$tree$need" || continue
		mkdir -p "$(dirname "$tree$need")"
		cp -L "$path" "$tree$need"
		vm_closure "$path" || return
	done
}

# vm_initrd ARCH OUT SCRIPT [GUEST=HOST]...: files of the fetched system have their libraries there,
# others too, unless they are this machine's own.
vm_initrd() {
	local arch=$1 out=$2 script=$3 tree root busybox pair module

	shift 3
	vm_names "$arch" || return
	tree=$(mktemp -d) && chmod 755 "$tree" || return
	mkdir -p "$tree"/{bin,proc,sys,dev,tmp,out,etc,home,modules,usr/lib/"$vm_triplet",usr/bin}
	ln -s usr/lib "$tree/lib"
	busybox=$VM_ROOT/bin/busybox
	test -e "$busybox" || busybox=$VM_ROOT/usr/bin/busybox
	cp "$busybox" "$tree/bin/busybox"
	ln -s busybox "$tree/bin/sh"
	echo root:x:0:0:root:/home:/bin/sh >"$tree/etc/passwd"
	echo nobody:x:65534:65534:nobody:/tmp:/bin/sh >>"$tree/etc/passwd"
	cp "$VM_DIR/init" "$tree/init" && cp "$script" "$tree/test.sh" || return
	for module in virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk; do
		# not there: built into that kernel
		find "$VM_ROOT/modules" -name "$module.ko" -exec cp {} "$tree/modules/" \;
	done
	root=$VM_ROOT
	test "$(uname -m)-linux-gnu" != "$vm_triplet" || root=
	for pair; do
		mkdir -p "$(dirname "$tree/${pair%%=*}")"
		cp -L "${pair#*=}" "$tree/${pair%%=*}" || { vm_why="no ${pair#*=}"; return 1; }
		vm_closure "${pair#*=}" || return
	done
	# QEMU gives the kernel a copy: unpacking it there would be the slowest part of the boot
	(cd "$tree" && find . | LC_ALL=C sort | cpio -o -H newc --quiet -R 0:0) >"$out" || return
	rm -rf "$tree"
}

# vm_run ARCH INITRD DIR [QEMU OPTION]...: DIR gets the guest's /out and its console as DIR/console.
# False when the guest did not get to its end or its script failed.
vm_run() {
	local arch=$1 initrd=$2 dir=$3 machine

	shift 3
	vm_names "$arch" || return
	# -icount: one nanosecond per instruction. Time, and counters, repeat from run to run.
	case $arch in
	arm64) machine='-machine virt -cpu cortex-a57 -icount shift=0,sleep=off -smp 1' ;;
	amd64) machine='-cpu max -smp 1' ;;
	s390x) machine='-M s390-ccw-virtio -cpu max -smp 1' ;;
	esac
	mkdir -p "$dir" && truncate -s 64M "$dir.disk" || return
	# shellcheck disable=SC2086 # lists of words
	timeout -k 5 "$VM_SECONDS" $vm_qemu $machine -accel tcg -m 768 -nographic -no-reboot -nic none \
		-kernel "$VM_ROOT/boot/vmlinuz" -initrd "$initrd" \
		-drive "file=$dir.disk,format=raw,if=none,id=out" -device virtio-blk,drive=out \
		-append "console=$vm_console panic=-1 quiet nokaslr norandmaps" "$@" </dev/null >"$dir/console" 2>&1
	tar xf "$dir.disk" --no-same-owner -C "$dir" 2>/dev/null
	rm -f "$dir.disk"
	grep -q '^@@EXIT 0' "$dir/console" && return
	vm_why='the guest failed'
	tail -n 40 "$dir/console"
	return 1
}
