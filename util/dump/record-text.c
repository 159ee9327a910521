// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "dump/record-internal.h"

#include "events/evlist.h"
#include "resolve/resolve.h"

#include <sys/mman.h>

/* ------------------------------------------------------------------ mappings */

static int put_mmap(const void *rec, size_t size, const struct record_about *about,
		    struct strbuf *out)
{
	struct rec_mmap m;

	(void)about;
	if (rec_mmap_decode(rec, size, &m))
		return -EINVAL;
	strbuf_addf(out, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 "]: %c ", (s32)m.pid,
		    (s32)m.tid, m.start, m.len, m.pgoff, m.prot & PROT_EXEC ? 'x' : 'r');
	strbuf_addname(out, m.filename);
	strbuf_addch(out, '\n');
	return 0;
}

static int put_mmap2(const void *rec, size_t size, const struct record_about *about,
		     struct strbuf *out)
{
	struct rec_mmap m;

	(void)about;
	if (rec_mmap_decode(rec, size, &m))
		return -EINVAL;
	strbuf_addf(out, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 " ", (s32)m.pid,
		    (s32)m.tid, m.start, m.len, m.pgoff);
	if (m.build_id_size) {
		strbuf_addch(out, '<');
		for (u8 i = 0; i < m.build_id_size; i++)
			strbuf_hex(out, m.build_id[i], 2, 0);
		strbuf_addch(out, '>');
	} else {
		strbuf_addf(out, "%02x:%02x %" PRIu64 " %" PRIu64, m.maj, m.min, m.ino,
			    m.ino_generation);
	}
	strbuf_addf(out, "]: %c%c%c%c ", m.prot & PROT_READ ? 'r' : '-',
		    m.prot & PROT_WRITE ? 'w' : '-', m.prot & PROT_EXEC ? 'x' : '-',
		    m.flags & MAP_SHARED ? 's' : 'p');
	strbuf_addname(out, m.filename);
	strbuf_addch(out, '\n');
	return 0;
}

/* ------------------------------------------------------------------ tasks */

static int put_comm(const void *rec, size_t size, const struct record_about *about,
		    struct strbuf *out)
{
	struct rec_comm c;

	(void)about;
	if (rec_comm_decode(rec, size, &c))
		return -EINVAL;
	strbuf_addstr(out, c.exec ? " exec: " : ": ");
	strbuf_addname(out, c.comm);
	strbuf_addf(out, ":%d/%d\n", (s32)c.pid, (s32)c.tid);
	return 0;
}

static int put_task(const void *rec, size_t size, const struct record_about *about,
		    struct strbuf *out)
{
	struct rec_task t;

	(void)about;
	if (rec_task_decode(rec, size, &t))
		return -EINVAL;
	strbuf_addf(out, "(%d:%d):(%d:%d)\n", (s32)t.pid, (s32)t.tid, (s32)t.ppid, (s32)t.ptid);
	return 0;
}

static int put_namespaces(const void *rec, size_t size, const struct record_about *about,
			  struct strbuf *out)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	struct rec_namespaces n;

	(void)about;
	if (rec_namespaces_decode(rec, size, &n))
		return -EINVAL;
	strbuf_addf(out, " %d/%d - nr_namespaces: %" PRIu64 "\n\t\t[", (s32)n.pid, (s32)n.tid,
		    n.nr);
	for (u64 i = 0; i < n.nr; i++) {
		strbuf_addf(out, "%s%" PRIu64 "/%s: %" PRIu64 "/%#" PRIx64 "%s",
			    i && !(i % 4) ? "\n\t\t " : "", i,
			    i < ARRAY_SIZE(names) ? names[i] : "UNKNOWN", (u64)n.links[2 * i],
			    (u64)n.links[2 * i + 1], i + 1 == n.nr ? "]\n" : ", ");
	}
	return 0;
}

static int put_switch(const void *rec, size_t size, const struct record_about *about,
		      struct strbuf *out)
{
	struct rec_switch s;

	(void)about;
	if (rec_switch_decode(rec, size, &s))
		return -EINVAL;
	strbuf_addstr(out, !s.out ? " IN         " : s.preempt ? " OUT preempt" : " OUT        ");
	if (s.cpu_wide)
		strbuf_addf(out, "  %s pid/tid: %5d/%-5d", s.out ? "next" : "prev",
			    (s32)s.next_prev_pid, (s32)s.next_prev_tid);
	strbuf_addch(out, '\n');
	return 0;
}

static int put_cgroup(const void *rec, size_t size, const struct record_about *about,
		      struct strbuf *out)
{
	struct rec_cgroup c;

	(void)about;
	if (rec_cgroup_decode(rec, size, &c))
		return -EINVAL;
	strbuf_addf(out, " cgroup: %" PRIu64 " ", c.id);
	strbuf_addname(out, c.path);
	strbuf_addch(out, '\n');
	return 0;
}

/* ------------------------------------------------------------------ kernel text */

static int put_ksymbol(const void *rec, size_t size, const struct record_about *about,
		       struct strbuf *out)
{
	struct rec_ksymbol k;

