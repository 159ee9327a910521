// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"
#include "base/compat.h"
#include "base/hash.h"
#include "drive.h"
#include "wire/fields.h"

#define MAX_WORKERS 16

struct drive_worker {
	u64 samples, digest;
};

struct drive_run {
	struct drive *d;
	struct drive_worker workers[MAX_WORKERS];
	u64 last_time;
};

static u64 mix_bytes(u64 h, const void *p, u64 n)
{
	return p ? hash_mix(h, hash_bytes(p, (size_t)n)) : h;
}

static u64 mix_regs(u64 h, const struct wire_regs *r)
{
	return r->regs ? mix_bytes(h, (const void *)r->regs, 8 * (u64)__builtin_popcountll(r->mask))
		       : h;
}

u64 drive_touch(const struct sample *s)
{
	u64 h = hash_mix(s->ip, s->time);

	h = hash_mix(h, (u64)s->pid << 32 | s->tid);
	h = hash_mix(h, s->period);
	h = hash_mix(h, s->addr ^ s->cpu ^ s->misc);
	h = mix_bytes(h, s->read, s->read_size);
	h = mix_bytes(h, (const void *)s->callchain, s->nr_callchain * 8);
	h = mix_bytes(h, s->raw, s->raw_size);
	h = mix_bytes(h, (const void *)s->branches, s->nr_branches * 24);
	h = mix_bytes(h, (const void *)s->branch_counters, s->nr_branches * 8);
	h = mix_regs(h, &s->user_regs);
	h = mix_regs(h, &s->intr_regs);
	h = mix_bytes(h, s->user_stack, s->user_stack_dyn);
	h = hash_mix(h, s->weight ^ s->data_src ^ s->transaction ^ s->phys_addr ^ s->cgroup);
	return mix_bytes(h, s->aux, s->aux_size);
}

/* Read all that the fields of a row hold or point to. */
static u64 touch_row(u64 h, const struct wire_field *f, u16 misc, const u8 *vals)
{
	struct wire_choice choice = { misc, true, 0, vals, NULL };

	for (; f && f->kind != W_END; f++) {
		const void *p;

		memcpy(&p, vals + f->at, sizeof(p));
		switch (f->kind) {
		case W_NUM:
		case W_BYTES:
			h = mix_bytes(h, vals + f->at, f->width);
			break;
		case W_STR:
		case W_TEXT:
		case W_NAME:
			h = mix_bytes(h, p, strlen(p));
			break;
		case W_ARRAY:
		case W_REST:
			h = mix_bytes(h, p, wire_count(f, vals) * wire_elem_size(f->elem));
			break;
		case W_SUB:
			h = touch_row(h, f->sub, misc, vals + f->at);
			break;
		case W_PICK:
			return touch_row(h, f->pick(&choice), misc, vals);
		default:
			break;
		}
	}
	return h;
}

u64 drive_touch_record(const struct wire_layout *l, const void *rec, size_t size)
{
	const wire_header *h = rec;
	union rec_any r;

	if (rec_decode(l, rec, size, &r))
		return 0;
	return touch_row(h->type, wire_body(h->type)->row, h->misc, (const u8 *)&r);
}

static void see_time(struct drive_run *run, const struct session_event *ev)
{
	if (ev->time < run->last_time)
		run->d->disorder++;
	run->last_time = ev->time;
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct drive_run *run = ctx;

	see_time(run, ev);
	run->d->state++;
	run->d->digest += drive_touch_record(NULL, ev->hdr, ev->hdr->size) & 1;
	return 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct drive_run *run = ctx;

	see_time(run, ev);
	run->d->other++;
	(void)drive_touch_record(NULL, ev->hdr, ev->hdr->size);
	return 0;
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct drive_run *run = ctx;

	run->d->events++;
	return 0;
}

static void *on_worker(void *ctx, int worker)
{
	struct drive_run *run = ctx;

	return &run->workers[worker];
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	struct drive_worker *w = ctx;

	w->samples++;
	w->digest += hash_mix(drive_touch(ev->sample), ev->evsel->idx) ^ ev->time;
	return 0;
}

static int on_format(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct drive_run *run = ctx;

	if (!out)
		out = &run->d->text;
	strbuf_dec(out, ev->time, 0);
	strbuf_addch(out, ' ');
	if (ev->sample) {
		__atomic_add_fetch(&run->d->samples, 1, __ATOMIC_RELAXED);
		__atomic_add_fetch(&run->d->records, ev->part != PART_VALUE, __ATOMIC_RELAXED);
		strbuf_hex(out, drive_touch(ev->sample), 16, 16);
		strbuf_addch(out, ' ');
		strbuf_addname(out, ev->evsel->name);
	} else {
		const char *name = record_name(ev->hdr->type);

		strbuf_addstr(out, name ? name : "?");
	}
	strbuf_addch(out, '\n');
	return 0;
}

static int on_write(void *ctx, const char *text, size_t len, struct err *err)
{
	struct drive_run *run = ctx;

	strbuf_add(&run->d->text, text, len);
	return 0;
}

