/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of perf that an engine calls. An engine is a shared object of its own and is not
 * linked with the rooms, so it gets them in this table; each one is described where its room
 * declares it.
 */
#ifndef PERF_SCRIPT_HOST_H
#define PERF_SCRIPT_HOST_H

#include "arch/syscalls.h"
#include "script/engine.h"
#include "session/itrace.h"

struct script_host {
	/* fields of tracepoints: tracefmt/tracefmt.h */
	__typeof__(&tf_find_field) find_field;
	__typeof__(&tf_field_int) field_int;
	__typeof__(&tf_field_data) field_data;
	__typeof__(&tf_walk_words) walk_words;
	__typeof__(&evsel_format) format;
	/* the sample at hand: script/view.h */
	__typeof__(&view_place) place;
	__typeof__(&view_binding) binding;
	__typeof__(&view_addr_is_place) addr_is_place;
	__typeof__(&view_build_id) build_id;
	__typeof__(&view_frames) frames;
	__typeof__(&view_insn) insn;
	__typeof__(&view_srcline) srcline;
	__typeof__(&view_source) source;
	__typeof__(&view_text) text;
	/* threads and names: machine/machine.h, session/guest-ids.h */
	__typeof__(&machine_thread_at) thread_at;
	__typeof__(&machine_comm) comm;
	__typeof__(&machine_cgroup) cgroup;
	__typeof__(&guest_ids_find) guest;
	/* records and counts: wire/records.h */
	__typeof__(&rec_decode) decode;
	__typeof__(&wire_read_init) read_init;
	__typeof__(&wire_read_value) read_value;
	/* words of users: session/itrace.h, arch/syscalls.h */
	__typeof__(&itrace_is_valid) itrace_is_valid;
	__typeof__(&syscall_name) syscall_name;
};

/** script_host - return the table. */
const struct script_host *script_host(void);

#endif
