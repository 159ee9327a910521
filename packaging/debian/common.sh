# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# The first part of each script of the package: what of ours other packages have as well. The package
# linux-perf of Debian diverts the first three away from whoever else has them, always to the same
# names, and fails where a diversion of somebody else is in its way. So these are left to it, and our
# files take their places by symbolic links. All others are diverted for us in the usual way.
HELD='/usr/bin/perf /usr/share/bash-completion/completions/perf /usr/share/man/man1/perf.1.gz'
PAGES='@PAGES@'

# Where the file of another package is while ours has its name.
aside() {
	case $1 in
	*.1.gz) echo "${1%.1.gz}.linux-perf.1.gz" ;;
	*) echo "$1.linux-perf" ;;
	esac
}

# The package that diverts a file; nothing if none does.
diverter() { dpkg-divert --listpackage "$1"; }

# Whether another package has the file.
foreign() { dpkg -S "$1" 2>/dev/null | grep -v -e '^diversion by ' -e '^perf: ' -e '^perf:[a-z0-9]*: ' >/dev/null; }

divert() { dpkg-divert --package perf --divert "$(aside "$1")" --rename --add "$1" >/dev/null; }

# Whether the file is the link that put_links made.
is_link() { test "$(readlink "$1")" = "$(basename "$2")"; }

# Where another package diverts ours, put a link to ours in the place of its file.
put_links() {
	for file in $HELD; do
		ours=$(dpkg-divert --truename "$file")
		case $(diverter "$file") in
		perf) continue ;;
		'')
			# The other package is gone, and has put ours in its place again.
			rm -f "$(aside "$file")"
			continue
			;;
		esac
		if ! test -e "$ours" || is_link "$file" "$ours"; then
			continue
		fi
		test ! -e "$file" || ln -f "$file" "$(aside "$file")"
		ln -sfn "$(basename "$ours")" "$file.perf-new"
		mv -fT "$file.perf-new" "$file"
	done
}

# Give the places back.
take_links() {
	for file in $HELD; do
		ours=$(dpkg-divert --truename "$file")
		other=$(aside "$file")
		case $(diverter "$file") in
		perf) ;;
		'') rm -f "$other" ;;
		*)
			is_link "$file" "$ours" || continue
			if test -e "$other"; then
				mv -fT "$other" "$file"
			else
				rm -f "$file"
			fi
			;;
		esac
	done
}

COPY=/usr/libexec/perf-core/privileged/perf
TRACEFS=/sys/kernel/tracing
DROPIN=/etc/systemd/system/sys-kernel-tracing.mount.d/perf-group.conf

# mount_tracefs OPTIONS: change the options of tracefs where it is mounted now. Without the right to
# do so (containers), the options of the next boot count.
mount_tracefs() {
	grep -q " $TRACEFS tracefs " /proc/self/mounts 2>/dev/null || return 0
	mount -o "remount,$1" "$TRACEFS" 2>/dev/null ||
		echo "perf: $TRACEFS keeps its options until the next boot" >&2
}

reload_systemd() { test ! -d /run/systemd/system || systemctl daemon-reload >/dev/null 2>&1 || true; }

# Nobody but root has rights any more.
take_rights() {
	rm -f "$COPY"
	rmdir "$(dirname "$COPY")" 2>/dev/null || true
	test -e "$DROPIN" || return 0
	rm -f "$DROPIN"
	rmdir --ignore-fail-on-non-empty "$(dirname "$DROPIN")"
	reload_systemd
	mount_tracefs gid=0,mode=0700
}
