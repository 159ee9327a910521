# SPDX-License-Identifier: GPL-2.0-or-later
package Perf::Trace::Util;

# Small helpers of scripts of `perf script`: times and means.

use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(avg nsecs nsecs_secs nsecs_nsecs nsecs_usecs print_nsecs clear_term);
our @EXPORT_OK = qw(nsecs_str);
our $VERSION = '1.0';

my $NSECS_PER_SEC = 1_000_000_000;

# Return the mean of values, by their sum and number.
sub avg
{
	my ($total, $n) = @_;

	return $total / $n;
}

# Return a time in nanoseconds.
sub nsecs
{
	my ($secs, $nsecs) = @_;

	return $secs * $NSECS_PER_SEC + $nsecs;
}

# Return the whole seconds of a time in nanoseconds.
sub nsecs_secs
{
	my ($nsecs) = @_;

	use integer;
	return $nsecs / $NSECS_PER_SEC;
}

# Return the nanoseconds behind the whole seconds.
sub nsecs_nsecs
{
	my ($nsecs) = @_;

	return $nsecs % $NSECS_PER_SEC;
}

# Return the microseconds behind the whole seconds.
sub nsecs_usecs
{
	my ($nsecs) = @_;

	use integer;
	return nsecs_nsecs($nsecs) / 1000;
}

# Return a time as "seconds.nanoseconds".
sub nsecs_str
{
	my ($nsecs) = @_;

	return sprintf "%5u.%09u", nsecs_secs($nsecs), nsecs_nsecs($nsecs);
}

# Print it.
sub print_nsecs
{
	my ($nsecs) = @_;

	print nsecs_str($nsecs);
}

# Clear the terminal.
sub clear_term
{
	print "\x1b[H\x1b[2J";
}

1;
