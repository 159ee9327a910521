// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "convert/records.h"

#include <stddef.h>

#define SIZE(s, m) sizeof(((struct s *)0)->m)
#define NUM(s, m)                                                                                  \
	{                                                                                          \
		.name = #m, .kind = CONVERT_NUMBER, .size = SIZE(s, m),                            \
		.at = offsetof(struct s, m)                                                        \
	}
#define HEX(s, m)                                                                                  \
	{                                                                                          \
		.name = #m, .kind = CONVERT_NUMBER, .size = SIZE(s, m),                            \
		.at = offsetof(struct s, m), .hex = true                                           \
	}
#define MORE(s, m)                                                                                 \
	{                                                                                          \
		.name = #m, .kind = CONVERT_NUMBER, .size = SIZE(s, m),                            \
		.at = offsetof(struct s, m), .more = true                                          \
	}
#define MORE_HEX(s, m)                                                                             \
	{                                                                                          \
		.name = #m, .kind = CONVERT_NUMBER, .size = SIZE(s, m),                            \
		.at = offsetof(struct s, m), .more = true, .hex = true                             \
	}
#define TEXT(s, m)                                                                                 \
	{                                                                                          \
		.name = #m, .kind = CONVERT_TEXT, .at = offsetof(struct s, m)                      \
	}
#define COUNTED(s, m, k, n, w)                                                                     \
	.name = #m, .kind = (k), .at = offsetof(struct s, m), .count = offsetof(struct s, n),      \
	.count_size = SIZE(s, n), .width = (w)

static const struct convert_member comm[] = {
	NUM(rec_comm, pid),
	NUM(rec_comm, tid),
	TEXT(rec_comm, comm),
	MORE(rec_comm, exec),
};

static const struct convert_member task[] = {
	NUM(rec_task, pid),  NUM(rec_task, ppid), NUM(rec_task, tid),
	NUM(rec_task, ptid), NUM(rec_task, time),
};

static const struct convert_member map[] = {
	NUM(rec_mmap, pid),
	NUM(rec_mmap, tid),
	HEX(rec_mmap, start),
	TEXT(rec_mmap, filename),
	MORE_HEX(rec_mmap, len),
	MORE_HEX(rec_mmap, pgoff),
	MORE(rec_mmap, prot),
	MORE(rec_mmap, flags),
	MORE(rec_mmap, maj),
	MORE(rec_mmap, min),
	MORE(rec_mmap, ino),
	MORE(rec_mmap, ino_generation),
	{ .name = "build_id",
	  .kind = CONVERT_BYTES,
	  .at = offsetof(struct rec_mmap, build_id),
	  .count = offsetof(struct rec_mmap, build_id_size),
	  .count_size = 1,
	  .more = true },
};

static const struct convert_member lost[] = { NUM(rec_lost, id), NUM(rec_lost, lost) };

static const struct convert_member throttle[] = {
	NUM(rec_throttle, time),
	NUM(rec_throttle, id),
	NUM(rec_throttle, stream_id),
};

static const struct convert_member reads[] = {
	NUM(rec_read, pid),
	NUM(rec_read, tid),
	{ COUNTED(rec_read, values, CONVERT_WORDS, nr_values, 1) },
};

static const struct convert_member aux[] = {
	HEX(rec_aux, offset),
	HEX(rec_aux, size),
	HEX(rec_aux, flags),
};

static const struct convert_member itrace[] = {
	NUM(rec_itrace_start, pid),
	NUM(rec_itrace_start, tid),
};

static const struct convert_member switches[] = {
	NUM(rec_switch, out),
	NUM(rec_switch, preempt),
	NUM(rec_switch, next_prev_pid),
	NUM(rec_switch, next_prev_tid),
};

static const struct convert_member namespaces[] = {
	NUM(rec_namespaces, pid),
	NUM(rec_namespaces, tid),
	{ COUNTED(rec_namespaces, links, CONVERT_WORDS, nr, 2) },
};

