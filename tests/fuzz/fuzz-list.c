// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What perf list reads, and how it shows what it read. The first byte chooses: 0 the kernel's list
 * of tracepoints, 1 the terms of a PMU's event, 2 the markers of an object in the build-id cache,
 * 3 a tracepoint's format. All of it is also shown as a description.
 */
#include "base/compat.h"
#include "events/catalog.h"
#include "events/filter.h"
#include "listtext/listtext.h"
#include "buildid/markers.h"

#include "base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tracepoints(const char *text, size_t len, struct catalog *c)
{
	size_t i;

	catalog_tracepoint_list(c, text, len);
	for (i = 0; i < c->nr; i++)
		if (!strchr(c->v[i].name, ':') || strchr(c->v[i].name, '\n'))
			abort();
}

static void terms(const char *text, struct catalog *c)
{
	struct strbuf open = STRBUF_INIT;
	struct catalog_event *e;

	if (catalog_terms(text, &open)) {
		e = catalog_add(c, CATALOG_PMU, text);
		e->topic = e->encoding = text;
		e->spec = arena_strdup(&c->strings, strbuf_str(&open));
		if (*e->spec && *e->spec != ',')
			abort();
	}
	strbuf_release(&open);
}

static void markers(const char *text, size_t len, struct catalog *c)
{
	struct sdt_cache sdt = { 0 };
	size_t i;

	sdt_cache_add(&sdt, text, len, "/bin/x", "abcd");
	for (i = 0; i < sdt.nr; i++) {
		const char *colon = strchr(sdt.v[i].event, ':');

		if (!colon || colon == sdt.v[i].event || !colon[1])
			abort();
		catalog_add(c, CATALOG_SDT, arena_strdup(&c->strings, sdt.v[i].event));
	}
	sdt_cache_release(&sdt);
}

/* The example is one that the kernel would take. */
static void fields(const char *text, size_t len, struct strbuf *out)
{
	struct tracefmt *tf = tracefmt_new(false, 8);
	const struct tf_event *ev = tracefmt_add(tf, "sys", text, len, NULL);
	struct strbuf example = STRBUF_INIT;
	struct filter_error fe = { 0 };

	if (ev) {
		list_fields(out, ev, text, len);
		list_fields_json(out, ev, text, len);
		list_fields_example(&example, ev);
		tracefilter_check(strbuf_str(&example), ev, &fe);
	}
	strbuf_release(&example);
	tracefmt_free(tf);
}

/* No control byte but the line breaks that were meant. */
static void check(const struct strbuf *out)
{
	size_t i;

	for (i = 0; i < out->len; i++)
		if ((unsigned char)out->buf[i] < ' ' && !strchr("\n\t", out->buf[i]))
			abort();
}

static void show(const struct list_ops *ops, const struct catalog *c, struct strbuf *out)
{
	struct list_view v = { .ops = ops, .out = out, .desc = true, .details = true };
	const struct catalog_event **sorted = xcalloc(c->nr + 1, sizeof(*sorted));
	size_t i;

	v.width = 40;
	for (i = 0; i < c->nr; i++) {
		sorted[i] = &c->v[i];
		ops->event(&v, &c->v[i]);
	}
	ops->metrics(&v, sorted, c->nr, LIST_METRICS | LIST_GROUPS, NULL);
	free(sorted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf out = STRBUF_INIT;
	struct catalog c = { 0 };
	char *text;
	size_t i, len;

	if (!size)
		return 0;
	len = size - 1;
	text = xmalloc(len + 1);
	memcpy(text, data + 1, len);
	text[len] = '\0';
	switch (data[0]) {
	case 0:
		tracepoints(text, len, &c);
		break;
	case 1:
		terms(text, &c);
		break;
	case 2:
		markers(text, len, &c);
		break;
	default:
		fields(text, len, &out);
		break;
	}
	for (i = 0; i < c.nr; i++)
		c.v[i].desc = c.v[i].expr = c.v[i].groups = text;
	if (c.nr < 200) {
		show(&list_text_ops, &c, &out);
		show(&list_raw_ops, &c, &out);
		show(&list_json_ops, &c, &out);
	}
	check(&out);
	catalog_release(&c);
	strbuf_release(&out);
	free(text);
	return 0;
}
