/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A survey finds what has to be known of a recording before records of a guest can be put into it,
 * or taken from it, in one walk over its records that are no samples. */
#ifndef PERF_INJECT_GUEST_SURVEY_H
#define PERF_INJECT_GUEST_SURVEY_H

#include "base/hash.h"
#include "session/session.h"

/* A thread that runs a virtual processor. */
struct guest_vcpu {
	u32 vcpu, tid;
	u32 cpu; /* of the host, where the thread was last; 0 before it is known */
};

struct guest_survey {
	u32 pid; /* set by the caller: the process whose virtual processors are looked for; 0: none
		  */
	/* Results. */
	struct guest_vcpu *vcpus; /* owned; in the order in which their names appear */
	size_t nr_vcpus, cap_vcpus;
	bool ambiguous; /* two threads are named after the virtual processor @twice */
	u32 twice;
	struct map64 cpu_of;       /* id in a sample -> the CPU it counts on */
	struct rec_time_conv conv; /* mult 0: none */
};

/** guest_survey - walk over the records. It uses up the state of the session, whose records can be
 * had in order afterwards. Return: 0, or a negative errno and a sentence. */
int guest_survey(struct guest_survey *sv, struct session *s, struct err *err);
void guest_survey_release(struct guest_survey *sv);

/** vcpu_of_name - return the number in the name of a thread such as "CPU 0/KVM", or -1. */
s64 vcpu_of_name(const char *comm);
/** guest_survey_vcpu - return the thread of a virtual processor, or NULL. */
struct guest_vcpu *guest_survey_vcpu(const struct guest_survey *sv, u32 vcpu);

#endif
