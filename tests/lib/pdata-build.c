// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "pdata-build.h"
#include "wire/event.h"

#include <sys/mman.h>
#include <unistd.h>

void pb_init(struct pb *b, bool swap)
{
	memset(b, 0, sizeof(*b));
	b->swap = swap;
}

void pb_release(struct pb *b)
{
	strbuf_release(&b->out);
	for (int i = 0; i < PB_MAX_FEATURES; i++)
		strbuf_release(&b->body[i]);
}

/* ---- fields ---- */

static void put(struct pb *b, u64 v, int n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	bool big = b->swap;
#else
	bool big = !b->swap;
#endif

	for (int i = 0; i < n; i++)
		strbuf_addch(&b->out, (char)(v >> 8 * (big ? n - 1 - i : i)));
}

void pb_u8(struct pb *b, u8 v)
{
	put(b, v, 1);
}

void pb_u16(struct pb *b, u16 v)
{
	put(b, v, 2);
}

void pb_u32(struct pb *b, u32 v)
{
	put(b, v, 4);
}

void pb_u64(struct pb *b, u64 v)
{
	put(b, v, 8);
}

void pb_bytes(struct pb *b, const void *p, size_t n)
{
	strbuf_add(&b->out, p, n);
}

static void pad8(struct pb *b, size_t from)
{
	while ((b->out.len - from) % 8)
		pb_u8(b, 0);
}

void pb_str(struct pb *b, const char *s)
{
	size_t from = b->out.len;

	pb_bytes(b, s, strlen(s) + 1);
	pad8(b, from);
}

/*
 * The flags: bit fields are laid out from the first bit of memory on, which on a machine of the
 * other order is the top of each byte. precise_ip, two bits wide and in two bytes, keeps its high
 * bit first.
 */
