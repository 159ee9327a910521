// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers of samples that rows are told apart by: weights, times, page sizes... Only those that a
 * column asks for are kept, as sets: a sample has the number of its set, which is part of its base.
 */
#include "base/compat.h"

#include "base/units.h"
#include "hist/hist-internal.h"
#include "wire/data-src.h"
#include "wire/event.h"

/* ---- keeping ---- */

static u64 at_value(struct hist_worker *w, enum hist_kept what, const struct hist_sample *s)
{
	struct hist_at at = { .ip = s->ip, .mode = s->cpumode };

	switch (what) {
	case KEPT_DATA_LINE:
		at.pid = s->pid;
		/* fall through */
	case KEPT_DATA:
	case KEPT_DATA_DSO:
		at.ip = s->sample->addr;
		break;
	case KEPT_ADDR_FROM:
	case KEPT_SRCLINE_FROM:
		at.ip = s->from;
		/* fall through */
	case KEPT_ADDR_TO:
	case KEPT_SRCLINE_TO:
	case KEPT_INSTR:
		at.mode = RESOLVE_ANY_MODE;
		break;
	default:
		at.mode = hist_ip_mode(w->h, s->ip, s->cpumode);
		break;
	}
	at.epoch = at.mode == PERF_RECORD_MISC_KERNEL ? s->kernel_epoch : s->epoch;
	return at_id(w, &at);
}

static u64 kept_value(struct hist_worker *w, enum hist_kept what, const struct hist_sample *s)
{
	const struct hist_conf *conf = &w->h->conf;

	switch (what) {
	case KEPT_SOCKET:
		return s->cpu < conf->nr_sockets_of ? (u64)conf->socket_of[s->cpu] : (u64)-1;
	case KEPT_CGROUP:
		return s->sample->cgroup;
	case KEPT_WEIGHT:
		return s->sample->weight;
	case KEPT_INS_LAT:
		return s->sample->ins_lat;
	case KEPT_P_STAGE_CYC:
		return conf->cols.stages ? s->sample->p_stage_cyc : 0;
	case KEPT_RETIRE_LAT:
		return s->sample->p_stage_cyc;
	case KEPT_TRANSACTION:
		return s->sample->transaction;
	case KEPT_TIME:
		return s->time / conf->time_quantum * conf->time_quantum;
	case KEPT_CODE_PAGE_SIZE:
		return s->sample->code_page_size;
	case KEPT_IP:
		return s->ip;
	case KEPT_TGID:
		return s->pid;
	case KEPT_COMM_KIND:
		return s->comm;
	case KEPT_LEVEL:
		return s->sample->data_src & DATA_SRC_LEVEL;
	case KEPT_SNOOP:
		return s->sample->data_src & DATA_SRC_SNOOP;
	case KEPT_TLB:
		return s->sample->data_src & DATA_SRC_TLB;
	case KEPT_LOCK:
		return s->sample->data_src & DATA_SRC_LOCK;
	case KEPT_BLOCKED:
		return s->sample->data_src & DATA_SRC_BLOCKED;
	case KEPT_PARALLELISM:
		return s->parallelism;
	case KEPT_PHYS:
		return s->sample->phys_addr;
	case KEPT_DATA_PAGE_SIZE:
		return s->sample->data_page_size;
	default:
		break;
	}
	if (kept_is_text(what))
		return intern_id(&w->texts, s->texts[HIST_TEXT(what)].text,
				 s->texts[HIST_TEXT(what)].len);
	return kept_is_at(what) ? at_value(w, what, s) : 0;
}

static u64 set_hash(const u64 *set, u32 nr)
{
	u64 hash = nr;

	for (u32 i = 0; i < nr; i++)
		hash = hash_u64(hash ^ set[i]);
	return hash;
}

/* The number of a set among those at *@sets, where it goes when it is new. */
static u64 set_id(struct index *ix, u64 **sets, size_t *nr, size_t *cap, const u64 *set, u32 size)
{
	u64 hash = set_hash(set, size);
	size_t pos;

	index_reserve(ix);
	index_for_each(ix, hash, pos)
	{
		u32 i = index_at(ix, pos);

		if (!memcmp(*sets + (size_t)i * size, set, size * sizeof(*set)))
			return i;
	}
	VEC_GROW(*sets, (*nr + 1) * size, *cap);
	memcpy(*sets + *nr * size, set, size * sizeof(*set));
	index_put(ix, pos, hash, (u32)*nr);
	return (*nr)++;
}

