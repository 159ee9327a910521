// SPDX-License-Identifier: GPL-2.0-or-later
/* Decode the bodies of records other than samples by their rows (wire/fields.c). */
#include "base/compat.h"
#include "wire/fields.h"

#include <errno.h>
#include <sys/mman.h>

/* ---- the walk ---- */

struct walk {
	u8 *p, *end; /* written only when the byte order is converted */
	enum wire_mode mode;
	u16 misc;
	bool bad;
};

static inline u8 *take(struct walk *w, u64 n)
{
	u8 *p = w->p;

	if (unlikely(w->bad || n > (u64)(w->end - p))) {
		w->bad = true;
		return NULL;
	}
	w->p += n;
	return p;
}

static void swap_num(u8 *p, size_t width)
{
	if (width == 8)
		*(u64_una *)p = __builtin_bswap64(*(u64_una *)p);
	else if (width == 4)
		*(u32_una *)p = __builtin_bswap32(*(u32_una *)p);
	else if (width == 2)
		*(u16_una *)p = __builtin_bswap16(*(u16_una *)p);
}

/* memcpy() with a variable width would be a function call. */
static inline void copy_num(void *to, const u8 *p, size_t width)
{
	switch (width) {
	case 8:
		memcpy(to, p, 8);
		break;
	case 4:
		memcpy(to, p, 4);
		break;
	case 2:
		memcpy(to, p, 2);
		break;
	default:
		*(u8 *)to = *p;
	}
}

static inline void walk_num(struct walk *w, size_t width, void *to)
{
	u8 *p = take(w, width);

	if (!p)
		return;
	if (w->mode == WIRE_SWAP_IN)
		swap_num(p, width);
	copy_num(to, p, width);
	if (w->mode == WIRE_SWAP_OUT)
		swap_num(p, width);
}

static void swap_elems(u8 *p, u64 nr, const char *elem)
{
	if (*elem == '1')
		return;
	while (nr--) {
		for (const char *e = elem; *e; e++) {
			size_t width = *e == 'c' ? 16 : (size_t)(*e - '0');

			swap_num(p, width);
			p += width;
		}
	}
}

static void walk_array(struct walk *w, const struct wire_field *f, u64 nr, u8 *vals)
{
	size_t size = wire_elem_size(f->elem);
	u8 *p;

	if (nr > (u64)(w->end - w->p) / size) {
		w->bad = true;
		return;
	}
	p = take(w, nr * size);
	if (!p)
		return;
	if (w->mode != WIRE_READ)
		swap_elems(p, nr, f->elem);
	memcpy(vals + f->at, &p, sizeof(p));
}

static void walk_rest(struct walk *w, const struct wire_field *f, u8 *vals)
{
	u64 nr = (u64)(w->end - w->p) / wire_elem_size(f->elem);

	memcpy(vals + f->count, &nr, sizeof(nr));
	walk_array(w, f, nr, vals);
}

static void walk_text(struct walk *w, size_t n, void *to)
{
	u8 *p = take(w, n);

	if (!p || !memchr(p, 0, n))
		w->bad = true;
	else
		memcpy(to, &p, sizeof(p));
}

/*
 * A BPF_METADATA record consists of a name, u64 n, and n pairs of 320 bytes. Recorders do not agree
 * on the length of the name field, except that it is a multiple of 8. For exactly one length the
 * name ends within its field, and n matches the size of the record: with shorter ones, zeros of the
 * name's padding are in the place of n.
 */
static void walk_name(struct walk *w, const struct wire_field *f, u8 *vals)
{
	u64 left = (u64)(w->end - w->p), size, nr;
	size_t len = strnlen((const char *)w->p, left);

	for (size = left < 8 ? left : (left - 8) % 320; size + 8 <= left; size += 320) {
		memcpy(&nr, w->p + size, sizeof(nr));
		if (w->mode == WIRE_SWAP_IN)
			nr = __builtin_bswap64(nr);
		if (size > len && nr == (left - 8 - size) / 320)
			break;
	}
	if (size + 8 > left || size % 8) {
		w->bad = true;
		return;
	}
	memcpy(vals + f->count, &size, sizeof(size));
	walk_text(w, size, vals + f->at);
}

