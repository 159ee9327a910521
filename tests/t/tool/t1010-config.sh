#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 0 of 2
test_description='perf config: what is read, what is written, and what stays as it was'
. "$(dirname "$0")/../../lib/tap.sh"

RC=$HOME/.perfconfig

# same_as_ref CODE ARGS...: both end with CODE and say the same on both streams.
same_as_ref() {
	local want=$1

	shift
	test_expect_code "$want" "$PERF" config "$@" >ours.out 2>ours.err &&
		test_expect_code "$want" "$REF" config "$@" >ref.out 2>ref.err &&
		test_cmp ref.out ours.out && uniq ref.err ref.once && test_cmp ref.once ours.err
}

test_expect_success 'nothing is set' '
	perf config >out && perf config -l >>out && perf config report.sort >>out && test_line_count -eq 0 out &&
	test ! -e "$RC"
'

test_expect_success 'set, show, list' '
	perf config report.sort=comm,dso core.pager="less -R" &&
	test "$(perf config report.sort)" = report.sort=comm,dso &&
	test "$(perf config Report.SORT)" = Report.SORT=comm,dso &&
	printf "report.sort=comm,dso\ncore.pager=less -R\n" >want && perf config -l >out && test_cmp want out &&
	perf config >out && test_cmp want out && perf config --user -l >out && test_cmp want out
'

test_expect_success REFERENCE 'the reference reads what was written' '
	perf config "a.quoted=x # y; z" "a.back=c:\\\\dir" "a.blank= b " "a.q=say \"hi\"" c.d=1 &&
	same_as_ref 0 -l && same_as_ref 0 a.quoted && same_as_ref 0 a.blank && same_as_ref 0 a.q a.back
'

test_expect_success 'comments, order and layout stay' '
	cat >"$RC" <<-\EOT &&
	# mine
	[report]
	    sort=comm   # by command
	; children next
	    children = \
	        true
	[other "Sub Part"]
		k = v

	[report]
		last = 1
	# the end
	EOT
	cp "$RC" before &&
	perf config report.sort=dso && sed "s/sort=comm/sort = dso/" before >want && test_cmp want "$RC" &&
	perf config report.children=false &&
	sed -e "s/sort=comm/sort = dso/" -e "/children = /{N;s/.*/    children = false/}" before >want &&
	test_cmp want "$RC" &&
	perf config report.new=2 && sed -i "s/last = 1/&\n\tnew = 2/" want && test_cmp want "$RC" &&
	perf config brand.new=3 && printf "[brand]\n\tnew = 3\n" >>want && test_cmp want "$RC" &&
	test "$(perf config "other.Sub Part.k")" = "other.Sub Part.k=v"
'

test_expect_success 'mode and link of the file stay' '
	mkdir -p dot && mv "$RC" dot/rc && chmod 600 dot/rc && ln -s "$PWD/dot/rc" "$RC" &&
	perf config a.b=5 && test -L "$RC" && test "$(stat -c %a dot/rc)" = 600 &&
	test "$(perf config a.b)" = a.b=5 && rm "$RC"
'

test_expect_success REFERENCE 'wrong arguments' '
	for args in foo foo=1 foo.bar= .x .=3 "--user --system"; do
		same_as_ref 255 $args || return 1
	done
'

test_expect_success REFERENCE 'files with an error are used up to it, and the line is told' '
	for text in "junk\n" "[sec]\n=3\n" "[s]\nk = \"open\n" "[s]\nk = a\\\\qb\n" "[se c]\nk=v\n" "k=v\n" \
		"[s]\nk.l = v\n" "[s]\n1k = v\n" "[a]\nb=1\n[c]\nd=2\nbool\n[e]\nf=3\n"; do
		printf "$text" >"$RC" && same_as_ref 0 -l || return 1
	done
'

test_expect_success REFERENCE 'forms of values' '
	for text in "[sec] k = v\n" "[s]\nk = v \\\\\n more\n" "[S]\nKey_x-y = V  \n" "[s]\nk=1\nk=2\n[s]\nk=3\n" \
		"[s]\r\nk=1\r\n" "\357\273\277[s]\nk=1\n" "[s.t]\nk=1\n" "[s \"T\"]\nk=\"a b\" c\n" "[s]\nk=\n" ""; do
		printf "$text" >"$RC" && same_as_ref 0 -l || return 1
	done
