// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "output/sample-text.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "resolve/resolve.h"

#define NAME_MAX_LEN 256
#define THREAD_SLOTS 1024 /* direct-mapped, by tid */
#define PLACE_SLOTS_MIN 4096
#define PLACES_MAX ((size_t)2 << 20) /* kept per writer; then the cache starts anew */

struct text_event {
	u32 fields;
	bool chain; /* its samples show their call chain */
	const struct tf_event *tf;
	char *name; /* "   cpu-clock: ", owned */
	u32 name_len;
};

struct sample_text {
	struct sample_text_conf conf;
	struct text_event *events; /* by evsel idx */
	size_t nr;
};

/* A thread as last looked up, its comm made printable. */
struct thread_slot {
	u32 pid, tid;
	bool used;
	struct thread_at at;
	u32 comm; /* id of what is in name */
	char name[NAME_MAX_LEN];
	u32 name_len;
	char lead[NAME_MAX_LEN + 32]; /* "            comm   tid ": comm in 16 columns, tid in 5 */
	u32 lead_len, lead_blanks;    /* blanks in front, which lines with a call chain leave out */
};

/* What an address was found to be. Half a cache line, as these are looked up at random. */
struct place {
	u64 ip, addr; /* addr: in the object */
	u32 epoch;
	u32 how;  /* cpumode | columns << 8; 0 is a free slot */
	u32 name; /* where its struct name_text starts in names.buf */
	u32 symoff;
};

/* The text around the offset, shared by all places of a symbol: " sym+0x" and " (dso)". */
struct name_text {
	u32 head, tail; /* bytes; the texts follow */
	bool offset;    /* the offset goes between them */
};

struct sample_writer {
	const struct sample_text *st;
	struct thread_slot *threads;
	struct place *places;
	size_t nr_places, mask;
	struct strbuf names;
	struct map64 name_of; /* columns, dso, symbol -> offset in names */
	struct tf_printer pr;
	u64 sec; /* whose text is in sec_text: "  561." */
	char sec_text[24];
	u32 sec_len;
};

/* ------------------------------------------------------------------ set up */

static size_t longest_name(const struct evlist *l)
{
	size_t i, n = 0;

	for (i = 0; i < l->nr; i++)
		n = MAX(n, strlen(l->evsels[i]->name));
	return n;
}