/* The size in the attr itself says where the next field begins. */
static void walk_attr(struct walk *w, struct rec_attr *a)
{
	u32 size;
	u8 *p;

	if (w->end - w->p < PERF_ATTR_SIZE_VER0) {
		w->bad = true;
		return;
	}
	size = *(u32_una *)(w->p + offsetof(struct perf_event_attr, size));
	if (w->mode == WIRE_SWAP_IN)
		size = __builtin_bswap32(size);
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	p = size < PERF_ATTR_SIZE_VER0 ? NULL : take(w, size);
	if (!p) {
		w->bad = true;
		return;
	}
	if (w->mode == WIRE_SWAP_IN)
		attr_swap(p, size);
	attr_decode(&a->attr, p, size, false);
	a->attr_size = size;
	a->nr_more = size > ATTR_SIZE ? (size - ATTR_SIZE) / 8 : 0;
	a->more = (const u64_una *)(p + MIN(size, (u32)ATTR_SIZE));
	if (w->mode == WIRE_SWAP_OUT)
		attr_unswap(p, size);
}

static const struct wire_field *choose(struct walk *w, const struct wire_field *f, const void *vals)
{
	struct wire_choice c = { w->misc, false, (size_t)(w->end - w->p), vals, w->p };
	const struct wire_field *row = f->pick(&c);

	if (!row)
		w->bad = true;
	return row;
}

static void walk_row(struct walk *w, const struct wire_field *f, u8 *vals)
{
	while (!w->bad && f->kind != W_END) {
		switch (f->kind) {
		case W_NUM:
			walk_num(w, f->width, vals + f->at);
			break;
		case W_PAD:
			take(w, f->width);
			break;
		case W_BYTES: {
			const u8 *p = take(w, f->width);

			if (p)
				memcpy(vals + f->at, p, f->width);
			break;
		}
		case W_TEXT:
			walk_text(w, f->width, vals + f->at);
			break;
		case W_STR:
			walk_text(w, (size_t)(w->end - w->p), vals + f->at);
			break;
		case W_ARRAY:
			walk_array(w, f, wire_count(f, vals), vals);
			break;
		case W_REST:
			walk_rest(w, f, vals);
			break;
		case W_NAME:
			walk_name(w, f, vals);
			break;
		case W_ATTR:
			walk_attr(w, (struct rec_attr *)vals);
			break;
		case W_SUB:
			walk_row(w, f->sub, vals + f->at);
			break;
		case W_PICK:
			f = choose(w, f, vals);
			continue;
		default:
			break;
		}
		f++;
	}
}

int wire_walk(const struct wire_field *row, enum wire_mode mode, u16 misc, void *body, size_t size,
	      void *vals)
{
	struct walk w = { body, (u8 *)body + size, mode, misc, false };

	walk_row(&w, row, vals);
	return w.bad ? -EINVAL : 0;
}

/* ---- decoding ---- */

