// SPDX-License-Identifier: GPL-2.0-or-later
/* Events of the block layer are read from tracepoints, whose fields hardly differ between kernels.
 */
#include "base/compat.h"

#include "block/event.h"

/* All events have their fields in these places; those that one lacks read as 0. */
enum { DEV, SECTOR, SECTORS, RWBS, COMM, FIRST, SECOND, PRIO };

#define BIT(field) (1U << (field))
#define REST (BIT(SECTORS) | BIT(COMM) | BIT(FIRST) | BIT(SECOND) | BIT(PRIO))
#define FIELDS(first, second)                                                                      \
	.fields = { "dev", "sector", "nr_sector", "rwbs", "comm", first, second, "ioprio" },       \
	.optional = REST

/* Kernels before 4.13 call the error of a completion "errors". */
const struct engine_event block_events[BLOCK_ACTIONS] = {
	[BLOCK_QUEUE] = { .names = { "block:block_bio_queue" }, FIELDS("-", "-") },
	[BLOCK_SPLIT] = { .names = { "block:block_split" }, FIELDS("new_sector", "-") },
	[BLOCK_REMAP] = { .names = { "block:block_bio_remap", "block:block_remap" },
			  FIELDS("old_dev", "old_sector") },
	[BLOCK_GET] = { .names = { "block:block_getrq" }, FIELDS("-", "-") },
	[BLOCK_BACK_MERGE] = { .names = { "block:block_bio_backmerge" }, FIELDS("-", "-") },
	[BLOCK_FRONT_MERGE] = { .names = { "block:block_bio_frontmerge" }, FIELDS("-", "-") },
	[BLOCK_PLUG] = { .names = { "block:block_plug" }, .fields = { "comm" } },
	[BLOCK_UNPLUG] = { .names = { "block:block_unplug", "block:block_unplug_io" },
			   .fields = { "comm", "nr_rq" } },
	[BLOCK_START] = { .names = { "block:block_io_start" }, FIELDS("bytes", "-") },
	[BLOCK_INSERT] = { .names = { "block:block_rq_insert" }, FIELDS("bytes", "-") },
	[BLOCK_ISSUE] = { .names = { "block:block_rq_issue" }, FIELDS("bytes", "-") },
	[BLOCK_RQ_MERGE] = { .names = { "block:block_rq_merge" }, FIELDS("bytes", "-") },
	[BLOCK_REQUEUE] = { .names = { "block:block_rq_requeue" }, FIELDS("errors", "-") },
	[BLOCK_COMPLETE] = { .names = { "block:block_rq_complete" }, FIELDS("error", "errors") },
	[BLOCK_ERROR] = { .names = { "block:block_rq_error" }, FIELDS("error", "-") },
	[BLOCK_DONE] = { .names = { "block:block_io_done" }, FIELDS("bytes", "-") },
	[BLOCK_BIO_COMPLETE] = { .names = { "block:block_bio_complete" }, FIELDS("error", "-") },
	[BLOCK_RQ_REMAP] = { .names = { "block:block_rq_remap" }, FIELDS("old_dev", "old_sector") },
};

const char *block_letters(enum block_action action)
{
	static const char *const letters[BLOCK_ACTIONS] = {
		[BLOCK_QUEUE] = "Q",    [BLOCK_SPLIT] = "X",        [BLOCK_REMAP] = "A",
		[BLOCK_GET] = "G",      [BLOCK_BACK_MERGE] = "M",   [BLOCK_FRONT_MERGE] = "F",
		[BLOCK_PLUG] = "P",     [BLOCK_UNPLUG] = "U",       [BLOCK_INSERT] = "I",
		[BLOCK_ISSUE] = "D",    [BLOCK_RQ_MERGE] = "M",     [BLOCK_REQUEUE] = "R",
		[BLOCK_COMPLETE] = "C", [BLOCK_BIO_COMPLETE] = "C", [BLOCK_RQ_REMAP] = "A",
		[BLOCK_SLEEP] = "S",    [BLOCK_BOUNCE] = "B",       [BLOCK_UNPLUG_TIMER] = "UT",
	};

	return letters[action];
}

static bool is_plug(u32 action)
{
	return action == BLOCK_PLUG || action == BLOCK_UNPLUG || action == BLOCK_UNPLUG_TIMER;
}