u64 kept_set(struct hist_worker *w, const struct hist_sample *s)
{
	const struct hist_columns *c = &w->h->conf.cols;
	u64 set[NR_KEPT];

	for (u32 i = 0; i < c->nr_kept; i++)
		set[i] = kept_value(w, c->kept[i], s);
	return set_id(&w->by_kept, &w->kept, &w->nr_kept, &w->cap_kept, set, c->nr_kept);
}

u64 kept_change(struct hist_worker *w, u64 set, u32 at, u64 value)
{
	u32 size = w->h->conf.cols.nr_kept;
	u64 changed[NR_KEPT];

	memcpy(changed, w->kept + set * size, size * sizeof(*changed));
	changed[at] = value;
	return set_id(&w->by_kept, &w->kept, &w->nr_kept, &w->cap_kept, changed, size);
}

/* Texts have numbers of their worker: give them those of the hist. */
static void merge_texts(struct hist *h, struct hist_worker *w)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 *ids = xcalloc(w->texts.nr + 1, sizeof(*ids));

	for (u32 i = 0; i < w->texts.nr; i++)
		ids[i] = intern_id(&h->texts, w->texts.strs[i], w->texts.lens[i]);
	for (u32 at = 0; at < c->nr_kept; at++)
		for (size_t i = 0; kept_is_text(c->kept[at]) && i < w->nr_kept; i++)
			w->kept[i * c->nr_kept + at] = ids[w->kept[i * c->nr_kept + at]];
	free(ids);
	intern_release(&w->texts);
}

/* Bases have it for themselves; sets only where rows are told apart by it. */
static void take_parallelism(const struct hist *h, struct hist_worker *w)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 at = c->kept_at[KEPT_PARALLELISM] - 1;

	for (size_t k = 0; k < w->nr_bases; k++)
		w->bases[k].parallelism = w->kept[w->bases[k].kept * c->nr_kept + at];
	for (size_t k = 0; k < w->nr_kept && !(c->need & NEED_PARALLELISM); k++)
		w->kept[k * c->nr_kept + at] = 0;
}

void kept_merge(struct hist *h)
{
	u32 size = h->conf.cols.nr_kept;
	struct index ix = { 0 };
	size_t nr = 0, cap = 0;

	if (!size)
		return;
	for (int i = 0; i < h->nr_workers; i++)
		merge_texts(h, h->workers[i]);
	for (int i = 0; i < h->nr_workers && h->conf.cols.kept_at[KEPT_PARALLELISM]; i++)
		take_parallelism(h, h->workers[i]);
	if (h->conf.cols.kept_at[KEPT_COMM_KIND])
		comms_to_kinds(h);
	if (h->conf.cols.need & NEED_AT)
		ats_merge(h);
	/* what is filtered makes no row, but in a hierarchy */
	for (int i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		for (size_t k = 0; k < w->nr_bases; k++)
			if (!(w->bases[k].flags & HIST_FILTERED) || h->conf.cols.hierarchy)
				w->bases[k].kept = set_id(&ix, &h->kept, &nr, &cap,
							  w->kept + w->bases[k].kept * size, size);
	}
	index_release(&ix);
	h->text_rank = rank_texts(h, &h->texts);
}

/* ---- showing ---- */

static void add_left(struct strbuf *out, u64 v, u16 width, const char *sep)
{
	size_t at = out->len;

	strbuf_dec(out, v, 0);
	if (!sep)
		strbuf_pad(out, at + width);
}

#define RANK(name, what)                                                                           \
	static u64 rank_##name(const struct hist *h, const struct hist_row *row, u32 member)       \
	{                                                                                          \
		(void)member;                                                                      \
		return kept_of(h, row, what);                                                      \
	}
/* Larger ones first. */
#define RANK_DOWN(name, what)                                                                      \
	static u64 rank_##name(const struct hist *h, const struct hist_row *row, u32 member)       \
	{                                                                                          \
		(void)member;                                                                      \
		return ~kept_of(h, row, what);                                                     \
	}
#define FORMAT(name)                                                                               \
	static void format_##name(const struct hist *h, const struct hist_event *ev,               \
				  const struct hist_row *row, u16 width, const char *sep,          \
				  struct strbuf *out)