/* Set what the header says, or says by an omission. */
static void complete(const wire_header *h, size_t size, void *vals)
{
	struct rec_mmap *m = vals;
	struct rec_switch *s = vals;
	struct rec_build_id *b = vals;

	switch (h->type) {
	case PERF_RECORD_MMAP:
		m->prot = h->misc & PERF_RECORD_MISC_MMAP_DATA ? 0 : PROT_EXEC;
		break;
	case PERF_RECORD_MMAP2:
		m->build_id_size = MIN(m->build_id_size, sizeof(m->build_id));
		memset(m->build_id + m->build_id_size, 0, sizeof(m->build_id) - m->build_id_size);
		break;
	case PERF_RECORD_COMM:
		((struct rec_comm *)vals)->exec = h->misc & PERF_RECORD_MISC_COMM_EXEC;
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		s->cpu_wide = h->type == PERF_RECORD_SWITCH_CPU_WIDE;
		s->out = h->misc & PERF_RECORD_MISC_SWITCH_OUT;
		s->preempt = s->out && (h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
		break;
	case PERF_RECORD_HEADER_BUILD_ID:
		if (!(h->misc & MISC_BUILD_ID_SIZE))
			b->build_id_size = sizeof(b->build_id);
		b->build_id_size = MIN(b->build_id_size, sizeof(b->build_id));
		break;
	case PERF_RECORD_TIME_CONV:
		((struct rec_time_conv *)vals)->has_cycles = size >= sizeof(*h) + 48;
		break;
	default:
		break;
	}
}

/* Decode a body. @vals: the struct of the type, of @vals_size bytes; @tail: size of the trailer */
static int decode(const void *rec, size_t size, size_t tail, void *vals, size_t vals_size)
{
	const wire_header *h = rec;
	const struct wire_body *b;
	int ret;

	memset(vals, 0, vals_size);
	if (size < sizeof(*h) + tail)
		return -EINVAL;
	b = wire_body(h->type);
	if (!b)
		return -ENOENT;
	if (b->size > vals_size)
		return -EINVAL;
	/* The record is only read: the cast is for walks that convert it. */
	ret = wire_walk(b->row, WIRE_READ, h->misc, (u8 *)(uintptr_t)rec + sizeof(*h),
			size - sizeof(*h) - tail, vals);
	if (!ret)
		complete(h, size, vals);
	return ret;
}

int rec_decode(const struct wire_layout *l, const void *rec, size_t size, union rec_any *out)
{
	bool kernel = size >= sizeof(wire_header) &&
		      ((const wire_header *)rec)->type < PERF_RECORD_USER_TYPE_START;

	return decode(rec, size, l && kernel ? l->id_size : 0, out, sizeof(*out));
}

int rec_read_decode(const struct wire_layout *l, const void *rec, size_t size, struct rec_read *out)
{
	return decode(rec, size, l ? l->id_size : 0, out, sizeof(*out));
}

#define MMAP2_NAME 72 /* offset of the file name in an MMAP2 record */

#define DECODER(kind)                                                                              \
	int rec_##kind##_decode(const void *rec, size_t size, struct rec_##kind *out)              \
	{                                                                                          \
		return decode(rec, size, 0, out, sizeof(*out));                                    \
	}
DECODER(comm)
DECODER(task)
DECODER(namespaces)
DECODER(ksymbol)
DECODER(bpf)
DECODER(cgroup)
DECODER(lost)
DECODER(switch)
DECODER(aux)
DECODER(itrace_start)
DECODER(text_poke)
DECODER(aux_hw_id)
DECODER(deferred)
DECODER(attr)
DECODER(id_index)
DECODER(auxtrace_info)
DECODER(auxtrace)
DECODER(auxtrace_error)
DECODER(thread_map)
DECODER(cpu_map)
DECODER(stat_config)
DECODER(stat)
DECODER(stat_round)
DECODER(event_update)
DECODER(time_conv)
DECODER(bpf_metadata)
DECODER(schedstat_cpu)
DECODER(schedstat_domain)
#undef DECODER

/*
 * Decode an MMAP2 with an inode, with the same result as by its rows. In recordings of many
 * short-lived processes most records are of this kind, and decoding them field by field took a
 * twelfth of the time of a report.
 */
static bool mmap2_decode(const u8 *rec, size_t size, struct rec_mmap *m)
{
	const u8 *name = rec + MMAP2_NAME;

	if (size <= MMAP2_NAME || !memchr(name, 0, size - MMAP2_NAME))
		return false;
	m->pid = *(const u32_una *)(rec + 8);
	m->tid = *(const u32_una *)(rec + 12);
	m->start = *(const u64_una *)(rec + 16);
	m->len = *(const u64_una *)(rec + 24);
	m->pgoff = *(const u64_una *)(rec + 32);
	m->maj = *(const u32_una *)(rec + 40);
	m->min = *(const u32_una *)(rec + 44);
	m->ino = *(const u64_una *)(rec + 48);
	m->ino_generation = *(const u64_una *)(rec + 56);
	m->prot = *(const u32_una *)(rec + 64);
	m->flags = *(const u32_una *)(rec + 68);
	m->build_id_size = 0;
	memset(m->build_id, 0, sizeof(m->build_id));
	m->filename = (const char *)name;
	return true;
}

int rec_mmap_decode(const void *rec, size_t size, struct rec_mmap *out)
{
	const wire_header *h = rec;

	if (size >= sizeof(*h) && h->type == PERF_RECORD_MMAP2 &&
	    !(h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) && mmap2_decode(rec, size, out))
		return 0;
	return decode(rec, size, 0, out, sizeof(*out));
}

/* ---- elements ---- */

u64 rec_thread_map_entry(const struct rec_thread_map *m, u64 i, const char **comm)
{
	const u8 *p = m->entries + i * 24;

	*comm = (const char *)p + 8;
	return *(const u64_una *)p;
}

void rec_bpf_metadata_entry(const struct rec_bpf_metadata *m, u64 i, const char **key,
			    const char **value)
{
	*key = m->entries + i * 320;
	*value = *key + 64;
}

static bool mask_bit(const struct rec_cpu_map *m, u32 bit)
{
	u32 per = m->width * 8U;

	if (m->width == 8)
		return ((const u64_una *)m->words)[bit / per] >> (bit % per) & 1;
	return ((const u32_una *)m->words)[bit / per] >> (bit % per) & 1;
}

bool rec_cpu_map_next(const struct rec_cpu_map *m, u32 *pos, s32 *cpu)
{
	u32 i = (*pos)++;

	switch (m->kind) {
	case CPU_MAP_CPUS:
		*cpu = i < m->nr ? (s16)((const u16_una *)m->words)[i] : -1;
		return i < m->nr;
	case CPU_MAP_MASK:
		while (i < m->nr * m->width * 8U && !mask_bit(m, i))
			i++;
		*pos = i + 1;
		*cpu = (s32)i;
		return i < m->nr * m->width * 8U;
	default:
		*cpu = m->any && !i ? -1 : (s32)(m->first + i - (m->any ? 1 : 0));
		return *cpu <= (s32)m->last;
	}
}

/* ---- the words of a read ---- */

static u64 words_per_value(u64 format)
{
	return 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
}

int wire_read_init(struct wire_read *r, u64 format, const void *p, size_t size)
{
	const u64_una *w = p;
	u64 left = size / 8;
	u64 head = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		   !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);

	*r = (struct wire_read){ .format = format, .nr = 1 };
	/* a single value precedes the times; in a group their number does */
	if (left < 1 + head)
		return -EINVAL;
	if (format & PERF_FORMAT_GROUP)
		r->nr = *w;
	else
		r->values = w;
	w++;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		r->enabled = *w++;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		r->running = *w++;
	left -= 1 + head;
	if (format & PERF_FORMAT_GROUP) {
		r->values = w;
		return r->nr > left / words_per_value(format) ? -EINVAL : 0;
	}
	return left < words_per_value(format) - 1 ? -EINVAL : 0;
}

u64 wire_read_value(const struct wire_read *r, u64 i, u64 *id, u64 *lost)
{
	const u64_una *v = r->values, *more;

	if (r->format & PERF_FORMAT_GROUP) {
		v += i * words_per_value(r->format);
		more = v + 1;
	} else {
		more = v + 1 + !!(r->format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		       !!(r->format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	}
	*id = r->format & PERF_FORMAT_ID ? *more++ : 0;
	*lost = r->format & PERF_FORMAT_LOST ? *more : 0;
	return *v;
}
