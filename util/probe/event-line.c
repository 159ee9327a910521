// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of tracefs' kprobe_events and uprobe_events: written, and read back. */
#include "base/compat.h"
#include "probe/event.h"

#include "base/alloc.h"
#include "probe/definition-internal.h"

#include <ctype.h>
#include <errno.h>

void probe_event_release(struct probe_event *e)
{
	free(e->group);
	free(e->event);
	probe_fetches_release(&e->args);
	*e = (struct probe_event){ 0 };
}

/* ---- writing ---- */

/* Tell whether a text is one word of a line: names come from files, and a blank or a newline in one
 * would be another argument or another line. */
static bool is_word(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!isgraph((unsigned char)*text) && !((unsigned char)*text & 0x80))
			return false;
	return true;
}

static int check_word(const char *what, const char *text, struct err *err)
{
	if (is_word(text))
		return 0;
	return err_set(
		err, -EINVAL,
		"The %s \"%s\" has a blank or a control character, which the kernel cannot be "
		"told.",
		what, text);
}

static void put_user_place(const struct probe_object *o, const struct probe_event *e,
			   struct strbuf *out)
{
	strbuf_addf(out, "%s:0x%" PRIx64, o->path, e->point.offset);
	if (e->point.semaphore)
		strbuf_addf(out, "(0x%" PRIx64 ")", e->point.semaphore);
}

/* Write where a place of the kernel is: by the distance from the beginning of the kernel, as
 * several functions may have one name. Not all kernels take that of returns. */
static void put_kernel_place(const struct probe_object *o, const struct probe_event *e,
			     struct strbuf *out)
{
	const struct probe_point *p = &e->point;
	const char *module = p->module ? p->module : o->module;
	bool far = !e->returns || p->by_address || (o->target && o->target->far_returns);

	if (!p->symbol) {
		strbuf_addf(out, "0x%" PRIx64, p->as_named ? p->addr : p->addr + o->moved);
	} else if (!module && o->functions.text_name && far && !p->as_named) {
		strbuf_addf(out, "%s+%" PRIu64, o->functions.text_name,
			    p->addr - o->functions.text);
	} else {
		strbuf_addf(out, "%s%s%s+%" PRIu64, module ? module : "", module ? ":" : "",
			    p->symbol, p->addr - p->symbol_addr);
	}
}

static int check_places(const struct probe_object *o, const struct probe_event *e, struct err *err)
{
	int rc = 0;

	if (o->user)
		return check_word("path", o->path, err);
	if (e->point.module || o->module)
		rc = check_word("module", e->point.module ? e->point.module : o->module, err);
	if (!rc && e->point.symbol)
		rc = check_word("function", e->point.symbol, err);
	if (!rc && e->point.symbol && strpbrk(e->point.symbol, "%+:"))
		rc = err_set(err, -EINVAL,
			     "The function \"%s\" has a character in its name that means something "
			     "else to the kernel.",
			     e->point.symbol);
	return rc;
}

static int put_args(const struct probe_event *e, struct strbuf *out, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < e->args.nr; i++) {
		const struct probe_fetch *f = &e->args.v[i];

		strbuf_addf(out, " %s%s%s%s%s", f->name ? f->name : "", f->name ? "=" : "",
			    f->value, f->type ? ":" : "", f->type ? f->type : "");
		rc = check_word("argument", f->value, err);
	}
	return rc;
}

int probe_event_line(const struct probe_object *o, const struct probe_event *e, struct strbuf *out,
		     struct err *err)
{
	int rc = check_places(o, e, err);

	if (rc)
		return rc;
	strbuf_addf(out, "%c:%s/%s ", e->returns ? 'r' : 'p', e->group, e->event);
	if (o->user)
		put_user_place(o, e, out);
	else
		put_kernel_place(o, e, out);
	return put_args(e, out, err);
}

int probe_event_bootconfig(const struct probe_object *o, const struct probe_event *e,
			   struct strbuf *out, struct err *err)
{
	struct strbuf probe = STRBUF_INIT;
	int rc = check_places(o, e, err);

