// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "toptext/keys.h"

#include <stddef.h>

/* What a key changes is a member of struct toptext, or something that a function does. */
enum kind { KEY_ACTS, KEY_REAL, KEY_COUNT, KEY_FLAG };

struct top_key {
	char key;
	const char *help;
	enum kind kind;
	size_t member;        /* its offset */
	const char *question; /* of a number that is asked for, */
	double least;         /* which must not be below that */
	const char *unit;     /* of a number: what follows it; of a flag: no and yes, "01" */
	enum toptext_did (*act)(struct toptext *t, toptext_ask_fn *ask, void *ctx);
	void (*value)(const struct toptext *t, struct strbuf *out);
	bool (*there)(const struct toptext *t); /* NULL: always */
};

/* ---- what is more than a number or a flag ---- */

static enum toptext_did ask_symbol(struct toptext *t, toptext_ask_fn *ask, void *ctx)
{
	char *name = ask(ctx, "Enter details symbol");

	if (!name)
		return TOPTEXT_DONE;
	free(t->symbol);
	t->symbol = name;
	return TOPTEXT_DONE;
}

static void put_symbol(const struct toptext *t, struct strbuf *out)
{
	strbuf_addstr(out, t->symbol ? t->symbol : "NULL");
}

static enum toptext_did no_symbol(struct toptext *t, toptext_ask_fn *ask __unused,
				  void *ctx __unused)
{
	free(t->symbol);
	t->symbol = NULL;
	return TOPTEXT_DONE;
}

static bool several_events(const struct toptext *t)
{
	return toptext_nr_events(t) > 1;
}

static enum toptext_did next_event(struct toptext *t, toptext_ask_fn *ask __unused,
				   void *ctx __unused)
{
	toptext_next_event(t);
	return TOPTEXT_DONE;
}

static void put_event(const struct toptext *t, struct strbuf *out)
{
	strbuf_addstr(out, t->events->evsels[t->shown]->name);
}

static enum toptext_did quit(struct toptext *t __unused, toptext_ask_fn *ask __unused,
			     void *ctx __unused)
{
	return TOPTEXT_QUIT;
}

/* ---- the table ---- */

#define MEMBER(k, name) .kind = (k), .member = offsetof(struct toptext, name)

static const struct top_key keys[] = {
	{ 'd', "display refresh delay.", MEMBER(KEY_REAL, set.delay),
	  .question = "Enter display delay", .least = 0.01 },
	{ 'e', "display entries (lines).", MEMBER(KEY_COUNT, entries),
	  .question = "Enter display entries (lines, 0: all that fit)" },
	{ 'E', "active event counter.", .act = next_event, .value = put_event,
	  .there = several_events },
	{ 'f', "profile display filter (count).", MEMBER(KEY_COUNT, set.least),
	  .question = "Enter display event count filter" },
	{ 'F', "annotate display filter (percent).", MEMBER(KEY_REAL, set.least_percent),
	  .question = "Enter details display event filter (percent)", .unit = "%" },
	{ 's', "annotate symbol.", .act = ask_symbol, .value = put_symbol },
	{ 'S', "stop annotation.", .act = no_symbol },
	{ 'K', "hide kernel symbols.", MEMBER(KEY_FLAG, set.hide_kernel) },
	{ 'U', "hide user symbols.", MEMBER(KEY_FLAG, set.hide_user) },
	{ 'z', "toggle sample zeroing.", MEMBER(KEY_FLAG, set.zero), .unit = "01" },
	{ 'q', "quit.", .act = quit },
};

static const struct top_key *find_key(const struct toptext *t, char key)
{
	if (key == 'Q')
		key = 'q';
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].key == key && (!keys[i].there || keys[i].there(t)))
			return &keys[i];
	return NULL;
}

/* ---- keys that are pressed ---- */

/* Ask for a number. Return: false when none was entered that will do. */
static bool ask_number(const struct top_key *k, toptext_ask_fn *ask, void *ctx, double *out)
{
	char *text = ask(ctx, k->question), *end;
	double v = text ? strtod(text, &end) : 0;
	bool good = text && end != text && !*end && v >= k->least && v <= 1e6;

	free(text);
	if (good)
		*out = v;
	return good;
}

enum toptext_did toptext_key(struct toptext *t, char key, toptext_ask_fn *ask, void *ctx)
{
	const struct top_key *k = find_key(t, key);
	void *member = k ? (char *)t + k->member : NULL;
	double v;

	if (!k)
		return TOPTEXT_UNKNOWN;
	if (k->kind == KEY_ACTS)
		return k->act(t, ask, ctx);
	if (k->kind == KEY_FLAG)
		*(bool *)member = !*(bool *)member;
	else if (!ask_number(k, ask, ctx, &v))
		return TOPTEXT_DONE;
	else if (k->kind == KEY_REAL)
		*(double *)member = v;
	else
		*(unsigned int *)member = (unsigned int)v;
	return TOPTEXT_DONE;
}

/* ---- help ---- */

static void put_flag(const struct top_key *k, bool on, struct strbuf *out)
{
	if (k->unit)
		strbuf_addch(out, k->unit[on]);
	else
		strbuf_addstr(out, on ? "yes" : "no");
}

static void put_value(const struct top_key *k, const struct toptext *t, struct strbuf *out)
{
	const void *member = (const char *)t + k->member;

	if (k->value)
		k->value(t, out);
	else if (k->kind == KEY_FLAG)
		put_flag(k, *(const bool *)member, out);
	else
		strbuf_addf(out, "%.10g%s",
			    k->kind == KEY_REAL ? *(const double *)member
						: *(const unsigned int *)member,
			    k->unit ? k->unit : "");
}

void toptext_keys(const struct toptext *t, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct top_key *k = &keys[i];
		const char name[] = { k->key, 0 };

		if (k->there && !k->there(t))
			continue;
		strbuf_addf(out, "\t[%s]\t%-34s", k->key == 'q' ? "qQ" : name, k->help);
		if (k->kind != KEY_ACTS || k->value) {
			strbuf_addstr(out, " \t(");
			put_value(k, t, out);
			strbuf_addch(out, ')');
		}
		strbuf_addch(out, '\n');
	}
}
