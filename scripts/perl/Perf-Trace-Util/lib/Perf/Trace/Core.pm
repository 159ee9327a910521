# SPDX-License-Identifier: GPL-2.0-or-later
package Perf::Trace::Core;

# The fields of events as words, for scripts of `perf script`. perf calls the define_* functions before
# the first sample of an event, when a script has them by `use Perf::Trace::Core`; flag_str() and
# symbol_str() answer from what they were told.

use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(
	define_flag_field define_flag_value flag_str dump_flag_fields
	define_symbolic_field define_symbolic_value symbol_str dump_symbolic_fields
	trace_flag_str
);
our $VERSION = '1.0';

# event -> field -> { delim, values: value -> word }
my (%flags, %symbols);

# Values of fields may be negative where those of words are not.
sub key
{
	my ($value) = @_;

	return sprintf "%u", $value;
}

# Say that a field has flags, and what stands between them.
sub define_flag_field
{
	my ($event_name, $field_name, $delim) = @_;

	$flags{$event_name}{$field_name}{delim} = $delim;
}

# Say how a flag of a field is called.
sub define_flag_value
{
	my ($event_name, $field_name, $value, $field_str) = @_;

	$flags{$event_name}{$field_name}{values}{key($value)} = $field_str;
}

# Say that values of a field have names.
sub define_symbolic_field
{
	my ($event_name, $field_name) = @_;

	$symbols{$event_name}{$field_name} ||= {};
}

# Say how a value of a field is called.
sub define_symbolic_value
{
	my ($event_name, $field_name, $value, $field_str) = @_;

	$symbols{$event_name}{$field_name}{values}{key($value)} = $field_str;
}

# Return what is known of a field, without making entries for those that are not known.
sub words
{
	my ($table, $event_name, $field_name) = @_;

	return exists $table->{$event_name} ? $table->{$event_name}{$field_name} : undef;
}

# Return the flags that are set in a value, such as "GFP_IO | GFP_FS"; "" when none is known.
sub flag_str
{
	my ($event_name, $field_name, $value) = @_;
	my $words = words(\%flags, $event_name, $field_name) or return "";
	my $values = $words->{values} || {};
	my $delim = defined $words->{delim} && length $words->{delim} ? " $words->{delim} " : "";
	my @names;

	return defined $values->{0} ? $values->{0} : "" if !$value;
	$value += 0; # bits of numbers, not of strings
	for my $flag (sort { $a <=> $b } map { $_ + 0 } grep { $_ } keys %$values) {
		next if ($value & $flag) != $flag;
		push @names, $values->{$flag};
		$value &= ~$flag;
	}
	return join $delim, @names;
}

# Return the name of a value; "" when it has none.
sub symbol_str
{
	my ($event_name, $field_name, $value) = @_;
	my $words = words(\%symbols, $event_name, $field_name) or return "";
	my $name = $words->{values}{key($value)};

	return defined $name ? $name : "";
}

# The bits of common_flags.
my @trace_flags = (
	[0x01, "IRQS_OFF"],
	[0x02, "IRQS_NOSUPPORT"],
	[0x04, "NEED_RESCHED"],
	[0x08, "HARDIRQ"],
	[0x10, "SOFTIRQ"],
);

# Return the flags of an event, common_flags(), as words.
sub trace_flag_str
{
	my ($value) = @_;

	return $value ? join " | ", map { $_->[1] } grep { $value & $_->[0] } @trace_flags : "NONE";
}

# Print what is known of fields of all events, or of an event, or of one of its fields.
sub dump_fields
{
	my ($table, $only_event, $only_field) = @_;

	for my $event (sort keys %$table) {
		next if defined $only_event && $event ne $only_event;
		print "event $event:\n";
		for my $field (sort keys %{$table->{$event}}) {
			my $words = $table->{$event}{$field};
			my $values = $words->{values} || {};

			next if defined $only_field && $field ne $only_field;
			print "    field: $field:\n";
			print "        delim: $words->{delim}\n" if defined $words->{delim};
			print "        value $_: $values->{$_}\n" for sort { $a <=> $b } keys %$values;
		}
	}
}

sub dump_flag_fields
{
	dump_fields(\%flags, @_);
}

sub dump_symbolic_fields
{
	dump_fields(\%symbols, @_);
}

1;
