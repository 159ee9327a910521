# SPDX-License-Identifier: GPL-2.0-or-later
# A script for perf script -s: it counts events, and next to nothing more.
use strict;
use warnings;

my $events = 0;

sub raw_syscalls::sys_enter
{
	my ($event_name, $context, $common_cpu, $common_secs, $common_nsecs, $common_pid, $common_comm, $common_callchain,
	    $id, $args) = @_;

	$events++;
}

sub raw_syscalls::sys_exit
{
	my ($event_name, $context, $common_cpu, $common_secs, $common_nsecs, $common_pid, $common_comm, $common_callchain,
	    $id, $ret) = @_;

	$events++;
}

sub sched::sched_switch
{
	my ($event_name, $context, $common_cpu, $common_secs, $common_nsecs, $common_pid, $common_comm, $common_callchain,
	    $prev_comm, $prev_pid, $prev_prio, $prev_state, $next_comm, $next_pid, $next_prio) = @_;

	$events++;
}

sub trace_end
{
	print "$events\n";
}
