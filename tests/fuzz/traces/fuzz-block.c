// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a file of blktrace: its events take their ways, are summed up, become lines and
 * records again. */
#include "base/compat.h"
#include "block/sums.h"
#include "blktrace/blktrace.h"
#include "blocktext/parse-internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u32 on_who(void *ctx, const struct block_event *ev)
{
	return ev->tid;
}

static struct block_key key_of(const struct block_io *io)
{
	struct block_key key = { .dev = io->dev, .task = io->who };

	memcpy(key.rwbs, io->rwbs, sizeof(key.rwbs));
	return key;
}

static void on_merge(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct block_key key = key_of(io);

	block_sums_merge(ctx, &key, io->rw.kind);
}

static void on_end(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct block_key key = key_of(io);

	if (!(io->seen >> BLOCK_AT_E & 1))
		abort();
	block_sums_end(ctx, &key, io);
}

static void on_member(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct block_key key = key_of(io);

	block_sums_member(ctx, &key, io);
}

/* A record that is written says what it was made of. */
static void check_record(const struct block_event *ev, u32 sequence)
{
	struct strbuf bytes = STRBUF_INIT;
	struct blktrace_record rec;

	if (!blktrace_encode(ev, sequence, &bytes))
		abort();
	if (blktrace_decode((const u8 *)bytes.buf, bytes.len, &rec) != 1 ||
	    rec.kind != BLKTRACE_EVENT || rec.size != bytes.len || rec.sequence != sequence ||
	    rec.ev.action != ev->action || rec.ev.dev != ev->dev || rec.ev.time != ev->time)
		abort();
	strbuf_release(&bytes);
}

static void put_line(const struct block_event *ev, u32 sequence)
{
	const struct block_line line = { ev, sequence, ev->time, true, ev->sector };
	struct strbuf text = STRBUF_INIT;

	block_line_put(&line, &text);
	block_line_format(&line, "%D %2c %8s %5T.%9t %5p %-2a %3d %C %e %n %N %S %u %U\\n", &text);
	strbuf_release(&text);
}

static void take(struct block_flow *f, struct block_tallies *tallies,
		 const struct blktrace_record *rec)
{
	if (rec->kind != BLKTRACE_EVENT)
		return;
	block_tally_add(block_tally_of(tallies, rec->ev.dev), &rec->ev, rec->sequence);
	check_record(&rec->ev, rec->sequence);
	put_line(&rec->ev, rec->sequence);
	block_flow_event(f, &rec->ev);
	if (rec->ev.time % 64 == 63)
		block_flow_lost(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct block_sums sums = { .by = BLOCK_BY_DEV | BLOCK_BY_OP };
	struct block_sums all = { 0 };
	struct block_tallies tallies = { 0 };
	struct block_names names = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct blktrace_record rec;
	struct block_flow *f = block_flow_new(&(struct block_watch){
		.ctx = &sums,
		.who = on_who,
		.merge = on_merge,
		.end = on_end,
		.member = on_member,
	});

	for (size_t at = 0; blktrace_decode(data + at, size - at, &rec) == 1; at += rec.size)
		take(f, &tallies, &rec);
	block_sums_fold(&all, &sums);
	block_tallies_put(&tallies, &names, 1, &text);
	block_flow_free(f);
	block_sums_release(&sums);
	block_sums_release(&all);
	block_tallies_release(&tallies);
	block_names_release(&names);
	strbuf_release(&text);
	return 0;
}
