// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of blktrace are as linux/blktrace_api.h describes them. */
#include "base/compat.h"

#include "blktrace/blktrace.h"

#include <endian.h>
#include <errno.h>
#include <linux/blktrace_api.h>

#define MAGIC (BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION)
#define SECTOR 512U
#define CGROUP (1U << 8) /* the number of a cgroup stands before the payload */
#define CPUS_MAX 8192U   /* that Linux can be built for */
#define COMM_BYTES 16
#define FLAG(name) BLK_TC_ACT((u32)BLK_TC_##name)

/* ---- what both directions know ---- */

static const struct {
	u32 kernel;
	u32 action;
} actions[] = {
	/* The first row of an action is the one that is written for it. */
	{ BLK_TA_QUEUE, BLOCK_QUEUE },
	{ BLK_TA_BACKMERGE, BLOCK_BACK_MERGE },
	{ BLK_TA_FRONTMERGE, BLOCK_FRONT_MERGE },
	{ BLK_TA_GETRQ, BLOCK_GET },
	{ BLK_TA_REQUEUE, BLOCK_REQUEUE },
	{ BLK_TA_ISSUE, BLOCK_ISSUE },
	{ BLK_TA_COMPLETE, BLOCK_COMPLETE },
	{ BLK_TA_PLUG, BLOCK_PLUG },
	{ BLK_TA_UNPLUG_IO, BLOCK_UNPLUG },
	{ BLK_TA_INSERT, BLOCK_INSERT },
	{ BLK_TA_SPLIT, BLOCK_SPLIT },
	{ BLK_TA_REMAP, BLOCK_REMAP },
	{ BLK_TA_UNPLUG_TIMER, BLOCK_UNPLUG_TIMER },
	{ BLK_TA_SLEEPRQ, BLOCK_SLEEP },
	{ BLK_TA_BOUNCE, BLOCK_BOUNCE },
	{ BLK_TA_COMPLETE, BLOCK_BIO_COMPLETE },
	{ BLK_TA_BACKMERGE, BLOCK_RQ_MERGE },
	{ BLK_TA_REMAP, BLOCK_RQ_REMAP },
};

static const struct {
	u32 kernel;
	u8 flag;
} flags[] = {
	{ FLAG(FLUSH), BLOCK_PREFLUSH }, { FLAG(FUA), BLOCK_FUA },   { FLAG(SYNC), BLOCK_SYNC },
	{ FLAG(AHEAD), BLOCK_AHEAD },    { FLAG(META), BLOCK_META },
};

static bool is_of_request(u32 action)
{
	return action == BLOCK_INSERT || action == BLOCK_ISSUE || action == BLOCK_REQUEUE ||
	       action == BLOCK_COMPLETE || action == BLOCK_RQ_MERGE || action == BLOCK_RQ_REMAP;
}

/* ---- decoding ---- */

static struct blk_io_trace swapped(const struct blk_io_trace *t)
{
	return (struct blk_io_trace){
		.magic = __builtin_bswap32(t->magic),
		.sequence = __builtin_bswap32(t->sequence),
		.time = __builtin_bswap64(t->time),
		.sector = __builtin_bswap64(t->sector),
		.bytes = __builtin_bswap32(t->bytes),
		.action = __builtin_bswap32(t->action),
		.pid = __builtin_bswap32(t->pid),
		.device = __builtin_bswap32(t->device),
		.cpu = __builtin_bswap32(t->cpu),
		.error = __builtin_bswap16(t->error),
		.pdu_len = __builtin_bswap16(t->pdu_len),
	};
}

/* Set the letters of an operation from the bits of a record, which know less than tracepoints do:
 * a flush is an operation without bytes in the direction of reads. */