int drive_samples(struct session *s, struct drive *d, int workers, struct err *err)
{
	static const struct session_sample_ops ops = {
		.state = { .state = on_state, .other = on_other, .events = on_events },
		.worker_new = on_worker,
		.sample = on_sample,
	};
	struct drive_run run = { .d = d };
	int ret = session_samples(s, &ops, &run, MIN(workers, MAX_WORKERS), err);

	for (int i = 0; i < MAX_WORKERS; i++) {
		d->samples += run.workers[i].samples;
		d->digest += run.workers[i].digest;
	}
	return ret;
}

int drive_ordered(struct session *s, struct drive *d, int workers, bool all, struct err *err)
{
	struct session_ordered_ops ops = {
		.state = { .state = on_state, .other = on_other, .events = on_events },
		.format = on_format,
		.write = on_write,
		.all = all,
	};
	struct drive_run run = { .d = d };

	return session_ordered(s, &ops, &run, workers, err);
}

int drive_sequential(struct session *s, struct drive *d, bool all, struct err *err)
{
	struct session_ordered_ops ops = {
		.state = { .state = on_state, .other = on_other, .events = on_events },
		.format = on_format,
		.all = all,
	};
	struct drive_run run = { .d = d };

	return session_ordered(s, &ops, &run, 1, err);
}

void drive_release(struct drive *d)
{
	strbuf_release(&d->text);
	memset(d, 0, sizeof(*d));
}

/* ---- a file that is read once ---- */

/* A record that is no sample, and a digest of it and all before it. */
struct once_state {
	u64 time, digest;
};

struct once_run {
	struct session *s;
	struct drive_once *once;
	struct once_state *states; /* owned */
	size_t nr, cap;
	struct strbuf text;
	bool begun, complete;
	u64 settled;
};

static int once_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct once_run *run = ctx;
	u64 before = run->nr ? run->states[run->nr - 1].digest : 1;

	if (run->nr && ev->time < run->states[run->nr - 1].time)
		abort();
	VEC_GROW(run->states, run->nr + 1, run->cap);
	run->states[run->nr++] = (struct once_state){
		ev->time,
		hash_mix(hash_mix(before, ev->offset),
			 ev->hdr->type + drive_touch_record(NULL, ev->hdr, ev->hdr->size)),
	};
	return 0;
}

static int once_other(void *ctx, const struct session_event *ev, struct err *err)
{
	if (ev->hdr->type != PERF_RECORD_LOST && ev->hdr->type != PERF_RECORD_LOST_SAMPLES)
		return 0;
	return once_state(ctx, ev, err);
}

static int once_begin(void *ctx, struct err *err)
{
	struct once_run *run = ctx;

	run->begun = true;
	return 0;
}

static void once_settled(void *ctx, u64 until)
{
	struct once_run *run = ctx;

	if (until < run->settled || run->complete)
		abort();
	run->settled = until;
}

static int once_ready(void *ctx, struct err *err)
{
	struct once_run *run = ctx;

	run->complete = true;
	return 0;
}

static int once_again(void *ctx, struct err *err)
{
	struct once_run *run = ctx;

	strbuf_reset(&run->text);
	run->nr = 0;
	run->begun = run->complete = false;
	run->settled = 0;
	run->once->again++;
	return 0;
}

bool drive_wants_future(u64 time)
{
	return time % 509 == 7;
}

static int once_format(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		       struct err *err)
{
	struct once_run *run = ctx;
	bool future = drive_wants_future(ev->time);
	size_t nr;

	if (!run->complete && !run->begun)
		abort();
	if (!run->complete && (future || ev->time > run->settled)) {
		session_complete(run->s);
		run->once->complete++;
	}
	for (nr = run->nr; nr && run->states[nr - 1].time > ev->time; nr--)
		;
	if (!ev->sample) { /* it is between the samples */
		strbuf_addf(&run->text, "%" PRIu64 " %" PRIu64 " %u: %" PRIx64 "\n", ev->time,
			    ev->offset, ev->hdr->type,
			    drive_touch_record(NULL, ev->hdr, ev->hdr->size));
		return 0;
	}
	strbuf_addf(&run->text, "%" PRIu64 " %" PRIu64 " %" PRIx64 " %s: %zu %" PRIx64 " %zu\n",
		    ev->time, ev->offset, drive_touch(ev->sample), ev->evsel->name, nr,
		    nr ? run->states[nr - 1].digest : 0, future ? run->nr : 0);
	return 0;
}

/* @once: NULL: in two passes */
static void once_drive(const char *path, bool between, int workers, struct once_run *run,
		       struct drive_once *once, struct diag *damage)
{
	const struct session_ordered_ops ops = {
		.state = { .state = once_state,
			   .other = once_other,
			   .losses = true,
			   .begin = once_begin,
			   .settled = once_settled,
			   .ready = once_ready },
		.format = once_format,
		.all = between,
		.between = between,
		.again = once ? once_again : NULL,
	};
	struct session s;

