#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='perf trace beside strace, call by call: names, results and arguments of a program that makes calls of every kind'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

every=$(program every)
command -v strace >/dev/null || test_skip_all 'there is no strace to compare with'
strace -o out true 2>err || test_skip_all "strace cannot trace here: $(head -n 1 err)"
test_lazy_prereq COPIES 'BPF programs cannot copy memory here' 'perf trace -v -o out -e openat true 2>err; grep "memory of [1-9][0-9]* calls was copied" err'

# Both are to show all arguments, and names with their prefixes.
cat >config <<'END'
[trace]
	show_zeros = yes
	show_prefix = yes
	show_timestamp = no
	show_duration = no
	args_alignment = 0
END

# Differences: the call, the number of the argument or "result", and the reason; =VALUE is about what is shown so alone.
cat >known <<'END'
mknodat 3 strace leaves out the device of what is no device
utimensat 2 UTIME_OMIT stands for a whole time
epoll_ctl 3 the data of an event are shown in hex, not as the union that they are
timerfd_create 1 TFD_TIMER_CANCEL_ON_SET is no flag of this call, but has the value of one for strace
perf_event_open 0 strace does not show a struct whose size is wrong
mmap 4 no descriptor (-1) is not shown where none is used,
mmap 5 so the argument behind it is one place before
execve 2 strace shows how many variables there are
sched_setscheduler 2 strace shows no name of the only member
sched_setaffinity 2 a set of CPUs is a mask (a list with --bitmask-list)
membarrier 2 strace leaves out the CPU if no flag asks for it
process_vm_readv 1 what nothing was read into is not shown
process_vm_readv 3 a list without elements is an address
futex 1 the private flag has a name of its own
connect 1 addresses are shown without the functions of C that make them
bind 1 addresses are shown without the functions of C that make them
sendmsg 1 addresses are shown without the functions of C that make them
quotactl 0 the parts of the command are joined
quotactl 2 strace leaves out the arguments that a command does not use
quotactl 3 strace leaves out the arguments that a command does not use
reboot 3 strace leaves out the argument that a command does not use
readv 1 what nothing was read into is not shown
recvmsg 1 what nothing was read into is not shown
wait4 2 WUNTRACED and WSTOPPED are the same bit
bpf 1 ={bpf_fd=99,info=4096,info_len=16} strace shows the union that the struct is in
setsockopt 3 ="\1\0\0\0\5\0\0\0" options that are no ints are shown as bytes
mbind 3 =5 a set of nodes is a mask
prctl 3 =(none) strace shows arguments that have to be zero
prctl 4 =(none) strace shows arguments that have to be zero
mmap 3 =MAP_ANONYMOUS|MAP_HUGETLB|MAP_PRIVATE|4096 the size of huge pages is shown in hex
timer_create 1 ={sigev_notify=77,sigev_signo=SIGUSR1} strace does not know that it is a signal
personality result zero has a name
bpf 1 ={insn_cnt=2,license="GPL",prog_name="mine",prog_type=BPF_PROG_TYPE_KPROBE} strace shows a version of zero
bpf 1 ={name="sys_enter",prog_fd=99} strace shows the union that the struct is in
rt_sigqueueinfo 2 strace shows the value as a number and as an address
ioctl 1 =TCSETSW strace names another device that has the number
ioctl 2 ={c_cflag=B9600|CREAD|CS8,c_iflag=ICRNL|IXON,c_lflag=ECHO|ICANON|ISIG,c_oflag=ONLCR|OPOST} strace names delays that are zero
waitid 1 the process is another one, and has its name
waitid 2 the process is another one, and has its name
END

# compare OURS THEIRS: the lines between the marks, one beside the other
cat >compare.pl <<'END'
use strict;
my %mode = (S_IRUGO => 0444, S_IWUGO => 0222, S_IXUGO => 0111, S_IRWXUGO => 0777, S_ISUID => 04000, S_ISGID => 02000, S_ISVTX => 01000,
	map { my $s = $_; map { ("S_I$_->[0]$s->[0]" => $_->[1] << $s->[1]) } ['R', 4], ['W', 2], ['X', 1] } ['USR', 6], ['GRP', 3], ['OTH', 0]);