static void put_flags(struct pb *b, const struct perf_event_attr *attr)
{
	u64 v;
	u8 bytes[8];

	memcpy(&v, (const u8 *)attr + 40, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	for (int i = 0; i < 8; i++) {
		bytes[i] = (u8)(v >> 8 * i);
		if (!b->swap)
			continue;
		bytes[i] = 0;
		for (int k = 0; k < 8; k++) {
			int bit = 8 * i + k, from = bit == 15 ? 16 : bit == 16 ? 15 : bit;

			bytes[i] |= (u8)((v >> from & 1) << (7 - k));
		}
	}
#else
	memcpy(bytes, &v, 8); /* tests of the other order are not made on such machines */
#endif
	pb_bytes(b, bytes, 8);
}

void pb_attr(struct pb *b, const struct perf_event_attr *a, u32 size)
{
	size_t from = b->out.len;

	pb_u32(b, a->type);
	pb_u32(b, size);
	pb_u64(b, a->config);
	pb_u64(b, a->sample_period);
	pb_u64(b, a->sample_type);
	pb_u64(b, a->read_format);
	put_flags(b, a);
	pb_u32(b, a->wakeup_events);
	pb_u32(b, a->bp_type);
	pb_u64(b, a->config1);
	pb_u64(b, a->config2);
	pb_u64(b, a->branch_sample_type);
	pb_u64(b, a->sample_regs_user);
	pb_u32(b, a->sample_stack_user);
	pb_u32(b, (u32)a->clockid);
	pb_u64(b, a->sample_regs_intr);
	pb_u32(b, a->aux_watermark);
	pb_u16(b, a->sample_max_stack);
	pb_u16(b, 0);
	pb_u32(b, a->aux_sample_size);
	pb_u32(b, 0);
	pb_u64(b, a->sig_data);
	while (b->out.len - from < size)
		pb_u8(b, 0);
	b->out.len = from + size; /* old writers have less */
	b->out.buf[b->out.len] = 0;
}

/* ---- records ---- */

size_t pb_begin(struct pb *b, u32 type, u16 misc)
{
	size_t at = b->out.len;

	pb_u32(b, type);
	pb_u16(b, misc);
	pb_u16(b, 0);
	return at;
}

static void patch(struct pb *b, size_t at, u64 v, int n)
{
	struct pb tmp;

	pb_init(&tmp, b->swap);
	put(&tmp, v, n);
	memcpy(b->out.buf + at, tmp.out.buf, (size_t)n);
	pb_release(&tmp);
}

void pb_end(struct pb *b, size_t at)
{
	patch(b, at + 6, b->out.len - at, 2);
}

void pb_rename(struct pb *b, u64 id, const char *name)
{
	size_t at = pb_begin(b, PERF_RECORD_EVENT_UPDATE, 0);

	pb_u64(b, 2); /* NAME */
	pb_u64(b, id);
	pb_str(b, name);
	pb_end(b, at);
}

void pb_trailer(struct pb *b, u64 st, const struct pb_id *id)
{
	if (st & PERF_SAMPLE_TID) {
		pb_u32(b, id->pid);
		pb_u32(b, id->tid);
	}
	if (st & PERF_SAMPLE_TIME)
		pb_u64(b, id->time);
	if (st & PERF_SAMPLE_ID)
		pb_u64(b, id->id);
	if (st & PERF_SAMPLE_STREAM_ID)
		pb_u64(b, id->stream_id);
	if (st & PERF_SAMPLE_CPU) {
		pb_u32(b, id->cpu);
		pb_u32(b, 0);
	}
	if (st & PERF_SAMPLE_IDENTIFIER)
		pb_u64(b, id->id);
}

void pb_comm(struct pb *b, u32 pid, u32 tid, const char *comm, u64 st, const struct pb_id *id)
{
	size_t at = pb_begin(b, PERF_RECORD_COMM, 0);

	pb_u32(b, pid);
	pb_u32(b, tid);
	pb_str(b, comm);
	pb_trailer(b, st, id);
	pb_end(b, at);
}

void pb_mmap2(struct pb *b, u32 pid, u64 start, u64 len, const char *name, u64 st,
	      const struct pb_id *id)
{
	size_t at = pb_begin(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);

	pb_u32(b, pid);
	pb_u32(b, pid);
	pb_u64(b, start);
	pb_u64(b, len);
	pb_u64(b, 0x1000);
	pb_u32(b, 8);
	pb_u32(b, 1);
	pb_u64(b, 4711);
	pb_u64(b, 2);
	pb_u32(b, 5); /* PROT_READ | PROT_EXEC */
	pb_u32(b, 2); /* MAP_PRIVATE */
	pb_str(b, name);
	pb_trailer(b, st, id);
	pb_end(b, at);
}

void pb_task(struct pb *b, u32 type, u32 pid, u32 ppid, u64 time, u64 st, const struct pb_id *id)
{
	size_t at = pb_begin(b, type, 0);

	pb_u32(b, pid);
	pb_u32(b, ppid);
	pb_u32(b, pid);
	pb_u32(b, ppid);
	pb_u64(b, time);
	pb_trailer(b, st, id);
	pb_end(b, at);
}

void pb_round(struct pb *b)
{
	pb_end(b, pb_begin(b, 68, 0));
}

void pb_sample(struct pb *b, u64 st, u64 ip, const struct pb_id *id, u64 period)
{
	size_t at = pb_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	if (st & PERF_SAMPLE_IDENTIFIER)
		pb_u64(b, id->id);
	if (st & PERF_SAMPLE_IP)
		pb_u64(b, ip);
	pb_trailer(b, st & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME), id);
	if (st & PERF_SAMPLE_ADDR)
		pb_u64(b, ip ^ 0xadd);
	pb_trailer(b, st & (PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU), id);
	if (st & PERF_SAMPLE_PERIOD)
		pb_u64(b, period);
	pb_end(b, at);
}

/* ---- files ---- */

static u32 size_of_attr(const struct pb_event *e)
{
	return e->attr_size ? e->attr_size : sizeof(e->attr);
}

static void put_magic(struct pb *b, int version)
{
	const char *text = version == 1 ? "PERFFILE" : b->swap ? "2ELIFREP" : "PERFILE2";

	pb_bytes(b, text, 8);
}

static void put_section(struct pb *b, u64 offset, u64 size)
{
	pb_u64(b, offset);
	pb_u64(b, size);
}

void pb_file(struct pb *b, int version, const struct pb_event *events, size_t nr)
{
	u32 attr_size = size_of_attr(&events[0]);
	u64 ids_at = 104 + nr * (attr_size + 16);

	put_magic(b, version);
	pb_u64(b, 104);
	pb_u64(b, attr_size + 16);
	put_section(b, 104, nr * (attr_size + 16));
	b->data_size_at = b->out.len + 8;
	put_section(b, 0, 0);
	put_section(b, 0, 0);
	for (int i = 0; i < 4; i++)
		pb_u64(b, 0);
	for (size_t i = 0; i < nr; i++) {
		pb_attr(b, &events[i].attr, attr_size);
		put_section(b, ids_at, events[i].nr_ids * 8);
		ids_at += events[i].nr_ids * 8;
	}
	for (size_t i = 0; i < nr; i++)
		for (u32 k = 0; k < events[i].nr_ids; k++)
			pb_u64(b, events[i].ids[k]);
	b->data_start = b->out.len;
	patch(b, b->data_size_at - 8, b->data_start, 8);
}