	*run = (struct once_run){ .s = &s, .once = once, .text = STRBUF_INIT };
	if (session_open(&s, path, true, &(struct err){ 0 }))
		return;
	s.one_pass_from = 1;
	if (!session_is_stream(&s)) {
		int ret = session_ordered(&s, &ops, run, workers, &(struct err){ 0 });

		strbuf_addf(&run->text,
			    "%d: %" PRIu64 " samples %" PRIu64 " to %" PRIu64 ", in order %d\n",
			    ret, s.nr_samples, s.first_time, s.last_time, s.in_order);
		for (size_t i = 0; i < ARRAY_SIZE(s.counts); i++)
			strbuf_addf(&run->text, "%" PRIu64 " ", s.counts[i]);
	}
	*damage = s.diag;
	session_close(&s);
}

static void once_release(struct once_run *run)
{
	free(run->states);
	strbuf_release(&run->text);
}

/* Their bytes may differ between the members. */
static bool same_damage(const struct diag *a, const struct diag *b)
{
	if (memcmp(a->count, b->count, sizeof(a->count)) != 0 ||
	    memcmp(a->first, b->first, sizeof(a->first)) != 0 ||
	    memcmp(a->nr_notes, b->nr_notes, sizeof(a->nr_notes)) != 0)
		return false;
	for (size_t kind = 0; kind < DIAG_MAX; kind++)
		for (size_t i = 0; i < a->nr_notes[kind]; i++)
			if (a->notes[kind][i].offset != b->notes[kind][i].offset ||
			    a->notes[kind][i].type != b->notes[kind][i].type)
				return false;
	return true;
}

static void once_compare(const char *path, bool between, struct drive_once *once)
{
	struct once_run want;
	struct diag want_damage = { 0 };

	once_drive(path, between, 1, &want, NULL, &want_damage);
	for (int workers = 1; workers <= 2; workers++) {
		struct drive_once mine = { 0 };
		struct diag damage = { 0 };
		struct once_run got;

		once_drive(path, between, workers, &got, &mine, &damage);
		mine.states = got.nr;
		if (strcmp(strbuf_str(&want.text), strbuf_str(&got.text)) != 0 ||
		    want.nr != got.nr || !same_damage(&want_damage, &damage) ||
		    (workers > 1 && once && memcmp(once, &mine, sizeof(mine)) != 0))
			abort();
		if (once)
			*once = mine;
		once_release(&got);
	}
	once_release(&want);
}

void drive_once(const char *path, struct drive_once *once)
{
	once_compare(path, true, NULL);
	once_compare(path, false, once);
}

u64 drive_records(const char *path)
{
	struct err err = { 0 };
	struct drive d = { 0 };
	struct session s;
	u64 n;

	if (session_open(&s, path, true, &err))
		return 0;
	drive_ordered(&s, &d, 1, true, &err);
	session_close(&s);
	n = d.records;
	drive_release(&d);
	return n;
}

u64 drive_file(const char *path, int workers)
{
	struct err err = { 0 };
	struct drive d = { 0 };
	struct session s;
	u64 n;

	if (session_open(&s, path, true, &err))
		return 0;
	drive_samples(&s, &d, workers, &err);
	if (!s.file->pipe) /* a pipe is read once */
		drive_ordered(&s, &d, workers, true, &err);
	session_close(&s);
	n = d.samples;
	drive_release(&d);
	if (session_open(&s, path, true, &err))
		return n;
	drive_ordered(&s, &d, workers, true, &err);
	session_close(&s);
	drive_release(&d);
	drive_once(path, NULL);
	return n;
}

int session_open_bytes(struct session *s, const void *data, size_t size, struct err *err)
{
	char path[64];
	int fd, ret;

	ret = session_open(s, pb_save(data, size, &fd, path), true, err);
	pb_unsave(fd); /* the session has opened it once more */
	return ret;
}

void session_open_built(struct session *s, const struct pb *b)
{
	struct err err = { 0 };

	if (!session_open_bytes(s, b->out.buf, b->out.len, &err))
		return;
	fprintf(stderr, "does not open: %s\n", err.msg);
	abort();
}

void session_is_clean(const struct session *s)
{
	bool clean = true;

	for (int i = 0; i < DIAG_MAX; i++) {
		if (!s->diag.count[i])
			continue;
		fprintf(stderr, "swap %d, pipe %d: %" PRIu64 " %s\n", s->file->swap, s->file->pipe,
			s->diag.count[i], diag_text((enum diag_kind)i));
		clean = false;
	}
	if (!clean)
		abort();
}

void record_there_and_back(const struct wire_layout *l, struct pb *b)
{
	size_t len = b->out.len;
	char *before = xmalloc(len), *back = xmalloc(len);

	memcpy(before, b->out.buf, len);
	if (record_swap(l, b->out.buf, len))
		abort();
	memcpy(back, b->out.buf, len);
	if (record_unswap(l, back, len) || memcmp(before, back, len) != 0) {
		fprintf(stderr, "a record of type %u is another one when it is turned back\n",
			((const wire_header *)b->out.buf)->type);
		abort();
	}
	free(back);
	free(before);
}
