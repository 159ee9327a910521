/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf kvm` is a front of other commands: what stands before the verb chooses the machines that
 *are looked at, and follows the verb as options of that command.
 *
 *	perf kvm --host record -a     ->  perf record --machines host,guest -o perf.data.kvm -a
 */
#ifndef PERF_KVMTEXT_FRONT_H
#define PERF_KVMTEXT_FRONT_H

#include "recording/guest.h"
#include "recordopts/verb-args.h"

/* These options stand before the verb. Strings are borrowed. */
struct kvm_front {
	bool host, guest;             /* what is looked at; at least one is */
	const char *file;             /* to read or to write; NULL: the one of these machines */
	struct guest_options symbols; /* where symbols of guests come from */
	int verbose;
};

/** kvm_front_file - return the file: the one that is given, or "perf.data.guest", "perf.data.host"
 * or "perf.data.kvm" of both. */
const char *kvm_front_file(const struct kvm_front *f);

/**
 * kvm_front_args - make the arguments of another command.
 * @command: "top", "record", "report", "diff", "buildid-list" or "stat"; borrowed, as all words are
 * @argc, @argv: of the verb
 * @notes: receives a line on options that the command has no use for
 */
void kvm_front_args(const struct kvm_front *f, struct verb_args *a, const char *command, int argc,
		    const char **argv, struct strbuf *notes);

#endif
