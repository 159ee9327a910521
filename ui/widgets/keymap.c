// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/widgets/keymap.h"

#include "base/alloc.h"

enum { KEYS_WIDTH = 18, NAME_WIDTH = 18 };

const struct binding common_bindings[] = {
	{ "UP k", REQ_UP, "up", "Go up one line" },
	{ "DOWN j", REQ_DOWN, "down", "Go down one line" },
	{ "PGUP CTRL+b", REQ_PAGE_UP, "page-up", "Go up one screen" },
	{ "PGDN SPACE CTRL+f", REQ_PAGE_DOWN, "page-down", "Go down one screen" },
	{ "HOME", REQ_FIRST, "first", "Go to the first line" },
	{ "END", REQ_LAST, "last", "Go to the last line" },
	{ "<", REQ_SCROLL_LEFT, "scroll-left", "Move the text to the right" },
	{ ">", REQ_SCROLL_RIGHT, "scroll-right", "Move the text to the left" },
	{ "h ? F1", REQ_HELP, "help", "Show this window" },
	{ "ESC", REQ_BACK, "back", "Go back to where you came from" },
	{ "q CTRL+c", REQ_QUIT, "quit", "Leave" },
	{ "CTRL+l", REQ_REDRAW, "redraw", "Draw the screen again" },
	{ "CTRL+z", REQ_SUSPEND, "suspend", "Suspend perf" },
	{ NULL },
};

/* ---- the map ---- */

static void add(struct keymap *m, u32 key, int request)
{
	if (keymap_request(m, key) != REQ_NONE)
		return;
	VEC_GROW(m->items, m->nr + 1, m->cap);
	m->items[m->nr++] = (struct keymap_item){ key, request };
}

/* Add the keys of a list of names. Return: false: one of them is no key. */
static bool add_keys(struct keymap *m, const char *keys, int request)
{
	bool known = true;

	for (const char *s = keys; *s;) {
		size_t n = strcspn(s, " ");
		u32 key = n ? key_parse(s, n) : K_NONE;

		if (key)
			add(m, key, request);
		known &= key || !n;
		s += n + (s[n] == ' ');
	}
	return known;
}

static const char *configured(const struct config *c, const char *view, const char *name)
{
	char key[80];

	snprintf(key, sizeof(key), "keys.%s.%s", view, name);
	return config_get(c, key);
}

/* Add what the configuration says of the keys of a table. */
static void add_configured(struct keymap *m, const struct keys_of *k, const struct config *c,
			   struct strbuf *problems)
{
	for (const struct binding *b = k->bindings; b && b->keys; b++) {
		const char *v = configured(c, k->view, b->name);

		if (v && !add_keys(m, v, b->request) && problems)
			strbuf_addf(problems, "keys.%s.%s: '%s' names something that is no key\n",
				    k->view, b->name, v);
	}
}

static void add_defaults(struct keymap *m, const struct keys_of *k, const struct config *c)
{
	for (const struct binding *b = k->bindings; b && b->keys; b++)
		if (!c || !configured(c, k->view, b->name))
			add_keys(m, b->keys, b->request);
}

void keymap_init(struct keymap *m, const struct keys_of *own, const struct keys_of *more,
		 const struct config *c, struct strbuf *problems)
{
	const struct keys_of common = { own->view, common_bindings };

	*m = (struct keymap){ .own = *own };
	if (more)
		m->more = *more;
	if (c) { /* what users say comes before what we say */
		add_configured(m, &m->own, c, problems);
		add_configured(m, &m->more, c, problems);
		add_configured(m, &common, c, problems);
	}
	add_defaults(m, &m->own, c);
	add_defaults(m, &m->more, c);
	add_defaults(m, &common, c);
}

void keymap_release(struct keymap *m)
{
	free(m->items);
	*m = (struct keymap){ 0 };
}

int keymap_request(const struct keymap *m, u32 key)
{
	for (size_t i = 0; i < m->nr; i++)
		if (m->items[i].key == key)
			return m->items[i].request;
	return REQ_NONE;
}

/* ---- what tells of it ---- */

static bool has_request(const struct binding *b, int request)
{
	while (b && b->keys && b->request != request)
		b++;
	return b && b->keys;
}

/* Append the bindings of a table that are in force, but for those of @told, NULL: none. */
static void help_of(const struct keymap *m, const struct binding *b, const struct binding *told,
		    struct strbuf *out)
{
	char name[KEY_NAME_SIZE];

	for (; b && b->keys; b++) {
		size_t from = out->len;

		for (size_t i = 0; i < m->nr; i++)
			if (m->items[i].request == b->request)
				strbuf_addf(out, "%s%s", out->len > from ? " " : "",
					    key_name(m->items[i].key, name));
		if (out->len == from || has_request(told, b->request)) {
			out->len = from;
			continue;
		}
		strbuf_pad(out, from + KEYS_WIDTH);
		strbuf_addf(out, " %s\n", b->help);
	}
}

void keymap_help(const struct keymap *m, struct strbuf *out)
{
	help_of(m, m->own.bindings, NULL, out);
	help_of(m, m->more.bindings, m->own.bindings, out);
	strbuf_addch(out, '\n');
	help_of(m, common_bindings, NULL, out);
}

void keymap_manual(const struct binding *b, struct strbuf *out)
{
	for (; b->keys; b++)
		strbuf_addf(out, "%-*s %-*s %s\n", KEYS_WIDTH, b->keys, NAME_WIDTH, b->name,
			    b->help);
}