static void decode_rw(const struct blk_io_trace *t, struct block_event *ev)
{
	static const struct {
		u8 flag;
		char letter;
	} behind[] = {
		{ BLOCK_FUA, 'F' }, { BLOCK_AHEAD, 'A' }, { BLOCK_SYNC, 'S' }, { BLOCK_META, 'M' }
	};
	char *p = ev->rwbs;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (t->action & flags[i].kernel)
			ev->rw.flags |= flags[i].flag;
	if (ev->rw.flags & BLOCK_PREFLUSH)
		*p++ = 'F';
	if (t->action & FLAG(DISCARD)) {
		*p++ = 'D';
		ev->rw.kind = BLOCK_DISCARD;
	} else if (t->action & FLAG(WRITE)) {
		*p++ = 'W';
		ev->rw.kind = BLOCK_WRITE;
	} else {
		*p++ = t->bytes ? 'R' : 'N';
		ev->rw.kind = t->bytes                        ? BLOCK_READ
			      : ev->rw.flags & BLOCK_PREFLUSH ? BLOCK_FLUSH
							      : BLOCK_OTHER;
	}
	if (t->action & FLAG(PC))
		ev->rw.kind = BLOCK_OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(behind); i++)
		if (ev->rw.flags & behind[i].flag)
			*p++ = behind[i].letter;
	*p = '\0';
}

static u64 be64_at(const u8 *p, u32 len, u32 at)
{
	u64 v;

	if (len < at + sizeof(v))
		return 0;
	memcpy(&v, p + at, sizeof(v));
	return be64toh(v);
}

static void decode_payload(struct block_event *ev, const u8 *pdu, u32 len)
{
	switch (ev->action) {
	case BLOCK_UNPLUG:
	case BLOCK_UNPLUG_TIMER:
		ev->requests = (u32)be64_at(pdu, len, 0);
		break;
	case BLOCK_SPLIT:
		ev->other = be64_at(pdu, len, 0);
		break;
	case BLOCK_REMAP:
		ev->old_dev = (u32)(be64_at(pdu, len, 0) >> 32);
		ev->other = be64_at(pdu, len, 8);
		break;
	}
}

static bool decode_event(const struct blk_io_trace *t, const u8 *pdu, u32 len,
			 struct block_event *ev)
{
	u32 number = t->action & (CGROUP - 1);
	size_t i = 0;

	while (i < ARRAY_SIZE(actions) && (actions[i].kernel & 0xffff) != number)
		i++;
	if (i == ARRAY_SIZE(actions))
		return false;
	ev->action = actions[i].action;
	ev->sector = t->sector;
	ev->bytes = t->bytes;
	ev->sectors = t->bytes / SECTOR;
	ev->error = (s16)t->error;
	decode_rw(t, ev);
	decode_payload(ev, pdu, len);
	return true;
}

static void decode_note(const struct blk_io_trace *t, const u8 *pdu, u32 len,
			struct blktrace_record *out)
{
	u32 number = t->action & (CGROUP - 1);

	if (number != __BLK_TN_PROCESS && number != __BLK_TN_MESSAGE)
		return;
	out->kind = number == __BLK_TN_PROCESS ? BLKTRACE_PROCESS : BLKTRACE_MESSAGE;
	out->text = (const char *)pdu;
	out->text_len = (u32)strnlen(out->text, len);
}

int blktrace_decode(const u8 *p, size_t size, struct blktrace_record *out)
{
	struct blk_io_trace t;
	const u8 *pdu = p + sizeof(t);
	u32 len, skip;

	if (size < sizeof(t))
		return 0;
	memcpy(&t, p, sizeof(t));
	if ((t.magic & ~0xffU) != BLK_IO_TRACE_MAGIC)
		t = swapped(&t);
	if (t.magic != MAGIC || t.cpu >= CPUS_MAX)
		return -EINVAL;
	len = t.pdu_len;
	*out = (struct blktrace_record){
		.kind = BLKTRACE_OTHER,
		.ev = { .time = t.time,
			.cpu = t.cpu,
			.pid = t.pid,
			.tid = t.pid,
			.dev = t.device,
			.wanted = true,
			.in_time = true },
		.sequence = t.sequence,
		.size = (u32)sizeof(t) + len,
	};
	if (size < out->size)
		return 0;
	skip = t.action & CGROUP ? MIN(len, (u32)sizeof(u64)) : 0;
	if (t.action & FLAG(NOTIFY))
		decode_note(&t, pdu + skip, len - skip, out);
	else if (decode_event(&t, pdu + skip, len - skip, &out->ev))
		out->kind = BLKTRACE_EVENT;
	return 1;
}

