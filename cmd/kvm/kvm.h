/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These verbs of perf kvm stat are too long for its builtin. */
#ifndef PERF_CMD_KVM_KVM_H
#define PERF_CMD_KVM_KVM_H

#include "cli/options.h"
#include "cmd/common/source.h"
#include "kvmtext/front.h"
#include "kvmtext/kvmtext.h"

/* These are the values of options before the verb, and of those behind the verbs of stat. */
struct kvm_command {
	struct kvm_front front;
	struct recording_options source;
	struct kvm_show show;
	const char *what, *key; /* as given; parsed when all options are known */
	bool plain;             /* neither a pager nor a screen that is drawn anew */
};

/* @c: a struct kvm_command */
#define KVM_TABLE_OPTIONS(c)                                                                       \
	OPT_STRING(0, "event", &(c)->what, "report event",                                         \
		   "event for reporting: vmexit, mmio, ioport, msr (x86 only), hcall (powerpc "    \
		   "only)"),                                                                       \
		OPT_STRING(0, "vcpu", &(c)->show.vcpu, "n", "vcpu id to report"),                  \
		OPT_STRING('k', "key", &(c)->key, "sort-key",                                      \
			   "key for sorting: sample(sort by samples number) time (sort by avg "    \
			   "time)"),                                                               \
		OPT_INCR('v', "verbose", &(c)->front.verbose,                                      \
			 "be more verbose (show what could not be counted)")

/** kvm_settle - combine the values of options; ends the process when one is wrong. */
void kvm_settle(struct kvm_command *c, const char *const usage[], const struct option *options);
/** kvm_report - show a table of a recording, as kvm_live() does. */
int kvm_report(struct kvm_command *c, int argc, const char **argv);
/** kvm_live - show tables while guests run. @argc, @argv: from the name of the verb on. Return: the
 * exit status. */
int kvm_live(struct kvm_command *c, int argc, const char **argv);

#endif