	(void)about;
	if (rec_ksymbol_decode(rec, size, &k))
		return -EINVAL;
	strbuf_addf(out, " addr %" PRIx64 " len %u type %u flags 0x%x name ", k.addr, k.len, k.type,
		    k.flags);
	strbuf_addname(out, k.name);
	strbuf_addch(out, '\n');
	return 0;
}

static int put_bpf(const void *rec, size_t size, const struct record_about *about,
		   struct strbuf *out)
{
	struct rec_bpf b;

	(void)about;
	if (rec_bpf_decode(rec, size, &b))
		return -EINVAL;
	strbuf_addf(out, " type %u, flags %u, id %u\n", b.type, b.flags, b.id);
	return 0;
}

static void put_text_bytes(const char *what, const u8 *bytes, size_t nr, struct strbuf *out)
{
	for (size_t i = 0; i < nr; i++) {
		if (!(i % 16))
			strbuf_addf(out, "            %s bytes:", what);
		strbuf_addch(out, ' ');
		strbuf_hex(out, bytes[i], 2, 0);
		if (i % 16 == 15 || i + 1 == nr)
			strbuf_addch(out, '\n');
	}
}

static int put_text_poke(const void *rec, size_t size, const struct record_about *about,
			 struct strbuf *out)
{
	struct rec_text_poke t;

	if (rec_text_poke_decode(rec, size, &t))
		return -EINVAL;
	strbuf_addf(out, " %" PRIx64 " ", t.addr);
	if (about->symbol) {
		strbuf_addname(out, about->symbol);
		strbuf_addf(out, "+0x%" PRIx64, about->symoff);
	}
	strbuf_addf(out, " old len %u new len %u\n", t.old_len, t.new_len);
	put_text_bytes("Old", t.old_bytes, t.old_len, out);
	put_text_bytes("New", t.new_bytes, t.new_len, out);
	return 0;
}

/* ------------------------------------------------------------------ counts */

static int put_read(const void *rec, size_t size, const struct record_about *about,
		    struct strbuf *out)
{
	u64 format = about->evsel ? about->evsel->attr.read_format : 0, value, id, lost;
	struct wire_read w;
	struct rec_read r;

	if (rec_read_decode(about->evsel ? &about->evsel->layout : NULL, rec, size, &r) ||
	    wire_read_init(&w, format, r.values, r.nr_values * 8))
		return -EINVAL;
	for (u64 i = 0; i < w.nr; i++) {
		value = wire_read_value(&w, i, &id, &lost);
		if (!i) {
			strbuf_addf(out, ": %d %d ", (s32)r.pid, (s32)r.tid);
			strbuf_addname(out, about->evsel ? about->evsel->name : "unknown");
			strbuf_addf(out, " %" PRIu64 "\n", value);
			if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
				strbuf_addf(out, "... time enabled : %" PRIu64 "\n", w.enabled);
			if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
				strbuf_addf(out, "... time running : %" PRIu64 "\n", w.running);
		} else {
			strbuf_addf(out, "... value        : %" PRIu64 "\n", value);
		}
		if (format & PERF_FORMAT_ID)
			strbuf_addf(out, "... id           : %" PRIu64 "\n", id);
		if (format & PERF_FORMAT_LOST)
			strbuf_addf(out, "... lost         : %" PRIu64 "\n", lost);
	}
	if (about->style == RECORD_SCRIPT)
		strbuf_addstr(out, ": unhandled!\n");
	return 0;
}

static int put_deferred(const void *rec, size_t size, const struct record_about *about,
			struct strbuf *out)
{
	struct rec_deferred d;

	(void)about;
	if (rec_deferred_decode(rec, size, &d))
		return -EINVAL;
	strbuf_addf(out, " cookie: %#" PRIx64 "\n... FP chain: nr:%" PRIu64 "\n", d.cookie, d.nr);
	for (u64 i = 0; i < d.nr; i++)
		strbuf_addf(out, "..... %2" PRIu64 ": %016" PRIx64 "\n", i, (u64)d.ips[i]);
	return 0;
}

/* ------------------------------------------------------------------ losses */

static int put_lost(const void *rec, size_t size, const struct record_about *about,
		    struct strbuf *out)
{
	struct rec_lost l;

	if (rec_lost_decode(rec, size, &l))
		return -EINVAL;
	if (about->style == RECORD_LINE)
		strbuf_addf(out, " lost %" PRIu64 "\n", l.lost);
	else
		strbuf_addf(out, ": id:%" PRIu64 ": lost:%" PRIu64 "\n", l.id, l.lost);
	return 0;
}

static int put_lost_samples(const void *rec, size_t size, const struct record_about *about,
			    struct strbuf *out)
{
	struct rec_lost l;

	if (rec_lost_decode(rec, size, &l))
		return -EINVAL;
	strbuf_addf(out, ": id:%" PRIu64 ": lost samples :%" PRIu64 "\n",
		    about->id ? about->id->id : 0, l.lost);
	return 0;
}

/* ------------------------------------------------------------------ all types */

