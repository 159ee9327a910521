// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rows of every record type. Source of the layouts: linux/perf_event.h for records of the
 * kernel, Documentation/format/perf.data.md for user records.
 */
#include "base/compat.h"
#include "wire/fields.h"

#define WIDTH(s, m) sizeof(((struct s *)0)->m)
#define NUM(s, m)                                                                                  \
	{                                                                                          \
		.kind = W_NUM, .width = WIDTH(s, m), .at = offsetof(struct s, m)                   \
	}
#define PAD(n)                                                                                     \
	{                                                                                          \
		.kind = W_PAD, .width = (n)                                                        \
	}
#define BYTES(s, m)                                                                                \
	{                                                                                          \
		.kind = W_BYTES, .width = WIDTH(s, m), .at = offsetof(struct s, m)                 \
	}
#define TEXT(s, m, n)                                                                              \
	{                                                                                          \
		.kind = W_TEXT, .width = (n), .at = offsetof(struct s, m)                          \
	}
#define STR(s, m)                                                                                  \
	{                                                                                          \
		.kind = W_STR, .at = offsetof(struct s, m)                                         \
	}
#define COUNTED(k, s, m, n, e)                                                                     \
	{                                                                                          \
		.kind = (k), .at = offsetof(struct s, m), .count = offsetof(struct s, n),          \
		.count_width = WIDTH(s, n), .elem = (e)                                            \
	}
#define ARRAY(s, m, n, e) COUNTED(W_ARRAY, s, m, n, e)
#define REST(s, m, n, e) COUNTED(W_REST, s, m, n, e)
#define PICK(f)                                                                                    \
	{                                                                                          \
		.kind = W_PICK, .pick = (f)                                                        \
	}
#define END                                                                                        \
	{                                                                                          \
		.kind = W_END                                                                      \
	}
#define ROW(name) static const struct wire_field name[]

ROW(end_row) = { END };

/* ---- of the kernel ---- */

ROW(mmap_row) = {
	NUM(rec_mmap, pid),
	NUM(rec_mmap, tid),
	NUM(rec_mmap, start),
	NUM(rec_mmap, len),
	NUM(rec_mmap, pgoff),
	STR(rec_mmap, filename),
	END,
};

#define MMAP2_TAIL NUM(rec_mmap, prot), NUM(rec_mmap, flags), STR(rec_mmap, filename), END
ROW(mmap2_inode_row) = {
	NUM(rec_mmap, maj), NUM(rec_mmap, min), NUM(rec_mmap, ino), NUM(rec_mmap, ino_generation),
	MMAP2_TAIL,
};
ROW(mmap2_build_id_row) = {
	NUM(rec_mmap, build_id_size),
	PAD(3),
	BYTES(rec_mmap, build_id),
	MMAP2_TAIL,
};

/*
 * While another recorder requests build-ids, kernels set the bit in the records of all recorders,
 * although these contain the inode. A build-id has 1 to 20 bytes, with zeros before and after it.
 */
