#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The text of `perf script` (standard input) as folded stacks (standard output): a stand-in for the
# middle step of the usual pipeline, script | collapse | draw, in the language that is usually
# written in; as in tests/lib/python/flame-check.py, which tests compare with.
use strict;
use warnings;

my (%sums, $comm, $period, $first, $event, @stack);

while (<STDIN>) {
	if (/^\s*[0-9a-f]+ (\[unknown\]|.+) \((.*)\)$/ && defined $comm) {
		my ($name, $object) = ($1, $2);
		if ($name eq "[unknown]") {
			$object =~ s/.*\/// if $object ne "[unknown]";
			$name = $object eq "[unknown]" ? "[unknown]" : "[$object]";
		} else {
			$name =~ s/\+0x[0-9a-f]+$//;
		}
		$name =~ tr/;/:/;
		push @stack, $name;
	} elsif (/^\n/) {
		if (defined $comm && $event eq $first) {
			$sums{join ";", $comm, reverse @stack} += $period;
		}
		undef $comm;
	} elsif (/^(\S.*?)\s+-?\d+\s+(?:\[\d+\]\s+)?\d+\.\d+:\s+(\d+)\s+(\S+):/) {
		($comm, $period, $event, @stack) = ($1, $2, $3);
		$first = $event unless defined $first;
		$comm =~ tr/ ;/_:/;
	}
}
print "$_ $sums{$_}\n" for sort keys %sums;