static void init_event(struct text_event *te, const struct sample_text_conf *c,
		       const struct evsel *e, size_t width)
{
	struct strbuf sb = STRBUF_INIT, name = STRBUF_INIT;

	strbuf_addname(&name, e->name);
	if (width > name.len)
		strbuf_pad(&sb, width - name.len);
	strbuf_add(&sb, strbuf_str(&name), name.len);
	strbuf_add(&sb, ": ", 2);
	te->name_len = (u32)sb.len;
	te->name = strbuf_detach(&sb);
	te->fields = sample_fields_of(c->fields, e);
	te->chain = !c->hide_callchain && (te->fields & SF_IP) &&
		    (e->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	if (c->tracefmt && evsel_is_tracepoint(e))
		te->tf = tracefmt_event(c->tracefmt, (u32)e->attr.config);
	strbuf_release(&name);
}

struct sample_text *sample_text_new(const struct sample_text_conf *conf)
{
	struct sample_text *st = xzalloc(sizeof(*st));
	size_t i, width = longest_name(conf->evlist);

	st->conf = *conf;
	st->nr = conf->evlist->nr;
	st->events = xcalloc(st->nr + 1, sizeof(*st->events));
	for (i = 0; i < st->nr; i++)
		init_event(&st->events[i], conf, conf->evlist->evsels[i], width);
	return st;
}

void sample_text_free(struct sample_text *st)
{
	size_t i;

	if (!st)
		return;
	for (i = 0; i < st->nr; i++)
		free(st->events[i].name);
	free(st->events);
	free(st);
}

/* Name of a kernel address for %pS in print fmts. */
static const char *kernel_name(void *ctx, u64 addr, u64 *start)
{
	const struct sample_writer *w = ctx;
	const struct sample_text_conf *c = &w->st->conf;
	const struct symbol *sym;
	struct location loc;

	resolve_find(c->machine, c->symbols, MACHINE_EPOCH_KERNEL, PERF_RECORD_MISC_KERNEL, addr,
		     &loc);
	if (!loc.symtab || loc.sym == UINT32_MAX)
		return NULL;
	sym = symtab_get(loc.symtab, loc.sym);
	*start = addr - (loc.addr - sym->start);
	return location_symbol(&loc);
}

struct sample_writer *sample_writer_new(const struct sample_text *st)
{
	struct sample_writer *w = xzalloc(sizeof(*w));

	w->st = st;
	w->threads = xcalloc(THREAD_SLOTS, sizeof(*w->threads));
	w->places = xcalloc(PLACE_SLOTS_MIN, sizeof(*w->places));
	w->mask = PLACE_SLOTS_MIN - 1;
	w->pr.ksym = kernel_name;
	w->pr.ksym_ctx = w;
	return w;
}

void sample_writer_free(struct sample_writer *w)
{
	if (!w)
		return;
	free(w->threads);
	free(w->places);
	strbuf_release(&w->names);
	map64_release(&w->name_of);
	strbuf_release(&w->pr.tmp);
	free(w);
}

/* ------------------------------------------------------------------ threads */

static void put_signed(struct strbuf *out, u32 v, unsigned int width, bool left)
{
	size_t start = out->len;

	if ((s32)v < 0)
		strbuf_addf(out, left ? "%-*d" : "%*d", (int)width, (s32)v);
	else
		strbuf_dec(out, v, left ? 0 : width);
	strbuf_pad(out, start + width);
}

static void make_lead(struct thread_slot *t)
{
	struct strbuf sb = STRBUF_INIT;

	t->lead_blanks = t->name_len < 16 ? 16 - t->name_len : 0;
	strbuf_pad(&sb, t->lead_blanks);
	strbuf_add(&sb, t->name, t->name_len);
	strbuf_addch(&sb, ' ');
	put_signed(&sb, t->at.tid, 5, false);
	strbuf_addch(&sb, ' ');
	t->lead_len = (u32)MIN(sb.len, sizeof(t->lead));
	memcpy(t->lead, sb.buf, t->lead_len);
	strbuf_release(&sb);
}

static void look_up_thread(struct sample_writer *w, struct thread_slot *t, u32 pid, u32 tid,
			   u64 time)
{
	const struct machine *m = w->st->conf.machine;
	u32 comm = t->comm, old_tid = t->at.tid;
	struct strbuf sb = STRBUF_INIT;

	machine_thread_at(m, pid, tid, time, &t->at);
	t->pid = pid;
	t->tid = tid;
	if (t->used && t->at.comm == comm && t->at.tid == old_tid)
		return;
	strbuf_addname(&sb, machine_comm(m, t->at.comm));
	t->name_len = (u32)MIN(sb.len, sizeof(t->name));
	memcpy(t->name, strbuf_str(&sb), t->name_len);
	strbuf_release(&sb);
	make_lead(t);
	t->comm = t->at.comm;
	t->used = true;
}

static struct thread_slot *thread_slot(struct sample_writer *w, u32 pid, u32 tid, u64 time)
{
	struct thread_slot *t = &w->threads[tid % THREAD_SLOTS];

	if (unlikely(!t->used || t->tid != tid || t->pid != pid || time < t->at.from ||
		     time >= t->at.until))
		look_up_thread(w, t, pid, tid, time);
	return t;
}

const struct thread_at *sample_writer_thread(struct sample_writer *w, u32 pid, u32 tid, u64 time)
{
	return &thread_slot(w, pid, tid, time)->at;
}

/* ------------------------------------------------------------------ addresses */

static void render_name(const struct location *l, u32 fields, struct strbuf *out)
{
	const char *name = fields & SF_SYM ? location_symbol(l) : NULL;
	struct name_text nt = { .offset = name && (fields & SF_SYMOFF) };
	size_t at = out->len, start;

	strbuf_add(out, &nt, sizeof(nt));
	start = out->len;
	if (fields & SF_SYM) {
		strbuf_addch(out, ' ');
		strbuf_addname(out, name ? name : "[unknown]");
	}
	if (nt.offset)
		strbuf_add(out, "+0x", 3);
	nt.head = (u32)(out->len - start);
	start = out->len;
	if (fields & SF_DSO) {
		strbuf_add(out, " (", 2);
		strbuf_addname(out, location_dso_long(l));
		strbuf_addch(out, ')');
	}
	nt.tail = (u32)(out->len - start);
	memcpy(out->buf + at, &nt, sizeof(nt));
}

static u32 find_name(struct sample_writer *w, const struct location *l, u32 fields)
{
	u64 key = (u64)(l->dso ? l->dso->id + 1 : 0) << 32 | (l->symtab ? l->sym : UINT32_MAX);
	u32 *slot;

	key ^= (fields & SF_SYM ? 1ULL << 60 : 0) ^ (fields & SF_SYMOFF ? 1ULL << 61 : 0) ^
	       (fields & SF_DSO ? 1ULL << 62 : 0);
	slot = map64_slot(&w->name_of, key);
	if (*slot == MAP64_NONE) {
		*slot = (u32)w->names.len;
		render_name(l, fields, &w->names);
	}
	return *slot;
}

/* A module shows addresses of its file when it is that file that gave the symbols. */
static u64 frame_addr(const struct location *l, u64 ip)
{
	const char *file = l->symtab ? symtab_file(l->symtab) : NULL;

	if (l->dso && l->dso->kind == DSO_MODULE && (!file || strstr(file, "kallsyms")))
		return ip;
	return l->addr;
}

static void look_up_place(struct sample_writer *w, struct place *p)
{
	const struct sample_text_conf *c = &w->st->conf;
	struct location l;

	resolve_find(c->machine, c->symbols, p->epoch, (u8)p->how, p->ip, &l);
	p->addr = frame_addr(&l, p->ip);
	p->name = find_name(w, &l, p->how >> 8);
	if (l.symtab && l.sym != UINT32_MAX)
		p->symoff = (u32)(l.addr - symtab_get(l.symtab, l.sym)->start);
}

static size_t place_slot(const struct sample_writer *w, u32 epoch, u64 ip)
{
	return hash_u64(ip ^ (u64)epoch << 40) & w->mask;
}

static void places_grow(struct sample_writer *w)
{
	struct place *old = w->places;
	size_t n = w->mask + 1, i, j;

	if (n >= 2 * PLACES_MAX) {
		memset(old, 0, n * sizeof(*old));
		w->nr_places = 0;
		return;
	}
	w->places = xcalloc(2 * n, sizeof(*w->places));
	w->mask = 2 * n - 1;
	for (i = 0; i < n; i++) {
		if (!old[i].how)
			continue;
		j = place_slot(w, old[i].epoch, old[i].ip);
		while (w->places[j].how)
			j = (j + 1) & w->mask;
		w->places[j] = old[i];
	}
	free(old);
}

static const struct place *find_place(struct sample_writer *w, u32 epoch, u32 how, u64 ip)
{
	size_t i = place_slot(w, epoch, ip);
	struct place *p;

	for (; w->places[i].how; i = (i + 1) & w->mask) {
		p = &w->places[i];
		if (p->ip == ip && p->epoch == epoch && p->how == how)
			return p;
	}
	if (unlikely(w->nr_places * 2 > w->mask)) {
		places_grow(w);
		return find_place(w, epoch, how, ip);
	}
	p = &w->places[i];
	*p = (struct place){ .ip = ip, .epoch = epoch, .how = how };
	look_up_place(w, p);
	w->nr_places++;
	return p;
}

/* In which epoch an address of that mode means something. */
static u32 epoch_of(const struct thread_at *at, u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL ? at->kernel_epoch : at->epoch;
}

/* Frames show the address in the object, a lone sampled address the one in memory. */
static void put_place(struct sample_writer *w, const struct thread_at *at, u8 cpumode, u32 fields,
		      bool frame, u64 ip, struct strbuf *out)
{
	u32 how = cpumode | (fields & (SF_SYM | SF_SYMOFF | SF_DSO | SF_IP)) << 8;
	const struct place *p = find_place(w, epoch_of(at, cpumode), how, ip);
	struct name_text nt;
	const char *text;

	strbuf_hex(out, frame ? p->addr : ip, 1, 16);
	text = w->names.buf + p->name;
	memcpy(&nt, text, sizeof(nt));
	text += sizeof(nt);
	strbuf_add(out, text, nt.head);
	if (nt.offset)
		strbuf_hex(out, p->symoff, 1, 0);
	strbuf_add(out, text + nt.head, nt.tail);
}

static void put_chain(struct sample_writer *w, const struct text_event *te,
		      const struct thread_at *at, const struct sample *s, struct strbuf *out)
{
	u32 left = w->st->conf.max_stack;
	u8 mode = s->cpumode;
	size_t start;
	u64 i;

	strbuf_addch(out, '\n');
	start = out->len;
	for (i = 0; i < s->nr_callchain && left; i++) {
		u64 ip = s->callchain[i];

		if (ip >= (u64)PERF_CONTEXT_MAX) {
			mode = callchain_mode(ip);
			if (!mode) { /* no chain rather than a wrong one */
				out->len = start;
				break;
			}
			continue;
		}
		strbuf_addch(out, '\t');
		put_place(w, at, mode, te->fields, true, ip, out);
		strbuf_addch(out, '\n');
		left--;
	}
}

/* ------------------------------------------------------------------ columns */

/* Times of one second follow each other: the text of the second is kept. */
static void put_time(struct sample_writer *w, u64 ns, struct strbuf *out)
{
	u64 sec = ns / 1000000000, frac = ns % 1000000000;
	unsigned int digits = 9, i;
	char *p;

	if (unlikely(sec != w->sec || !w->sec_len)) {
		w->sec = sec;
		w->sec_len = (u32)snprintf(w->sec_text, sizeof(w->sec_text), "%5" PRIu64 ".", sec);
	}
	if (!w->st->conf.nanosecs) {
		digits = 6;
		frac /= 1000;
	}
	strbuf_grow(out, sizeof(w->sec_text) + digits + 2);
	p = out->buf + out->len;
	memcpy(p, w->sec_text, w->sec_len);
	p += w->sec_len + digits;
	memcpy(p, ": ", 3);
	out->len = (size_t)(p + 2 - out->buf);
	for (i = 0; i < digits; i++, frac /= 10)
		*--p = (char)('0' + frac % 10);
}

static void put_cpu(u32 cpu, struct strbuf *out)
{
	char text[] = "[000] ";

	if (likely(cpu < 1000)) {
		text[1] = (char)('0' + cpu / 100);
		text[2] = (char)('0' + cpu / 10 % 10);
		text[3] = (char)('0' + cpu % 10);
		strbuf_add(out, text, 6);
		return;
	}
	strbuf_addch(out, '[');
	put_signed(out, cpu, 0, false);
	strbuf_add(out, "] ", 2);
}

static void put_who(u32 fields, bool chain, const struct thread_slot *t, struct strbuf *out)
{
	if (likely((fields & (SF_COMM | SF_TID | SF_PID)) == (SF_COMM | SF_TID))) {
		u32 skip = chain ? t->lead_blanks : 0;

		strbuf_add(out, t->lead + skip, t->lead_len - skip);
		return;
	}
	if (fields & SF_COMM) {
		if (!chain)
			strbuf_pad(out, out->len + t->lead_blanks);
		strbuf_add(out, t->name, t->name_len);
		strbuf_addch(out, ' ');
	}
	if (fields & SF_PID)
		put_signed(out, t->at.pid, 5, false);
	if ((fields & SF_PID) && (fields & SF_TID))
		strbuf_addch(out, '/');
	if (fields & SF_TID)
		put_signed(out, t->at.tid, 5, fields & SF_PID);
	if (fields & (SF_PID | SF_TID))
		strbuf_addch(out, ' ');
}

static void put_start(struct sample_writer *w, u32 fields, bool chain, const struct thread_slot *t,
		      u32 cpu, u64 time, struct strbuf *out)
{
	put_who(fields, chain, t, out);
	if (fields & SF_CPU)
		put_cpu(cpu, out);
	if (fields & SF_TIME)
		put_time(w, time, out);
}

/* Events whose addr is an address of the program: page faults and breakpoints. */
static bool addr_is_place(const struct evsel *e)
{
	if (e->attr.type == PERF_TYPE_SOFTWARE)
		return e->attr.config == PERF_COUNT_SW_PAGE_FAULTS ||
		       e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return e->attr.type == PERF_TYPE_BREAKPOINT;
}

static void put_addr(struct sample_writer *w, const struct text_event *te, const struct evsel *e,
		     const struct thread_at *at, const struct sample *s, struct strbuf *out)
{
	if (addr_is_place(e))
		put_place(w, at,
			  s->cpumode == PERF_RECORD_MISC_KERNEL && (s64)s->addr >= 0
				  ? PERF_RECORD_MISC_USER
				  : s->cpumode,
			  te->fields | SF_IP, false, s->addr, out);
	else
		strbuf_hex(out, s->addr, 1, 16);
}

/* Bytes that a BPF program sent: eight per line, with their text. */
static void put_bpf_output(const struct sample *s, struct strbuf *out)
{
	const u8 *p = s->raw;
	u32 i, j;

	for (i = 0; p && i < s->raw_size; i += 8) {
		strbuf_addf(out, "%s%04x:", i ? "\n               " : "  BPF output: ", i);
		for (j = i; j < i + 8; j++) {
			if (j < s->raw_size)
				strbuf_addf(out, " %02x", p[j]);
			else
				strbuf_add(out, "   ", 3);
		}
		strbuf_add(out, "  ", 2);
		for (j = i; j < i + 8 && j < s->raw_size; j++)
			strbuf_addch(out, p[j] >= 0x20 && p[j] < 0x7f ? (char)p[j] : '.');
	}
}

static bool is_bpf_output(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
}

static void put_payload(struct sample_writer *w, const struct text_event *te, const struct evsel *e,
			const struct thread_at *at, const struct sample *s, struct strbuf *out)
{
	if ((te->fields & SF_TRACE) && te->tf && s->raw)
		tf_print(te->tf, &w->pr, s->raw, s->raw_size, out);
	if (te->fields & SF_ADDR)
		put_addr(w, te, e, at, s, out);
	if (te->fields & SF_WEIGHT) {
		strbuf_addch(out, ' ');
		strbuf_dec(out, s->weight, 16);
	}
}

void sample_writer_put(struct sample_writer *w, const struct evsel *e, const struct sample *s,
		       u64 time, struct strbuf *out)
{
	const struct text_event *te = &w->st->events[MIN((size_t)e->idx, w->st->nr)];
	const struct thread_slot *t = thread_slot(w, s->pid, s->tid, time);

	if (!te->fields)
		return;
	if (!te->chain)
		__builtin_prefetch(&w->places[place_slot(w, epoch_of(&t->at, s->cpumode), s->ip)]);
	strbuf_grow(out, 512);
	put_start(w, te->fields, te->chain, t, s->cpu, s->time, out);
	if (te->fields & SF_PERIOD) {
		/* with a fixed period samples need not carry it */
		strbuf_dec(out, s->period, 10);
		strbuf_addch(out, ' ');
	}
	if (te->fields & SF_EVENT)
		strbuf_add(out, te->name, te->name_len);
	put_payload(w, te, e, &t->at, s, out);
	if (te->chain) {
		put_chain(w, te, &t->at, s, out);
	} else if (te->fields & SF_IP) {
		strbuf_addch(out, ' ');
		put_place(w, &t->at, s->cpumode, te->fields, false, s->ip, out);
	}
	if ((te->fields & SF_BPF_OUTPUT) && is_bpf_output(e))
		put_bpf_output(s, out);
	if (te->fields & SF_PHYS_ADDR) {
		strbuf_addch(out, ' ');
		strbuf_hex(out, s->phys_addr, 1, 16);
	}
	strbuf_addch(out, '\n');
}
