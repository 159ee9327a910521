/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These options describe virtual machines whose samples are in a recording. */
#ifndef PERF_RECORDING_GUEST_H
#define PERF_RECORDING_GUEST_H

#include "machine/machine.h"
#include "session/session.h"
#include "symbol/symbol.h"

struct guest_options {
	const char *mount, *kallsyms, *modules, *vmlinux; /* borrowed; NULL */
	bool code;
};

/** guest_symbols - set where symbols of guests are. What @conf then borrows is that of @g. */
void guest_symbols(const struct guest_options *g, struct symconf *conf);
/**
 * guest_start - map the kernels and modules of guests where their files say that they are, before
 * any record is read. A recorder that knows nothing of guests has no records of these.
 * Return: 0, or negative and a sentence when the modules cannot be read.
 */
int guest_start(const struct guest_options *g, struct machine *m, struct err *err);

/* The model of a guest whose records are in the recording of the host. */
struct guest_state {
	u32 pid;                 /* of the process that runs the guest */
	struct machine *machine; /* owned */
};

struct guest_states {
	struct guest_state *v; /* owned */
	size_t nr, cap;
};

/**
 * guest_states_apply - apply a state record of a guest to its model, and to that of the host where
 * the kernel of the guest is. Return: as machine_apply().
 */
int guest_states_apply(struct guest_states *g, struct machine *host,
		       const struct session_event *ev);
/**
 * guest_object_name - return the name that an object of a guest has in the model of the host, where
 * the kernels of guests are told apart by their processes: "[guest.kernel.kallsyms.PID]". The
 * caller frees it.
 */
char *guest_object_name(const char *name, u16 misc, s32 pid);
/** guest_states_seal - declare all models complete. */
void guest_states_seal(struct guest_states *g);
/** guest_states_release - free all models. */
void guest_states_release(struct guest_states *g);

#endif