static const struct convert_member ksymbol[] = {
	HEX(rec_ksymbol, addr),  NUM(rec_ksymbol, len),   NUM(rec_ksymbol, type),
	NUM(rec_ksymbol, flags), TEXT(rec_ksymbol, name),
};

static const struct convert_member bpf[] = {
	NUM(rec_bpf, type),
	NUM(rec_bpf, flags),
	NUM(rec_bpf, id),
	{ .name = "tag", .kind = CONVERT_BLOB, .at = offsetof(struct rec_bpf, tag), .width = 8 },
};

static const struct convert_member cgroup[] = { NUM(rec_cgroup, id), TEXT(rec_cgroup, path) };

static const struct convert_member text_poke[] = {
	HEX(rec_text_poke, addr),
	{ COUNTED(rec_text_poke, old_bytes, CONVERT_BLOB, old_len, 0) },
	{ COUNTED(rec_text_poke, new_bytes, CONVERT_BLOB, new_len, 0) },
};

static const struct convert_member hw_id[] = { HEX(rec_aux_hw_id, hw_id) };

static const struct convert_member deferred[] = {
	HEX(rec_deferred, cookie),
	{ COUNTED(rec_deferred, ips, CONVERT_WORDS, nr, 1), .hex = true },
};

#define ROW(t, n, m)                                                                               \
	{                                                                                          \
		PERF_RECORD_##t, "perf_" n, (m), ARRAY_SIZE(m)                                     \
	}

static const struct convert_record records[] = {
	ROW(COMM, "comm", comm),
	ROW(EXIT, "exit", task),
	ROW(FORK, "fork", task),
	ROW(MMAP, "mmap", map),
	ROW(MMAP2, "mmap2", map),
	ROW(LOST, "lost", lost),
	ROW(LOST_SAMPLES, "lost_samples", lost),
	ROW(THROTTLE, "throttle", throttle),
	ROW(UNTHROTTLE, "unthrottle", throttle),
	ROW(READ, "read", reads),
	ROW(AUX, "aux", aux),
	ROW(ITRACE_START, "itrace_start", itrace),
	ROW(SWITCH, "switch", switches),
	ROW(SWITCH_CPU_WIDE, "switch_cpu_wide", switches),
	ROW(NAMESPACES, "namespaces", namespaces),
	ROW(KSYMBOL, "ksymbol", ksymbol),
	ROW(BPF_EVENT, "bpf_event", bpf),
	ROW(CGROUP, "cgroup", cgroup),
	ROW(TEXT_POKE, "text_poke", text_poke),
	ROW(AUX_OUTPUT_HW_ID, "aux_output_hw_id", hw_id),
	ROW(CALLCHAIN_DEFERRED_, "callchain_deferred", deferred),
};

const struct convert_record *convert_records(size_t *nr)
{
	*nr = ARRAY_SIZE(records);
	return records;
}

const struct convert_record *convert_record(u32 type)
{
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		if (records[i].type == type)
			return &records[i];
	return NULL;
}

static u64 load(const void *p, u8 size)
{
	u64 v64;
	u32 v32;
	u16 v16;

	switch (size) {
	case 1:
		return *(const u8 *)p;
	case 2:
		memcpy(&v16, p, sizeof(v16));
		return v16;
	case 4:
		memcpy(&v32, p, sizeof(v32));
		return v32;
	default:
		memcpy(&v64, p, sizeof(v64));
		return v64;
	}
}

u64 convert_member_value(const struct convert_member *m, const union rec_any *rec)
{
	return load((const u8 *)rec + m->at, m->size);
}

u64 convert_member_count(const struct convert_member *m, const union rec_any *rec)
{
	u64 n;

	if (!m->count_size)
		return m->width;
	n = load((const u8 *)rec + m->count, m->count_size);
	return m->kind == CONVERT_WORDS ? n * m->width : n;
}

const void *convert_member_data(const struct convert_member *m, const union rec_any *rec)
{
	const void *p;

	if (m->kind == CONVERT_BYTES)
		return (const u8 *)rec + m->at;
	memcpy(&p, (const u8 *)rec + m->at, sizeof(p));
	return p;
}
