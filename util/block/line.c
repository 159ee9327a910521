// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "block/line.h"

#define COMM_BYTES 64

const char *block_rwbs(const struct block_event *ev)
{
	return ev->rwbs[0] ? ev->rwbs : "N";
}

void block_put_comm(const struct block_event *ev, struct strbuf *out)
{
	char name[COMM_BYTES];
	size_t len = MIN(ev->comm_len, sizeof(name) - 1);

	if (len)
		memcpy(name, ev->comm, len);
	name[len] = '\0';
	strbuf_addname(out, len ? name : "unknown");
}

/* Append a text right-aligned, and a blank. */
static void put_word(struct strbuf *out, const char *word, size_t width)
{
	size_t len = strlen(word);

	strbuf_pad(out, out->len + (len < width ? width - len : 0));
	strbuf_add(out, word, len);
	strbuf_addch(out, ' ');
}

void block_put_action(const char *action, const char *rwbs, struct strbuf *out)
{
	put_word(out, action, 2);
	put_word(out, rwbs, 3);
}

void block_put_device(u32 dev, struct strbuf *out)
{
	size_t at;

	strbuf_dec(out, block_major(dev), 3);
	strbuf_addch(out, ',');
	at = out->len;
	strbuf_dec(out, block_minor(dev), 0);
	strbuf_pad(out, at + 3);
}

static void put_sectors(const struct block_event *ev, struct strbuf *out)
{
	strbuf_dec(out, ev->sector, 0);
	strbuf_addstr(out, " + ");
	strbuf_dec(out, ev->sectors, 0);
	strbuf_addch(out, ' ');
}

static void put_elapsed(const u64 *elapsed, struct strbuf *out)
{
	if (elapsed)
		strbuf_addf(out, "(%8" PRIu64 ") ", *elapsed);
}

static void put_name(const struct block_event *ev, struct strbuf *out)
{
	strbuf_addch(out, '[');
	block_put_comm(ev, out);
	strbuf_addch(out, ']');
}

static void put_end(const struct block_event *ev, const u64 *elapsed, struct strbuf *out)
{
	if (ev->sectors)
		put_sectors(ev, out);
	else
		strbuf_addf(out, "%" PRIu64 " ", ev->sector);
	put_elapsed(elapsed, out);
	strbuf_addf(out, "[%d]", ev->error);
}

static void put_remap(const struct block_event *ev, struct strbuf *out)
{
	put_sectors(ev, out);
	strbuf_addf(out, "<- (%u,%u) %" PRIu64, block_major(ev->old_dev), block_minor(ev->old_dev),
		    ev->other);
}

void block_put_rest(const struct block_event *ev, const u64 *elapsed, struct strbuf *out)
{
	switch (ev->action) {
	case BLOCK_REQUEUE:
	case BLOCK_COMPLETE:
	case BLOCK_BIO_COMPLETE:
		put_end(ev, elapsed, out);
		break;
	case BLOCK_REMAP:
	case BLOCK_RQ_REMAP:
		put_remap(ev, out);
		break;
	case BLOCK_SPLIT:
		strbuf_addf(out, "%" PRIu64 " / %" PRIu64 " ", ev->sector, ev->other);
		put_name(ev, out);
		break;
	case BLOCK_UNPLUG:
	case BLOCK_UNPLUG_TIMER:
		put_name(ev, out);
		strbuf_addf(out, " %u", ev->requests);
		break;
	default:
		if (ev->sectors)
			put_sectors(ev, out);
		put_elapsed(elapsed, out);
		put_name(ev, out);
	}
}