	if (!rc && o->user)
		rc = err_set(err, -EINVAL, "--bootconfig doesn't support uprobes.");
	if (!rc) {
		put_kernel_place(o, e, &probe);
		if (e->returns)
			strbuf_addstr(&probe, "%return");
		rc = put_args(e, &probe, err);
	}
	if (!rc && strchr(strbuf_str(&probe), '\''))
		rc = err_set(err, -EINVAL,
			     "The probe has a quote, which a boot configuration "
			     "cannot have.");
	if (!rc)
		strbuf_addf(out, "ftrace.event.kprobes.%s.probes += '%s'\n", e->event,
			    strbuf_str(&probe));
	strbuf_release(&probe);
	return rc;
}

/* ---- reading ---- */

void probe_line_release(struct probe_line *l)
{
	for (size_t i = 0; i < l->nr_args; i++)
		free(l->args[i]);
	free(l->args);
	free(l->group);
	free(l->event);
	free(l->path);
	free(l->symbol);
	*l = (struct probe_line){ 0 };
}

/* A word of the line that is being read. */
struct word {
	const char *p;
	size_t len;
};

static bool next_word(const char **p, const char *end, struct word *w)
{
	while (*p < end && isspace((unsigned char)**p))
		++*p;
	w->p = *p;
	while (*p < end && !isspace((unsigned char)**p))
		++*p;
	w->len = (size_t)(*p - w->p);
	return w->len > 0;
}

/* Read "p:GROUP/EVENT", "r8:GROUP/EVENT". */
static bool read_head(struct probe_line *l, struct word w)
{
	const char *colon = memchr(w.p, ':', w.len), *end = w.p + w.len, *slash;

	if (!colon || (w.p[0] != 'p' && w.p[0] != 'r'))
		return false;
	slash = memchr(colon, '/', (size_t)(end - colon));
	if (!slash || slash == colon + 1 || slash + 1 == end)
		return false;
	l->returns = w.p[0] == 'r';
	l->group = xstrndup(colon + 1, (size_t)(slash - colon - 1));
	l->event = xstrndup(slash + 1, (size_t)(end - slash - 1));
	return true;
}

static bool read_user_place(struct probe_line *l, const char *text)
{
	const char *colon = strrchr(text, ':');
	char *end;

	if (!colon || colon == text || strncmp(colon, ":0x", 3))
		return false;
	l->path = xstrndup(text, (size_t)(colon - text));
	l->offset = strtoull(colon + 1, &end, 16);
	l->semaphore = *end == '(' ? strtoull(end + 1, NULL, 16) : 0;
	if (strstr(colon, "%return"))
		l->returns = true;
	return true;
}

static bool read_kernel_place(struct probe_line *l, const char *text)
{
	const char *colon = strchr(text, ':'), *symbol = colon ? colon + 1 : text;
	size_t len = strcspn(symbol, "+%");

	if (!strncmp(symbol, "0x", 2)) {
		l->offset = strtoull(symbol, NULL, 16);
		return true;
	}
	if (!len)
		return false;
	if (colon)
		l->path = xstrndup(text, (size_t)(colon - text));
	l->symbol = xstrndup(symbol, len);
	l->offset = symbol[len] == '+' ? strtoull(symbol + len + 1, NULL, 0) : 0;
	if (strstr(symbol + len, "%return"))
		l->returns = true;
	return true;
}

bool probe_line_parse(struct probe_line *l, const char *text, size_t len, bool user)
{
	const char *p = text, *end = text + len;
	struct word w;
	char *place;
	bool is;

	*l = (struct probe_line){ .user = user };
	if (!next_word(&p, end, &w) || !read_head(l, w) || !next_word(&p, end, &w))
		return false;
	place = xstrndup(w.p, w.len);
	is = user ? read_user_place(l, place) : read_kernel_place(l, place);
	free(place);
	while (is && next_word(&p, end, &w)) {
		VEC_GROW_FROM(l->args, l->nr_args + 1, l->cap_args, 4);
		l->args[l->nr_args++] = xstrndup(w.p, w.len);
	}
	return is;
}