/* What samples weigh, each and all of a row; the order is that of one sample. */
#define WEIGHT(name, what)                                                                         \
	RANK_DOWN(name, what)                                                                      \
	FORMAT(local_##name)                                                                       \
	{                                                                                          \
		add_left(out, kept_of(h, row, what), width, sep);                                  \
	}                                                                                          \
	FORMAT(name)                                                                               \
	{                                                                                          \
		add_left(out, kept_of(h, row, what) * row->nr, width, sep);                        \
	}

WEIGHT(weight, KEPT_WEIGHT)
WEIGHT(ins_lat, KEPT_INS_LAT)
WEIGHT(p_stage_cyc, KEPT_P_STAGE_CYC)
WEIGHT(retire_lat, KEPT_RETIRE_LAT)

static u64 rank_socket(const struct hist *h, const struct hist_row *row, u32 member)
{
	return kept_of(h, row, KEPT_SOCKET) ^ 1ULL << 63; /* signed: -1 is unknown */
}

FORMAT(socket)
{
	strbuf_addf(out, "%*.*d", width, MAX(width - 3, 0), (s32)kept_of(h, row, KEPT_SOCKET));
}

RANK(cgroup, KEPT_CGROUP)

static const char *cgroup_name(const struct hist *h, const struct hist_row *row)
{
	u64 id = kept_of(h, row, KEPT_CGROUP);
	const char *path = id ? machine_cgroup(h->machine, id) : "N/A"; /* not recorded */

	return path ? path : "unknown";
}

static void measure_cgroup(const struct hist *h, const struct hist_row *row, u16 *width,
			   u16 *dso_width)
{
	hist_widen(width, cgroup_name(h, row));
}

FORMAT(cgroup)
{
	strbuf_addname(out, cgroup_name(h, row));
}

RANK_DOWN(transaction, KEPT_TRANSACTION)

static void add_transaction(u64 flags, struct strbuf *out)
{
	static const struct {
		u64 bit;
		const char *name;
	} names[] = {
		{ PERF_TXN_ELISION, "EL" },
		{ PERF_TXN_TRANSACTION, "TX" },
		{ PERF_TXN_SYNC, "SYNC" },
		{ PERF_TXN_ASYNC, "ASYNC" },
		{ PERF_TXN_RETRY, "RETRY" },
		{ PERF_TXN_CONFLICT, "CON" },
		{ PERF_TXN_CAPACITY_WRITE, "CAP-WRITE" },
		{ PERF_TXN_CAPACITY_READ, "CAP-READ" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (flags & names[i].bit)
			strbuf_addf(out, "%s ", names[i].name);
	if (flags && !(flags & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
		strbuf_addstr(out, "NEITHER ");
	if (flags & PERF_TXN_ABORT_MASK)
		strbuf_addf(out, ":%" PRIx64,
			    (flags & PERF_TXN_ABORT_MASK) >> PERF_TXN_ABORT_SHIFT);
}

static void measure_transaction(const struct hist *h, const struct hist_row *row, u16 *width,
				u16 *dso_width)
{
	if (kept_of(h, row, KEPT_TRANSACTION))
		*width = MAX(*width, 32);
}

FORMAT(transaction)
{
	add_transaction(kept_of(h, row, KEPT_TRANSACTION), out);
}

RANK(time, KEPT_TIME)

static void measure_time(const struct hist *h, const struct hist_row *row, u16 *width,
			 u16 *dso_width)
{
	*width = MAX(*width, h->conf.nanosecs ? 16 : 12);
}

FORMAT(time)
{
	u64 t = kept_of(h, row, KEPT_TIME);
	bool nsec = h->conf.nanosecs;
	size_t at = out->len;

	strbuf_addf(out, "%" PRIu64 ".%0*" PRIu64, t / 1000000000, nsec ? 9 : 6,
		    t % 1000000000 / (nsec ? 1 : 1000));
	if (out->len > at + width) { /* the last digits have to give way */
		out->len = at + width;
		out->buf[out->len] = 0;
	}
}

RANK(code_page_size, KEPT_CODE_PAGE_SIZE)

FORMAT(code_page_size)
{
	page_size_text(kept_of(h, row, KEPT_CODE_PAGE_SIZE), out);
}

static u64 rank_addr(const struct hist *h, const struct hist_row *row, u32 member)
{
	(void)member;
	return kept_of(h, row, KEPT_IP) ^ 1ULL << 63; /* signed: the kernel's are first */
}

FORMAT(addr)
{
	u64 ip = kept_of(h, row, KEPT_IP);

	if (ip)
		strbuf_addstr(out, "0x");
	strbuf_hex(out, ip, 1, 0);
}

static u64 rank_trace(const struct hist *h, const struct hist_row *row, u32 member)
{
	(void)member;
	return h->text_rank[kept_of(h, row, KEPT_TRACE)];
}

static const char *trace_text(const struct hist *h, const struct hist_row *row)
{
	return intern_str(&h->texts, (u32)kept_of(h, row, KEPT_TRACE));
}

static void measure_trace(const struct hist *h, const struct hist_row *row, u16 *width,
			  u16 *dso_width)
{
	hist_widen(width, trace_text(h, row));
}

FORMAT(trace)
{
	hist_add_cut(out, trace_text(h, row), width);
}

RANK_DOWN(parallelism, KEPT_PARALLELISM)

FORMAT(parallelism)
{
	strbuf_dec(out, kept_of(h, row, KEPT_PARALLELISM), sep ? 0 : width);
}

#define KEPT(what) .kept = what, .wide = true
const struct hist_column hist_kept_columns[] = {
	{ "socket", "Socket", KEPT(KEPT_SOCKET), .whole = true, .rank = rank_socket,
	  .format = format_socket },
	{ "local_weight", "Local Weight", KEPT(KEPT_WEIGHT), .whole = true, .rank = rank_weight,
	  .format = format_local_weight },
	{ "weight", "Weight", KEPT(KEPT_WEIGHT), .whole = true, .width = 12, .rank = rank_weight,
	  .format = format_weight },
	{ "transaction", "Transaction                ", KEPT(KEPT_TRANSACTION),
	  .rank = rank_transaction, .measure = measure_transaction, .format = format_transaction },
	{ "trace", "Trace output", KEPT(KEPT_TRACE), .raw = true, .rank = rank_trace,
	  .if_compared = true, .measure = measure_trace, .format = format_trace },
	{ "cgroup", "Cgroup", KEPT(KEPT_CGROUP), .whole = true, .raw = true, .rank = rank_cgroup,
	  .measure = measure_cgroup, .format = format_cgroup },
	{ "time", "Time", KEPT(KEPT_TIME), .width = 12, .raw = true, .measure = measure_time,
	  .rank = rank_time, .format = format_time },
	{ "code_page_size", "Code Page Size", KEPT(KEPT_CODE_PAGE_SIZE), .whole = true,
	  .rank = rank_code_page_size, .format = format_code_page_size },
	{ "local_ins_lat", "Local INSTR Latency", KEPT(KEPT_INS_LAT), .whole = true,
	  .rank = rank_ins_lat, .format = format_local_ins_lat },
	{ "ins_lat", "INSTR Latency", KEPT(KEPT_INS_LAT), .whole = true, .rank = rank_ins_lat,
	  .format = format_ins_lat },
	{ "local_p_stage_cyc", "Local Pipeline Stage Cycle", KEPT(KEPT_P_STAGE_CYC), .whole = true,
	  .stages = true, .rank = rank_p_stage_cyc, .format = format_local_p_stage_cyc },
	{ "p_stage_cyc", "Pipeline Stage Cycle", KEPT(KEPT_P_STAGE_CYC), .whole = true,
	  .stages = true, .rank = rank_p_stage_cyc, .format = format_p_stage_cyc },
	{ "local_retire_lat", "Local Retire Latency", KEPT(KEPT_RETIRE_LAT), .whole = true,
	  .rank = rank_retire_lat, .format = format_local_retire_lat },
	{ "retire_lat", "Retire Latency", KEPT(KEPT_RETIRE_LAT), .whole = true,
	  .rank = rank_retire_lat, .format = format_retire_lat },
	{ "parallelism", "Parallelism", NEED_PARALLELISM, KEPT(KEPT_PARALLELISM), .whole = true,
	  .rank = rank_parallelism, .format = format_parallelism },
	{ "addr", "Address", KEPT(KEPT_IP), .whole = true, .width = 18, .rank = rank_addr,
	  .format = format_addr },
};
const size_t hist_nr_kept_columns = ARRAY_SIZE(hist_kept_columns);