# Take a list apart at commas (or another sign) outside of quotes and brackets.
sub parts {
	my ($text, $by) = @_;
	my (@parts, $depth, $part) = ();
	while ($text =~ /\G("(?:\\.|[^"\\])*"|.)/gs) {
		my $t = $1;
		$depth += $t =~ /^[\[{(]$/ ? 1 : $t =~ /^[\]})]$/ ? -1 : 0;
		if (!$depth && $t eq $by) { push @parts, $part; $part = ''; } else { $part .= $t; }
	}
	push @parts, $part if length $part;
	s/^\s+|\s+$//g for @parts;
	return @parts;
}
# A value that does not depend on the style: structs have names and values, flags are sorted, numbers decimal.
sub plain {
	my ($v) = @_;
	if ($v =~ /^\{(.*)\}$/s) {
		my %m;
		for (parts($1, ',')) { $m{$1} = plain($2) if /^\.?(\w+)(?:: |=)(.*)$/s; }
		delete @m{grep { $m{$_} =~ /^(0|NULL)$/ } keys %m};
		%m = (family => $m{sa_family}, path => $m{sun_path}) if $m{sun_path};
		return '{' . join(',', map { "$_=$m{$_}" } sort keys %m) . '}';
	}
	return '[' . join(' ', map { s/^SIG//r } split(/ /, $1)) . ']' if $v =~ /^\[((?:SIG)?[A-Z0-9 ]*[A-Z][A-Z0-9 ]*)\]$/;
	return '[' . join(',', map { plain($_) } parts($1, ',')) . ']' if $v =~ /^\[(.*)\]$/s;
	return $v if $v =~ /^"/;
	my ($number, @names) = (0);
	for (parts($v, '|')) {
		if (/^0x[0-9a-f]+$/) { my $n = hex; $number += $n > 0xfffff && $n < 1 << 48 && !/0x(77654321|3fffffff)/ ? 4096 : $n; }
		elsif (/^0[0-7]+$/) { $number += oct; }
		elsif (/^-?\d+$/) { $number += $_; }
		elsif (exists $mode{$_}) { $number += $mode{$_}; }
		else { push @names, $_; }
	}
	s/^1<<CAP_/CAP_/, s/^PF_/AF_/, s/^AF_LOCAL$/AF_UNIX/, s/^SIGRTMIN\+/SIGRT_/, s/^RLIM64_/RLIM_/ for @names;
	@names = grep { !/^(O_RDONLY)$/ } @names if @names > 1;
	return join '|', sort(@names), $number || !@names ? $number : ();
}
sub call {
	my ($line) = @_;
	$line =~ s/^\d+ +//;
	$line =~ s/<~[^>]*>//g;
	$line =~ s! /\* .*? \*/!!g;
	$line =~ s/_IOC\(_IOC_WRITE, 0x7a, /(WRITE, 'z', /;
	return unless $line =~ /^(\w+)\((.*)\) += (-?[\w|]+(?: E\w+)?).*$/s;
	my ($name, $list, $result) = ($1, $2, $3);
	return { name => $name, args => [map { s/^\w+: //r } parts($list, ',')], result => $result };
}
sub calls {
	open my $f, '<', $_[0] or die;
	my ($marks, @calls) = 0;
	for (<$f>) {
		chomp;
		if (/getpgid\((?:pid: )?-77/) { $marks++; next; }
		push @calls, call($_) if $marks == 1;
	}
	return @calls;
}
my (@ours, @theirs, %known, %met, $compared, $wrong) = ();
@ours = calls($ARGV[0]), @theirs = calls($ARGV[1]);
open my $k, '<', 'known' or die;
/^(\w+ \w+(?: =\S+)?) / and $known{$1} = 1 for <$k>;
sub differ {
	my ($what, $a, $b) = @_;
	for ($what, "$what =$a") { $met{$_} = 1; return if $known{$_}; }
	print "$what: ours $a theirs $b\n";
	$wrong = 1;
}
$wrong = @ours != @theirs;
print scalar(@ours), " calls and ", scalar(@theirs), "\n";
for my $i (0 .. $#theirs) {
	my ($o, $t) = ($ours[$i], $theirs[$i]);
	$o->{name} eq $t->{name} or print("call $i: $o->{name} and $t->{name}\n"), exit 1;
	differ("$t->{name} result", $o->{result}, $t->{result}) if plain($o->{result}) ne plain($t->{result});
	my $nr = @{$o->{args}} > @{$t->{args}} ? @{$o->{args}} : @{$t->{args}};
	for my $j (0 .. $nr - 1) {
		my ($a, $b) = map { defined $_ ? plain($_) : '(none)' } $o->{args}[$j], $t->{args}[$j];
		$compared++;
		differ("$t->{name} $j", $a, $b) if $a ne $b;
	}
}
for (grep { !$met{$_} } sort keys %known) { print "no difference any more: $_\n"; }
print "$compared arguments compared\n";
exit($wrong || $compared < 400);
END

test_expect_success COPIES 'names, results and arguments' '
	PERF_CONFIG=$PWD/config perf trace --no-comm -m 256 -o ours "$every" && strace -f -s 128 -o theirs "$every" && perl compare.pl ours theirs
'
test_done