u32 block_plug_device(struct block_plugs *p, const struct block_event *ev)
{
	u32 dev;

	if (!is_plug(ev->action) || ev->dev) {
		if (ev->action == BLOCK_QUEUE || ev->action == BLOCK_GET)
			map64_set(&p->dev_of, ev->tid, ev->dev);
		return ev->dev;
	}
	dev = map64_get(&p->dev_of, ev->tid);
	return dev == MAP64_NONE ? 0 : dev;
}

/* ---- operations ---- */

static u8 kind_of(char letter, u32 sectors)
{
	switch (letter) {
	case 'R':
		return BLOCK_READ;
	case 'W':
		return BLOCK_WRITE;
	case 'D':
		return BLOCK_DISCARD;
	case 'F':
		return BLOCK_FLUSH;
	}
	/* N stands for zeroes that the device writes, for commands, and Z is of zones. */
	return sectors ? BLOCK_WRITE : BLOCK_OTHER;
}

static u8 flag_of(char letter)
{
	switch (letter) {
	case 'F':
		return BLOCK_FUA;
	case 'A':
		return BLOCK_AHEAD;
	case 'S':
		return BLOCK_SYNC;
	case 'M':
		return BLOCK_META;
	}
	return 0;
}

struct block_rw block_rw_parse(const char *rwbs, size_t len, u32 sectors)
{
	struct block_rw rw = { .kind = BLOCK_OTHER };
	size_t i = 0;

	if (len > 1 && rwbs[0] == 'F' && memchr("RWDFNZ", rwbs[1], 6)) {
		rw.flags = BLOCK_PREFLUSH;
		i = 1;
	}
	if (i < len)
		rw.kind = kind_of(rwbs[i], sectors);
	if (i < len && rwbs[i] == 'Z') /* the letters behind it are of another meaning */
		return rw;
	for (i++; i < len; i++)
		rw.flags |= flag_of(rwbs[i]);
	return rw;
}

/* ---- tracepoints ---- */

static void decode_task(const struct engine_input *in, struct block_event *out)
{
	out->comm = engine_text(in, 0, &out->comm_len);
	if (out->action != BLOCK_PLUG)
		out->requests = (u32)engine_number(in, 1);
}

static void decode_io(const struct engine_input *in, struct block_event *out)
{
	size_t len;
	const char *rwbs = engine_text(in, RWBS, &len);
	u64 first = engine_number(in, FIRST), second = engine_number(in, SECOND);

	out->dev = (u32)engine_number(in, DEV);
	out->sector = engine_number(in, SECTOR);
	out->sectors = (u32)engine_number(in, SECTORS);
	out->rw = block_rw_parse(rwbs, len, out->sectors);
	memcpy(out->rwbs, rwbs, MIN(len, sizeof(out->rwbs) - 1));
	out->comm = engine_text(in, COMM, &out->comm_len);
	out->prio = (u16)engine_number(in, PRIO);
	switch (out->action) {
	case BLOCK_REMAP:
	case BLOCK_RQ_REMAP:
		out->old_dev = (u32)first;
		out->other = second;
		break;
	case BLOCK_SPLIT:
		out->other = first;
		break;
	case BLOCK_START:
	case BLOCK_INSERT:
	case BLOCK_ISSUE:
	case BLOCK_RQ_MERGE:
	case BLOCK_DONE:
		out->bytes = (u32)first;
		break;
	case BLOCK_REQUEUE:
	case BLOCK_COMPLETE:
	case BLOCK_ERROR:
	case BLOCK_BIO_COMPLETE:
		out->error = (s32)(first ?: second);
		break;
	}
}

void block_event_decode(const struct engine_input *in, struct block_event *out)
{
	*out = (struct block_event){
		.time = in->time,
		.action = in->event,
		.cpu = in->cpu,
		.pid = in->pid,
		.tid = in->tid,
		.wanted = in->wanted,
		.in_time = in->in_time,
		.sample = in->sample,
	};
	if (is_plug(in->event))
		decode_task(in, out);
	else
		decode_io(in, out);
}

static void feed(void *state, const struct engine_input *in)
{
	const struct block_tap *tap = state;
	struct block_event ev;

	block_event_decode(in, &ev);
	tap->event(tap->ctx, &ev);
}

static void lost(void *state, u32 cpu, u64 time)
{
	const struct block_tap *tap = state;

	if (tap->lost)
		tap->lost(tap->ctx);
}

struct engine block_engine(const char *name)
{
	return (struct engine){
		.name = name,
		.record = "perf block record",
		.events = block_events,
		.nr_events = BLOCK_ACTIONS,
		.any = true,
		.feed = feed,
		.lost = lost,
	};
}
