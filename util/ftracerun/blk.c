// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of the tracer blk. The kernel tells no format of them: each is a record of blktrace whose
 * first eight bytes, a magic number and a sequence number there, are those that all events of the
 * ring begin with, and whose time is not filled in.
 */
#include "base/compat.h"
#include "ftracerun/run-internal.h"

#include "base/alloc.h"
#include "blktrace/blktrace.h"
#include "block/line.h"
#include "codec/json.h"

#include <linux/blktrace_api.h>

void frun_expect_blocks(struct run *r)
{
	/* The kernel numbers the events of its tracers one behind the other. */
	const struct tf_event *next = tracefmt_find(r->text.formats, "ftrace", "bputs");

	r->blk_type = next ? next->id - 1 : 0;
	r->text.other = frun_block_event;
}

static void put_text(const struct block_event *ev, struct strbuf *out)
{
	block_put_device(ev->dev, out);
	strbuf_addch(out, ' ');
	block_put_action(block_letters(ev->action) ?: "?", block_rwbs(ev), out);
	block_put_rest(ev, NULL, out);
}

static void put_message(const struct blktrace_record *rec, struct strbuf *out)
{
	block_put_device(rec->ev.dev, out);
	strbuf_addch(out, ' ');
	block_put_action("m", "N", out);
	for (u32 i = 0; i < rec->text_len; i++)
		strbuf_addch(out, (u8)rec->text[i] < ' ' ? '?' : rec->text[i]);
}

static void put_json(const struct blktrace_record *rec, struct strbuf *out)
{
	const struct block_event *ev = &rec->ev;

	strbuf_addf(out, "\"device\":\"%u,%u\",", block_major(ev->dev), block_minor(ev->dev));
	if (rec->kind == BLKTRACE_MESSAGE) {
		char *text = xstrndup(rec->text, rec->text_len);

		strbuf_addstr(out, "\"action\":\"m\",\"message\":");
		json_string(out, text);
		free(text);
		return;
	}
	strbuf_addf(out,
		    "\"action\":\"%s\",\"rwbs\":\"%s\",\"sector\":%" PRIu64
		    ",\"sectors\":%u,\"error\":%d",
		    block_letters(ev->action) ?: "?", block_rwbs(ev), ev->sector, ev->sectors,
		    ev->error);
}

/* Make a record of blktrace of an event. Return: false: it is none. @copy: its bytes */
static bool decode(const struct fmerge_event *ev, struct strbuf *copy, struct blktrace_record *rec)
{
	const u32 head[2] = { BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION, 0 };

	if (ev->ev.size < sizeof(head))
		return false;
	strbuf_add(copy, head, sizeof(head));
	strbuf_add(copy, ev->ev.data + sizeof(head), ev->ev.size - sizeof(head));
	return blktrace_decode((const u8 *)copy->buf, copy->len, rec) > 0;
}

bool frun_block_event(void *ctx, u16 type, const struct fmerge_event *ev, bool json,
		      struct strbuf *out)
{
	struct run *r = ctx;
	struct strbuf copy = STRBUF_INIT;
	struct blktrace_record rec;
	struct ftext_common c;
	bool known = type == r->blk_type && ftext_common(&ev->ev, &c) && decode(ev, &copy, &rec) &&
		     (rec.kind == BLKTRACE_EVENT || rec.kind == BLKTRACE_MESSAGE);

	if (known) {
		rec.ev.comm = ftext_task(&r->text, c.pid);
		rec.ev.comm_len = strlen(rec.ev.comm);
		if (json)
			put_json(&rec, out);
		else if (rec.kind == BLKTRACE_MESSAGE)
			put_message(&rec, out);
		else
			put_text(&rec.ev, out);
	}
	strbuf_release(&copy);
	return known;
}
