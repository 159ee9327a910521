// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "kworktext/kworktext-internal.h"

#include "resolve/resolve.h"
#include "schedtext/schedtext.h"

static const char *kernel_name(void *ctx, u64 address)
{
	struct recording *r = ctx;
	u64 start;

	return resolve_kernel_name(r->machine, recording_symbols(r), address, &start);
}

struct kwork_symbols kwork_symbols_of(struct recording *r)
{
	return (struct kwork_symbols){ kernel_name, r };
}

/* Return the name without class and number; NULL: there is none. */
static const char *bare_name(const struct kwork_symbols *symbols, const struct kwork_item *item)
{
	if (item->class != KWORK_WORKQUEUE)
		return *item->name ? item->name : NULL;
	return item->function ? symbols->name(symbols->ctx, item->function) : NULL;
}

bool kwork_shows(const struct kwork_show *show, const struct kwork_symbols *symbols,
		 const struct kwork_item *item)
{
	const char *name;

	if (!show->name)
		return true;
	name = bare_name(symbols, item);
	return name && !strcmp(name, show->name);
}

static void put_whole(const struct kwork_symbols *symbols, const struct kwork_item *item,
		      struct strbuf *out)
{
	static const char *const prefixes[KWORK_CLASSES] = {
		[KWORK_IRQ] = "",
		[KWORK_SOFTIRQ] = "(s)",
		[KWORK_WORKQUEUE] = "(w)",
		[KWORK_SCHED] = "",
	};
	const char *name = bare_name(symbols, item);

	strbuf_addstr(out, prefixes[item->class]);
	if (name)
		strbuf_addname(out, name);
	else if (item->class == KWORK_WORKQUEUE)
		strbuf_addf(out, "0x%" PRIx64, item->function ? item->function : item->id);
	if (item->class != KWORK_WORKQUEUE)
		strbuf_addf(out, ":%" PRIu64, item->id);
}

/* A name that is cut leaves a blank before the next column. */
void kwork_put_name(const struct kwork_show *show, const struct kwork_symbols *symbols,
		    const struct kwork_item *item, struct strbuf *out)
{
	struct strbuf name = STRBUF_INIT;
	size_t start = out->len, len;

	put_whole(symbols, item, &name);
	len = show->whole ? name.len : MIN(name.len, (size_t)KWORK_NAME_COLUMNS - 1);
	strbuf_add(out, strbuf_str(&name), len);
	strbuf_pad(out, start + KWORK_NAME_COLUMNS);
	strbuf_release(&name);
}

void kwork_put_time(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%10" PRIu64 ".%06" PRIu64, ns / 1000000000, ns % 1000000000 / 1000);
}

struct span_map *kwork_map_new(const struct kwork_show *show, bool delays)
{
	static const struct span_map_words of[] = {
		{ "Runs of work of the kernel", "from the begin of a run to its end", "runs" },
		{ "Delays of work of the kernel", "from when it was raised until it began",
		  "delays" },
	};

	return show->heatmap ? span_map_new(&of[delays]) : NULL;
}

void kwork_put_losses(const struct analysis *a, struct strbuf *out)
{
	const struct sched_counts none = { 0 };
	struct analysis_losses losses = analysis_losses(a);

	sched_put_losses(&none, &losses, out);
}