static const struct wire_field *pick_mmap2(const struct wire_choice *c)
{
	const u8 *p = c->next;

	if (!(c->misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		return mmap2_inode_row;
	if (c->encoding || c->left < 24)
		return mmap2_build_id_row;
	if (!p[0] || p[0] > 20 || p[1] || p[2] || p[3])
		return mmap2_inode_row;
	for (int i = 4 + p[0]; i < 24; i++)
		if (p[i])
			return mmap2_inode_row;
	return mmap2_build_id_row;
}

ROW(mmap2_row) = {
	NUM(rec_mmap, pid), NUM(rec_mmap, tid),   NUM(rec_mmap, start),
	NUM(rec_mmap, len), NUM(rec_mmap, pgoff), PICK(pick_mmap2),
};
ROW(comm_row) = { NUM(rec_comm, pid), NUM(rec_comm, tid), STR(rec_comm, comm), END };
ROW(task_row) = {
	NUM(rec_task, pid),  NUM(rec_task, ppid), NUM(rec_task, tid),
	NUM(rec_task, ptid), NUM(rec_task, time), END,
};
ROW(throttle_row) = {
	NUM(rec_throttle, time),
	NUM(rec_throttle, id),
	NUM(rec_throttle, stream_id),
	END,
};
ROW(read_row) = {
	NUM(rec_read, pid),
	NUM(rec_read, tid),
	REST(rec_read, values, nr_values, "8"),
	END,
};
ROW(namespaces_row) = {
	NUM(rec_namespaces, pid),
	NUM(rec_namespaces, tid),
	NUM(rec_namespaces, nr),
	ARRAY(rec_namespaces, links, nr, "88"),
	END,
};
ROW(ksymbol_row) = {
	NUM(rec_ksymbol, addr),  NUM(rec_ksymbol, len),  NUM(rec_ksymbol, type),
	NUM(rec_ksymbol, flags), STR(rec_ksymbol, name), END,
};

/* The length of the tag is not in the struct: a pointer refers to eight bytes. */
ROW(bpf_row) = {
	NUM(rec_bpf, type),
	NUM(rec_bpf, flags),
	NUM(rec_bpf, id),
	{ .kind = W_ARRAY, .at = offsetof(struct rec_bpf, tag), .count = 8, .elem = "1" },
	END,
};
ROW(cgroup_row) = { NUM(rec_cgroup, id), STR(rec_cgroup, path), END };
ROW(lost_row) = { NUM(rec_lost, id), NUM(rec_lost, lost), END };
ROW(lost_samples_row) = { NUM(rec_lost, lost), END };
ROW(switch_row) = { NUM(rec_switch, next_prev_pid), NUM(rec_switch, next_prev_tid), END };
ROW(aux_row) = { NUM(rec_aux, offset), NUM(rec_aux, size), NUM(rec_aux, flags), END };
ROW(itrace_row) = { NUM(rec_itrace_start, pid), NUM(rec_itrace_start, tid), END };
ROW(text_poke_row) = {
	NUM(rec_text_poke, addr),
	NUM(rec_text_poke, old_len),
	NUM(rec_text_poke, new_len),
	ARRAY(rec_text_poke, old_bytes, old_len, "1"),
	ARRAY(rec_text_poke, new_bytes, new_len, "1"),
	END,
};
ROW(hw_id_row) = { NUM(rec_aux_hw_id, hw_id), END };
ROW(deferred_row) = {
	NUM(rec_deferred, cookie),
	NUM(rec_deferred, nr),
	ARRAY(rec_deferred, ips, nr, "8"),
	END,
};

/* ---- of recorders ---- */

ROW(attr_row) = {
	{ .kind = W_ATTR },
	REST(rec_attr, ids, nr_ids, "8"),
	END,
};
ROW(event_type_row) = { NUM(rec_event_type, id), TEXT(rec_event_type, name, 64), END };
ROW(tracing_data_row) = { NUM(rec_tracing_data, size), END };
ROW(build_id_row) = {
	NUM(rec_build_id, pid),           BYTES(rec_build_id, build_id),
	NUM(rec_build_id, build_id_size), PAD(3),
	STR(rec_build_id, filename),      END,
};

ROW(id_index_guests_row) = { ARRAY(rec_id_index, guests, nr, "88"), END };

static const struct wire_field *pick_guests(const struct wire_choice *c)
{
	const struct rec_id_index *x = c->vals;
	bool there = c->encoding ? x->guests != NULL : x->nr && c->left >= x->nr * 16;

	return there ? id_index_guests_row : end_row;
}

ROW(id_index_row) = {
	NUM(rec_id_index, nr),
	ARRAY(rec_id_index, entries, nr, "8888"),
	PICK(pick_guests),
};
ROW(auxtrace_info_row) = {
	NUM(rec_auxtrace_info, type),
	PAD(4),
	REST(rec_auxtrace_info, priv, nr_priv, "8"),
	END,
};
ROW(auxtrace_row) = {
	NUM(rec_auxtrace, size),
	NUM(rec_auxtrace, offset),
	NUM(rec_auxtrace, reference),
	NUM(rec_auxtrace, idx),
	NUM(rec_auxtrace, tid),
	NUM(rec_auxtrace, cpu),
	PAD(4),
	END,
};

ROW(error_plain_row) = { STR(rec_auxtrace_error, msg), END };
ROW(error_time_row) = { NUM(rec_auxtrace_error, time), STR(rec_auxtrace_error, msg), END };
ROW(error_guest_row) = {
	NUM(rec_auxtrace_error, time),
	TEXT(rec_auxtrace_error, msg, 64),
	NUM(rec_auxtrace_error, machine_pid),
	NUM(rec_auxtrace_error, vcpu),
	END,
};

static const struct wire_field *pick_error(const struct wire_choice *c)
{
	const struct rec_auxtrace_error *e = c->vals;

	if (e->fmt == 0)
		return error_plain_row;
	return e->fmt == 1 ? error_time_row : error_guest_row;
}

ROW(auxtrace_error_row) = {
	NUM(rec_auxtrace_error, type), NUM(rec_auxtrace_error, code),
	NUM(rec_auxtrace_error, cpu),  NUM(rec_auxtrace_error, pid),
	NUM(rec_auxtrace_error, tid),  NUM(rec_auxtrace_error, fmt),
	NUM(rec_auxtrace_error, ip),   PICK(pick_error),
};
ROW(thread_map_row) = {
	NUM(rec_thread_map, nr),
	ARRAY(rec_thread_map, entries, nr, "8c"),
	END,
};

ROW(cpus_row) = { NUM(rec_cpu_map, nr), ARRAY(rec_cpu_map, words, nr, "2"), END };
ROW(mask32_row) = { ARRAY(rec_cpu_map, words, nr, "4"), END };
ROW(mask64_row) = { PAD(4), ARRAY(rec_cpu_map, words, nr, "8"), END };

static const struct wire_field *pick_mask(const struct wire_choice *c)
{
	const struct rec_cpu_map *m = c->vals;

	if (m->width == 4)
		return mask32_row;
	return m->width == 8 ? mask64_row : NULL;
}

ROW(mask_row) = { NUM(rec_cpu_map, nr), NUM(rec_cpu_map, width), PICK(pick_mask) };
ROW(range_row) = {
	NUM(rec_cpu_map, any), PAD(1), NUM(rec_cpu_map, first), NUM(rec_cpu_map, last), END,
};

static const struct wire_field *pick_cpu_map(const struct wire_choice *c)
{
	switch (((const struct rec_cpu_map *)c->vals)->kind) {
	case CPU_MAP_CPUS:
		return cpus_row;
	case CPU_MAP_MASK:
		return mask_row;
	case CPU_MAP_RANGE:
		return range_row;
	default:
		return NULL;
	}
}

ROW(cpu_map_row) = { NUM(rec_cpu_map, kind), PICK(pick_cpu_map) };
ROW(stat_config_row) = {
	NUM(rec_stat_config, nr),
	ARRAY(rec_stat_config, terms, nr, "88"),
	END,
};
ROW(stat_row) = {
	NUM(rec_stat, id),
	NUM(rec_stat, cpu),
	NUM(rec_stat, thread),
	NUM(rec_stat, value),
	NUM(rec_stat, enabled),
	NUM(rec_stat, running),
	END,
};
ROW(stat_round_row) = { NUM(rec_stat_round, type), NUM(rec_stat_round, time), END };

ROW(update_text_row) = { STR(rec_event_update, text), END };
ROW(update_scale_row) = { NUM(rec_event_update, scale), END };
ROW(update_cpus_row) = {
	{ .kind = W_SUB, .at = offsetof(struct rec_event_update, cpus), .sub = cpu_map_row },
	END,
};

static const struct wire_field *pick_update(const struct wire_choice *c)
{
	switch (((const struct rec_event_update *)c->vals)->kind) {
	case EVENT_UPDATE_UNIT:
	case EVENT_UPDATE_NAME:
		return update_text_row;
	case EVENT_UPDATE_SCALE:
		return update_scale_row;
	case EVENT_UPDATE_CPUS:
		return update_cpus_row;
	default:
		return NULL;
	}
}

ROW(event_update_row) = {
	NUM(rec_event_update, kind),
	NUM(rec_event_update, id),
	PICK(pick_update),
};

ROW(time_cycles_row) = {
	NUM(rec_time_conv, cycles),
	NUM(rec_time_conv, mask),
	NUM(rec_time_conv, cap_zero),
	NUM(rec_time_conv, cap_short),
	PAD(6),
	END,
};

static const struct wire_field *pick_time(const struct wire_choice *c)
{
	const struct rec_time_conv *t = c->vals;

	return (c->encoding ? t->has_cycles : c->left >= 24) ? time_cycles_row : end_row;
}

ROW(time_conv_row) = {
	NUM(rec_time_conv, shift),
	NUM(rec_time_conv, mult),
	NUM(rec_time_conv, zero),
	PICK(pick_time),
};
ROW(feature_row) = { NUM(rec_feature, bit), REST(rec_feature, data, size, "1"), END };
ROW(compressed_row) = { REST(rec_compressed, data, size, "1"), END };
ROW(compressed2_row) = {
	NUM(rec_compressed, size),
	ARRAY(rec_compressed, data, size, "1"),
	END,
};
ROW(bpf_metadata_row) = {
	{ .kind = W_NAME,
	  .at = offsetof(struct rec_bpf_metadata, name),
	  .count = offsetof(struct rec_bpf_metadata, name_size),
	  .count_width = 8 },
	NUM(rec_bpf_metadata, nr),
	ARRAY(rec_bpf_metadata, entries, nr, "cccccccccccccccccccc"),
	END,
};

ROW(schedstat_cpu_counts) = {
	NUM(rec_schedstat_cpu, yld_count),   NUM(rec_schedstat_cpu, array_exp),
	NUM(rec_schedstat_cpu, sched_count), NUM(rec_schedstat_cpu, sched_goidle),
	NUM(rec_schedstat_cpu, ttwu_count),  NUM(rec_schedstat_cpu, ttwu_local),
	NUM(rec_schedstat_cpu, rq_cpu_time), NUM(rec_schedstat_cpu, run_delay),
	NUM(rec_schedstat_cpu, pcount),      END,
};
ROW(schedstat_cpu_unknown) = { REST(rec_schedstat_cpu, data, size, "1"), END };

static const struct wire_field *pick_schedstat(const struct wire_choice *c)
{
	const struct rec_schedstat_cpu *s = c->vals;

	return schedstat_known(s->version) ? schedstat_cpu_counts : schedstat_cpu_unknown;
}

ROW(schedstat_cpu_row) = {
	NUM(rec_schedstat_cpu, time),
	NUM(rec_schedstat_cpu, cpu),
	NUM(rec_schedstat_cpu, version),
	PAD(2),
	PICK(pick_schedstat),
};
ROW(schedstat_domain_row) = {
	NUM(rec_schedstat_domain, time),
	NUM(rec_schedstat_domain, cpu),
	NUM(rec_schedstat_domain, version),
	NUM(rec_schedstat_domain, domain),
	REST(rec_schedstat_domain, counts, nr, "4"),
	END,
};

const struct wire_body *wire_body(u32 type)
{
	static const struct wire_body rows[] = {
		[PERF_RECORD_MMAP] = { mmap_row, sizeof(struct rec_mmap) },
		[PERF_RECORD_LOST] = { lost_row, sizeof(struct rec_lost) },
		[PERF_RECORD_COMM] = { comm_row, sizeof(struct rec_comm) },
		[PERF_RECORD_EXIT] = { task_row, sizeof(struct rec_task) },
		[PERF_RECORD_THROTTLE] = { throttle_row, sizeof(struct rec_throttle) },
		[PERF_RECORD_UNTHROTTLE] = { throttle_row, sizeof(struct rec_throttle) },
		[PERF_RECORD_FORK] = { task_row, sizeof(struct rec_task) },
		[PERF_RECORD_READ] = { read_row, sizeof(struct rec_read) },
		[PERF_RECORD_MMAP2] = { mmap2_row, sizeof(struct rec_mmap) },
		[PERF_RECORD_AUX] = { aux_row, sizeof(struct rec_aux) },
		[PERF_RECORD_ITRACE_START] = { itrace_row, sizeof(struct rec_itrace_start) },
		[PERF_RECORD_LOST_SAMPLES] = { lost_samples_row, sizeof(struct rec_lost) },
		[PERF_RECORD_SWITCH] = { end_row, sizeof(struct rec_switch) },
		[PERF_RECORD_SWITCH_CPU_WIDE] = { switch_row, sizeof(struct rec_switch) },
		[PERF_RECORD_NAMESPACES] = { namespaces_row, sizeof(struct rec_namespaces) },
		[PERF_RECORD_KSYMBOL] = { ksymbol_row, sizeof(struct rec_ksymbol) },
		[PERF_RECORD_BPF_EVENT] = { bpf_row, sizeof(struct rec_bpf) },
		[PERF_RECORD_CGROUP] = { cgroup_row, sizeof(struct rec_cgroup) },
		[PERF_RECORD_TEXT_POKE] = { text_poke_row, sizeof(struct rec_text_poke) },
		[PERF_RECORD_AUX_OUTPUT_HW_ID] = { hw_id_row, sizeof(struct rec_aux_hw_id) },
		[PERF_RECORD_CALLCHAIN_DEFERRED_] = { deferred_row, sizeof(struct rec_deferred) },
		[PERF_RECORD_HEADER_ATTR] = { attr_row, sizeof(struct rec_attr) },
		[PERF_RECORD_HEADER_EVENT_TYPE] = { event_type_row, sizeof(struct rec_event_type) },
		[PERF_RECORD_HEADER_TRACING_DATA] = { tracing_data_row,
						      sizeof(struct rec_tracing_data) },
		[PERF_RECORD_HEADER_BUILD_ID] = { build_id_row, sizeof(struct rec_build_id) },
		[PERF_RECORD_ID_INDEX] = { id_index_row, sizeof(struct rec_id_index) },
		[PERF_RECORD_AUXTRACE_INFO] = { auxtrace_info_row,
						sizeof(struct rec_auxtrace_info) },
		[PERF_RECORD_AUXTRACE] = { auxtrace_row, sizeof(struct rec_auxtrace) },
		[PERF_RECORD_AUXTRACE_ERROR] = { auxtrace_error_row,
						 sizeof(struct rec_auxtrace_error) },
		[PERF_RECORD_THREAD_MAP] = { thread_map_row, sizeof(struct rec_thread_map) },
		[PERF_RECORD_CPU_MAP] = { cpu_map_row, sizeof(struct rec_cpu_map) },
		[PERF_RECORD_STAT_CONFIG] = { stat_config_row, sizeof(struct rec_stat_config) },
		[PERF_RECORD_STAT] = { stat_row, sizeof(struct rec_stat) },
		[PERF_RECORD_STAT_ROUND] = { stat_round_row, sizeof(struct rec_stat_round) },
		[PERF_RECORD_EVENT_UPDATE] = { event_update_row, sizeof(struct rec_event_update) },
		[PERF_RECORD_TIME_CONV] = { time_conv_row, sizeof(struct rec_time_conv) },
		[PERF_RECORD_HEADER_FEATURE] = { feature_row, sizeof(struct rec_feature) },
		[PERF_RECORD_COMPRESSED] = { compressed_row, sizeof(struct rec_compressed) },
		[PERF_RECORD_COMPRESSED2] = { compressed2_row, sizeof(struct rec_compressed) },
		[PERF_RECORD_BPF_METADATA] = { bpf_metadata_row, sizeof(struct rec_bpf_metadata) },
		[PERF_RECORD_SCHEDSTAT_CPU] = { schedstat_cpu_row,
						sizeof(struct rec_schedstat_cpu) },
		[PERF_RECORD_SCHEDSTAT_DOMAIN] = { schedstat_domain_row,
						   sizeof(struct rec_schedstat_domain) },
	};

	return type < ARRAY_SIZE(rows) && rows[type].row ? &rows[type] : NULL;
}

size_t wire_elem_size(const char *elem)
{
	size_t size = 0;

	for (; *elem; elem++)
		size += *elem == 'c' ? 16 : (size_t)(*elem - '0');
	return size;
}

u64 wire_count(const struct wire_field *f, const void *vals)
{
	const u8 *at = (const u8 *)vals + f->count;
	u64 nr = 0;

	switch (f->count_width) {
	case 0:
		return f->count;
	case 2:
		return *(const u16 *)at;
	default:
		memcpy(&nr, at, sizeof(nr));
		return nr;
	}
}