static int put_round(const void *rec, size_t size, const struct record_about *about,
		     struct strbuf *out)
{
	(void)rec;
	(void)size;
	strbuf_addstr(out, about->unordered ? ": unhandled!\n" : "\n");
	return 0;
}

static int put_unhandled(const void *rec, size_t size, const struct record_about *about,
			 struct strbuf *out)
{
	(void)rec;
	(void)size;
	strbuf_addstr(out, about->style ? ": unhandled!\n" : "\n");
	return 0;
}

static record_put *text_of(u32 type)
{
	static record_put *const puts[PERF_RECORD_USER_MAX] = {
		[PERF_RECORD_MMAP] = put_mmap,
		[PERF_RECORD_LOST] = put_lost,
		[PERF_RECORD_COMM] = put_comm,
		[PERF_RECORD_EXIT] = put_task,
		[PERF_RECORD_FORK] = put_task,
		[PERF_RECORD_MMAP2] = put_mmap2,
		[PERF_RECORD_LOST_SAMPLES] = put_lost_samples,
		[PERF_RECORD_SWITCH] = put_switch,
		[PERF_RECORD_SWITCH_CPU_WIDE] = put_switch,
		[PERF_RECORD_NAMESPACES] = put_namespaces,
		[PERF_RECORD_KSYMBOL] = put_ksymbol,
		[PERF_RECORD_BPF_EVENT] = put_bpf,
		[PERF_RECORD_CGROUP] = put_cgroup,
		[PERF_RECORD_READ] = put_read,
		[PERF_RECORD_AUX] = put_aux,
		[PERF_RECORD_ITRACE_START] = put_itrace_start,
		[PERF_RECORD_TEXT_POKE] = put_text_poke,
		[PERF_RECORD_AUX_OUTPUT_HW_ID] = put_aux_hw_id,
		[PERF_RECORD_CALLCHAIN_DEFERRED_] = put_deferred,
		[PERF_RECORD_FINISHED_ROUND] = put_round,
		[PERF_RECORD_ID_INDEX] = put_id_index,
		[PERF_RECORD_AUXTRACE_INFO] = put_auxtrace_info,
		[PERF_RECORD_AUXTRACE] = put_auxtrace,
		[PERF_RECORD_AUXTRACE_ERROR] = put_auxtrace_error,
		[PERF_RECORD_THREAD_MAP] = put_thread_map,
		[PERF_RECORD_CPU_MAP] = put_cpu_map,
		[PERF_RECORD_STAT_CONFIG] = put_stat_config,
		[PERF_RECORD_STAT] = put_stat,
		[PERF_RECORD_STAT_ROUND] = put_stat_round,
		[PERF_RECORD_EVENT_UPDATE] = put_event_update,
		[PERF_RECORD_TIME_CONV] = put_time_conv,
		[PERF_RECORD_BPF_METADATA] = put_bpf_metadata,
		[PERF_RECORD_SCHEDSTAT_CPU] = put_schedstat_cpu,
		[PERF_RECORD_SCHEDSTAT_DOMAIN] = put_schedstat_domain,
		[PERF_RECORD_FINISHED_INIT] = put_unhandled,
	};

	return type < ARRAY_SIZE(puts) ? puts[type] : NULL;
}

/* Tell whether a report does not use records of this type. */
static bool unhandled_by_report(u32 type)
{
	switch (type) {
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_AUXTRACE_ERROR:
	case PERF_RECORD_THREAD_MAP:
	case PERF_RECORD_CPU_MAP:
	case PERF_RECORD_STAT_CONFIG:
	case PERF_RECORD_STAT:
	case PERF_RECORD_STAT_ROUND:
		return true;
	default:
		return false;
	}
}

void record_text_put(const wire_header *rec, size_t size, const struct record_about *about,
		     struct strbuf *out)
{
	const char *name = record_name(rec->type);
	record_put *put = text_of(rec->type);
	size_t start;

	strbuf_addstr(out, "PERF_RECORD_");
	strbuf_addstr(out, name ? name : "UNKNOWN");
	start = out->len;
	if (rec->type == PERF_RECORD_AUXTRACE_ERROR && about->style == RECORD_REPORT)
		put = NULL;
	if (put && put(rec, size, about, out)) {
		out->len = start;
		strbuf_addstr(out, ": malformed\n");
	} else if (!put && !about->style) {
		strbuf_addch(out, '\n');
	}
	if (about->style == RECORD_REPORT && unhandled_by_report(rec->type))
		strbuf_addstr(out, ": unhandled!\n");
}

void record_about_poke(const wire_header *rec, const struct machine *machine,
		       struct symbols *symbols, struct record_about *about)
{
	struct rec_text_poke t;
	struct location l;

	if (!symbols || rec_text_poke_decode(rec, rec->size, &t))
		return;
	resolve_find(machine, symbols, MACHINE_EPOCH_KERNEL, PERF_RECORD_MISC_KERNEL, t.addr, &l);
	if (!l.symtab || l.sym == UINT32_MAX)
		return;
	about->symbol = location_symbol(&l);
	about->symoff = l.addr - symtab_get(l.symtab, l.sym).start;
}
