#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# probe.sh OUT: compile and link every probe of LIST, all at once, and write what was
# found to OUT (see scripts/mk/features.mk). From the environment: CC, PROBE_FLAGS,
# PKG_CONFIG, OFF (names not to use), STATIC (1: everything is linked).
set -eu
out=$1
here=$(dirname "$0")
cc=${CC:-gcc}
pkg_config=${PKG_CONFIG:-pkg-config}
mkdir -p "$out/include" "$out/probe"

# probe NAME PKG FLAGS: leaves NAME.cflags and NAME.libs when it works.
probe() {
	p=$out/probe/$1
	rm -f "$p.cflags" "$p.libs" "$p.ok"
	case " ${OFF:-} " in *" $1 "*) return ;; esac
	c=
	l=$3
	case $2 in
	-) ;;
	*-config)
		c=$(sh "$here/$2" --cflags 2>/dev/null) || return 0
		l=$(sh "$here/$2" --libs 2>/dev/null) || return 0
		;;
	*)
		c=$($pkg_config --cflags "$2" 2>/dev/null) || return 0
		l=$($pkg_config --libs "$2" 2>/dev/null) || return 0
		;;
	esac
	# shellcheck disable=SC2086 # flags are lists of words
	if $cc ${STATIC:+-static} ${PROBE_FLAGS:-} $c -o "$p.bin" "$here/$1.c" $l >"$p.log" 2>&1; then
		echo "$c" >"$p.cflags"
		echo "$l" >"$p.libs"
		: >"$p.ok"
	fi
	rm -f "$p.bin"
}

rows=$(sed '/^#/d;/^$/d' "$here/LIST")
while IFS='|' read -r name pkg flags _ static _; do
	test -z "${STATIC:-}" || flags=${static:-$flags}
	probe "$name" "$pkg" "$flags" &
done <<END
$rows
END
probe glibc - '' &
wait

# The C library counts as found or not, never as a library to link.
{
	echo "# Written by scripts/feature/probe.sh."
	for flag in -mno-omit-leaf-frame-pointer -mbackchain; do
		if $cc -Werror $flag -x c -c /dev/null -o /dev/null 2>/dev/null; then
			echo "CC_ACCEPTS += $flag"
		fi
	done
	# the fastest linker that the compiler knows and that is there
	for ld in mold lld gold; do
		# shellcheck disable=SC2086 # flags are lists of words
		if echo 'int main(void) { return 0; }' |
			$cc ${PROBE_FLAGS:-} -fuse-ld=$ld -x c - -o "$out/probe/ld.bin" 2>/dev/null; then
			echo "FAST_LD := -fuse-ld=$ld"
			break
		fi
	done
	rm -f "$out/probe/ld.bin"
	while IFS='|' read -r name _ _ _ _ engine; do
		test -e "$out/probe/$name.ok" || continue
		upper=$(echo "$name" | tr '[:lower:]' '[:upper:]')
		if test -n "$engine"; then
			echo "${upper}_FOUND := 1"
			echo "${upper}_CFLAGS := $(cat "$out/probe/$name.cflags")"
			echo "${upper}_LIBS := $(cat "$out/probe/$name.libs")"
			continue
		fi
		echo "FEATURE_CFLAGS += $(cat "$out/probe/$name.cflags") -DHAVE_$upper"
		echo "FEATURE_LIBS += $(cat "$out/probe/$name.libs")"
	done <<END
$rows
END
} >"$out/features.mk.new"

{
	echo '/* Written by scripts/feature/probe.sh: FEATURE(name, is built in, macro). */'
	sed '/^#/d;/^$/d' "$here/BUILD-OPTIONS" | while IFS='|' read -r name macro lib; do
		on=1
		for word in $lib; do
			case $word in
			on) ;;
			shared) test -z "${STATIC:-}" || on=0 ;; # loaded when it is needed, by a perf that can load
			*) test -e "$out/probe/$word.ok" || on=0 ;; # a library, or "off", which is none
			esac
		done
		echo "FEATURE(\"$name\", $on, \"$macro\")"
	done
} >"$out/include/build-features.h.new"

{
	echo "Optional libraries ($cc):"
	while IFS='|' read -r name _ _ lost _; do
		if test -e "$out/probe/$name.ok"; then
			printf '  %16s: [ on  ]\n' "$name"
		else
			case " ${OFF:-} " in *" $name "*) lost="$lost (switched off)" ;; esac
			printf '  %16s: [ OFF ]  %s\n' "$name" "$lost"
		fi
	done <<END
$rows
END
} >"$out/features.txt"

# Unchanged answers keep their time stamp where that saves a rebuild.
cmp -s "$out/include/build-features.h.new" "$out/include/build-features.h" ||
	cp "$out/include/build-features.h.new" "$out/include/build-features.h"
rm -f "$out/include/build-features.h.new"
mv "$out/features.mk.new" "$out/features.mk"
