// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "script/host.h"

static const struct script_host functions = {
	.find_field = tf_find_field,
	.field_int = tf_field_int,
	.field_data = tf_field_data,
	.walk_words = tf_walk_words,
	.format = evsel_format,
	.place = view_place,
	.binding = view_binding,
	.addr_is_place = view_addr_is_place,
	.build_id = view_build_id,
	.frames = view_frames,
	.insn = view_insn,
	.srcline = view_srcline,
	.source = view_source,
	.text = view_text,
	.thread_at = machine_thread_at,
	.comm = machine_comm,
	.cgroup = machine_cgroup,
	.guest = guest_ids_find,
	.decode = rec_decode,
	.read_init = wire_read_init,
	.read_value = wire_read_value,
	.itrace_is_valid = itrace_is_valid,
	.syscall_name = syscall_name,
};

const struct script_host *script_host(void)
{
	return &functions;
}