void pb_pipe(struct pb *b, const struct pb_event *events, size_t nr)
{
	b->pipe = true;
	put_magic(b, 2);
	pb_u64(b, 16);
	for (size_t i = 0; i < nr; i++) {
		size_t at = pb_begin(b, 64, 0);

		pb_attr(b, &events[i].attr, size_of_attr(&events[i]));
		for (u32 k = 0; k < events[i].nr_ids; k++)
			pb_u64(b, events[i].ids[k]);
		pb_end(b, at);
		if (!events[i].name || !events[i].nr_ids)
			continue;
		at = pb_begin(b, 78, 0);
		pb_u64(b, 2); /* NAME */
		pb_u64(b, events[i].ids[0]);
		pb_str(b, events[i].name);
		pb_end(b, at);
	}
}

void pb_start(struct pb *b, bool swap, bool pipe, const struct pb_event *events, size_t nr)
{
	pb_init(b, swap);
	if (pipe)
		pb_pipe(b, events, nr);
	else
		pb_file(b, 2, events, nr);
}

void pb_string(struct pb *b, const char *s)
{
	size_t len = ALIGN_UP(strlen(s) + 1, (size_t)64);

	pb_u32(b, (u32)len);
	pb_bytes(b, s, strlen(s));
	for (size_t i = strlen(s); i < len; i++)
		pb_u8(b, 0);
}

void pb_feature(struct pb *b, u32 bit, const struct pb *body)
{
	size_t at;

	if (!b->pipe) {
		b->features |= 1ULL << bit;
		strbuf_add(&b->body[bit], body->out.buf, body->out.len);
		return;
	}
	at = pb_begin(b, 80, 0);
	pb_u64(b, bit);
	pb_bytes(b, body->out.buf, body->out.len);
	pb_end(b, at);
}

void pb_feature_str(struct pb *b, u32 bit, const char *s)
{
	struct pb body;

	pb_init(&body, b->swap);
	pb_string(&body, s);
	pb_feature(b, bit, &body);
	pb_release(&body);
}

void pb_event_desc(struct pb *b, const struct pb_event *events, size_t nr)
{
	struct pb body;

	pb_init(&body, b->swap);
	pb_u32(&body, (u32)nr);
	pb_u32(&body, size_of_attr(&events[0]));
	for (size_t i = 0; i < nr; i++) {
		pb_attr(&body, &events[i].attr, size_of_attr(&events[0]));
		pb_u32(&body, events[i].nr_ids);
		pb_string(&body, events[i].name);
		for (u32 k = 0; k < events[i].nr_ids; k++)
			pb_u64(&body, events[i].ids[k]);
	}
	pb_feature(b, 12, &body);
	pb_release(&body);
}

void pb_start_two(struct pb *b, u64 sample_type, bool pipe, const char *one, const char *two)
{
	struct pb_event ev[2] = { { .ids = { 7 }, .nr_ids = 1, .name = one },
				  { .ids = { 8 }, .nr_ids = 1, .name = two } };
	struct pb_id id = { 10, 11, 500, 7, 0, 0 };

	for (u64 i = 0; i < 2; i++)
		ev[i].attr = (struct perf_event_attr){
			.type = 1, .config = i, .sample_type = sample_type, .sample_id_all = 1
		};
	pb_start(b, false, pipe, ev, 2);
	if (!pipe)
		pb_event_desc(b, ev, 2);
	pb_comm(b, 10, 11, "first", sample_type, &id);
	id.pid = id.tid = 21;
	pb_comm(b, 21, 21, "second", sample_type, &id);
}

void pb_finish(struct pb *b)
{
	u64 at, nr = (u64)__builtin_popcountll(b->features);

	if (b->pipe)
		return;
	patch(b, b->data_size_at, b->out.len - b->data_start, 8);
	patch(b, 72, b->features, 8);
	at = b->out.len + nr * 16;
	for (int i = 0; i < PB_MAX_FEATURES; i++) {
		if (!(b->features >> i & 1))
			continue;
		put_section(b, at, b->body[i].len);
		at += b->body[i].len;
	}
	for (int i = 0; i < PB_MAX_FEATURES; i++)
		strbuf_add(&b->out, strbuf_str(&b->body[i]), b->body[i].len);
}

const char *pb_save(const void *data, size_t len, int *fd, char path[64])
{
	*fd = memfd_create("pdata", MFD_CLOEXEC);
	if (*fd < 0 || (len && write(*fd, data, len) != (ssize_t)len))
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", *fd);
	return path;
}

void pb_unsave(int fd)
{
	close(fd);
}