'

test_expect_success 'a file with an error is not rewritten' '
	printf "[a]\nb = 1\njunk\n" >"$RC" && cp "$RC" before &&
	test_expect_code 255 perf config a.b=2 2>err &&
	test_grep "bad config file line 3 in $RC" err && test_cmp before "$RC"
'

test_expect_success 'names that cannot be written are refused' '
	rm -f "$RC" &&
	for key in "a b.c" "a.1b" "a.b c" "a.=" "a."; do
		test_expect_code 255 perf config "$key=3" 2>err || return 1
	done && test ! -e "$RC"
'

test_expect_success '$PERF_CONFIG is the only file' '
	printf "[a]\nb = 1\n" >"$RC" && printf "[c]\nd = 2\n" >other &&
	test "$(PERF_CONFIG=other perf config -l)" = c.d=2 &&
	PERF_CONFIG=other perf config c.e=3 && test_grep "e = 3" other && test_grep ! "e = 3" "$RC" &&
	test -z "$(PERF_CONFIG=/nonexistent perf config -l)" && rm "$RC"
'

test_expect_success 'control bytes in a value do not reach the terminal' '
	printf "[a]\nb = \033[31mred\n" >"$RC" && perf config -l >out && test_grep ! "$(printf "\033")" out &&
	rm "$RC"
'

test_expect_success 'a folder or an unwritable place is told' '
	mkdir "$RC" && perf config -l 2>err && test_grep "is not a file" err &&
	test_expect_code 255 perf config a.b=1 2>err && test -s err && rmdir "$RC" &&
	test_expect_code 255 env PERF_CONFIG=/nonexistent/x perf config a.b=1 2>err && test_grep /nonexistent/x err
'

test_expect_success ROOT 'a file of somebody else is not obeyed' '
	printf "[a]\nb = 1\n" >"$RC" && chown 12345 "$RC" && perf config -l >out 2>err && test_line_count -eq 0 out &&
	test_grep "File $RC not owned by current user or root, ignoring it\.$" err && rm "$RC"
'

test_expect_success CORPUS 'report takes its defaults from it, options go before' '
	data=$(ls "$CORPUS"/*/*.data "$CORPUS"/*.data 2>/dev/null | head -n 1) && test -n "$data" &&
	perf report --stdio -s comm -i "$data" >want && perf report --stdio -i "$data" >plain &&
	! cmp -s want plain &&
	perf config report.sort_order=comm && perf report --stdio -i "$data" >out && test_cmp want out &&
	perf config report.sort_order=pid && perf report --stdio -s comm -i "$data" >out && test_cmp want out &&
	perf config report.children=maybe && perf report --stdio -s comm -i "$data" >out 2>err &&
	test_grep "bad config value for .report.children." err && rm "$RC"
'

test_lazy_prereq READELF 'no readelf' 'command -v readelf'
test_expect_success PERF_EVENTS,READELF 'where copies of programs are: option, environment, configuration' '
	cp "$PERF" victim && perf record -N -F 5000 -o a.data ./victim test -w noploop 1 &&
	id=$(readelf -n victim 2>/dev/null | sed -n "s/.*Build ID: //p") && test -n "$id" &&
	dir=cache/.build-id/$(echo $id | cut -c 1-2)/$(echo $id | cut -c 3-) && mkdir -p $dir && mv victim $dir/elf &&
	perf report --stdio -s sym -i a.data >out && test_grep ! noploop out &&
	perf --buildid-dir cache report --stdio -s sym -i a.data >out && test_grep noploop out &&
	PERF_BUILDID_DIR=cache perf report --stdio -s sym -i a.data >out && test_grep noploop out &&
	perf config buildid.dir=cache && perf report --stdio -s sym -i a.data >out && test_grep noploop out &&
	perf script -i a.data >out && test_grep noploop out &&
	perf --buildid-dir /nonexistent report --stdio -s sym -i a.data >out && test_grep ! noploop out && test ! -e /nonexistent && rm "$RC"
'

test_done