/* ---- encoding ---- */

static u32 bits_of(const struct block_event *ev)
{
	bool write = ev->rw.kind == BLOCK_WRITE || ev->rw.kind == BLOCK_DISCARD;
	u32 bits = write ? FLAG(WRITE) : FLAG(READ);

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (ev->rw.flags & flags[i].flag)
			bits |= flags[i].kernel;
	if (ev->rw.kind == BLOCK_FLUSH)
		bits |= FLAG(FLUSH);
	if (ev->rw.kind == BLOCK_DISCARD)
		bits |= FLAG(DISCARD);
	if (is_of_request(ev->action))
		bits |= ev->rw.kind == BLOCK_OTHER ? FLAG(PC) : FLAG(FS);
	return bits;
}

/* Write what an action has behind its record. Return: the number of bytes. */
static u16 encode_payload(const struct block_event *ev, u64 pdu[2])
{
	switch (ev->action) {
	case BLOCK_UNPLUG:
	case BLOCK_UNPLUG_TIMER:
		pdu[0] = htobe64(ev->requests);
		return sizeof(pdu[0]);
	case BLOCK_SPLIT:
		pdu[0] = htobe64(ev->other);
		return sizeof(pdu[0]);
	case BLOCK_REMAP:
	case BLOCK_RQ_REMAP:
		pdu[0] = htobe64((u64)ev->old_dev << 32 | ev->dev);
		pdu[1] = htobe64(ev->other);
		return 2 * sizeof(pdu[0]);
	}
	return 0;
}

static struct blk_io_trace header_of(const struct block_event *ev)
{
	return (struct blk_io_trace){
		.magic = MAGIC,
		.time = ev->time,
		.pid = ev->tid,
		.device = ev->dev,
		.cpu = ev->cpu,
	};
}

bool blktrace_encode(const struct block_event *ev, u32 sequence, struct strbuf *out)
{
	struct blk_io_trace t = header_of(ev);
	bool task = ev->action == BLOCK_PLUG || ev->action == BLOCK_UNPLUG ||
		    ev->action == BLOCK_UNPLUG_TIMER;
	u64 pdu[2];
	size_t i = 0;

	while (i < ARRAY_SIZE(actions) && actions[i].action != ev->action)
		i++;
	if (i == ARRAY_SIZE(actions))
		return false;
	t.sequence = sequence;
	t.sector = task ? 0 : ev->sector;
	t.bytes = ev->sectors * SECTOR;
	t.action = actions[i].kernel | (task ? 0 : bits_of(ev));
	t.error = (u16)ev->error;
	t.pdu_len = encode_payload(ev, pdu);
	strbuf_add(out, &t, sizeof(t));
	strbuf_add(out, pdu, t.pdu_len);
	return true;
}

void blktrace_encode_process(const struct block_event *ev, struct strbuf *out)
{
	struct blk_io_trace t = header_of(ev);
	char comm[COMM_BYTES] = "";

	memcpy(comm, ev->comm, MIN(ev->comm_len, sizeof(comm) - 1));
	t.action = BLK_TN_PROCESS;
	t.pdu_len = sizeof(comm);
	strbuf_add(out, &t, sizeof(t));
	strbuf_add(out, comm, sizeof(comm));
}

void blktrace_encode_clock(const struct block_event *ev, u64 time_of_day, struct strbuf *out)
{
	struct blk_io_trace t = header_of(ev);
	u32 clock[2] = { (u32)(time_of_day / 1000000000), (u32)(time_of_day % 1000000000) };

	t.action = BLK_TN_TIMESTAMP;
	t.pdu_len = sizeof(clock);
	strbuf_add(out, &t, sizeof(t));
	strbuf_add(out, clock, sizeof(clock));
}
