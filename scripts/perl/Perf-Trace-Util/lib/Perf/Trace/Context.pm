# SPDX-License-Identifier: GPL-2.0-or-later
package Perf::Trace::Context;

# The fields that all tracepoints have and that are no arguments of handlers. perf itself has the
# functions; they take the context that handlers get as an argument.

use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(common_pc common_flags common_lock_depth);
our $VERSION = '1.0';

defined &common_pc or die "Perf::Trace::Context is for scripts that perf runs: perf script -s FILE.pl\n";

1;
