// SPDX-License-Identifier: GPL-2.0-or-later
/* The keys of perf top --stdio: one table, which the help shows and keys are looked up in. */
#include "base/compat.h"
#include "cmd/top/console.h"

#include "base/alloc.h"

#include <ctype.h>
#include <unistd.h>

/* A key, what it does, and its present value as text. Return of @act: is it time to end? */
struct top_key {
	char key;
	const char *help;
	bool (*act)(struct console *s, struct top *top);
	void (*value)(const struct top *top, struct strbuf *out);
	bool (*there)(const struct top *top); /* NULL: always */
};

/* Ask for a number of at least @least. Return: false when none was entered. */
static bool ask_number(struct console *s, const char *question, double least, double *out)
{
	char *text = console_ask(s, question), *end;
	double v = text ? strtod(text, &end) : 0;
	bool good = text && end != text && !*end && v >= least;

	free(text);
	if (good)
		*out = v;
	return good;
}

static bool key_delay(struct console *s, struct top *top)
{
	double v;

	if (ask_number(s, "Enter display delay", 0.01, &v))
		top->text.set.delay = v;
	return false;
}

static void value_delay(const struct top *top, struct strbuf *out)
{
	strbuf_addf(out, "%g", top->text.set.delay);
}

static bool key_entries(struct console *s, struct top *top)
{
	double v;

	if (ask_number(s, "Enter display entries (lines, 0: all that fit)", 0, &v))
		top->text.entries = (unsigned int)v;
	return false;
}

static void value_entries(const struct top *top, struct strbuf *out)
{
	strbuf_addf(out, "%u", top->text.entries);
}

static bool key_least(struct console *s, struct top *top)
{
	double v;

	if (ask_number(s, "Enter display event count filter", 0, &v))
		top->text.set.least = (unsigned int)v;
	return false;
}

static void value_least(const struct top *top, struct strbuf *out)
{
	strbuf_addf(out, "%u", top->text.set.least);
}

static bool key_percent(struct console *s, struct top *top)
{
	double v;

	if (ask_number(s, "Enter details display event filter (percent)", 0, &v))
		top->text.set.least_percent = v;
	return false;
}

static void value_percent(const struct top *top, struct strbuf *out)
{
	strbuf_addf(out, "%g%%", top->text.set.least_percent);
}

static bool key_symbol(struct console *s, struct top *top)
{
	char *name = console_ask(s, "Enter details symbol");

	if (!name)
		return false;
	free(top->text.symbol);
	top->text.symbol = name;
	return false;
}

static void value_symbol(const struct top *top, struct strbuf *out)
{
	strbuf_addstr(out, top->text.symbol ? top->text.symbol : "NULL");
}

static bool key_no_symbol(struct console *s __unused, struct top *top)
{
	free(top->text.symbol);
	top->text.symbol = NULL;
	return false;
}

static bool several_events(const struct top *top)
{
	return toptext_nr_events(&top->text) > 1;
}

/* Show the next event that has rows of its own. */
static bool key_event(struct console *s __unused, struct top *top)
{
	toptext_next_event(&top->text);
	return false;
}

static void value_event(const struct top *top, struct strbuf *out)
{
	strbuf_addstr(out, top->text.events->evsels[top->text.shown]->name);
}

static bool key_kernel(struct console *s __unused, struct top *top)
{
	top->text.set.hide_kernel = !top->text.set.hide_kernel;
	return false;
}

static void value_kernel(const struct top *top, struct strbuf *out)
{
	strbuf_addstr(out, top->text.set.hide_kernel ? "yes" : "no");
}

static bool key_user(struct console *s __unused, struct top *top)
{
	top->text.set.hide_user = !top->text.set.hide_user;
	return false;
}

static void value_user(const struct top *top, struct strbuf *out)
{
	strbuf_addstr(out, top->text.set.hide_user ? "yes" : "no");
}

static bool key_zero(struct console *s __unused, struct top *top)
{
	top->text.set.zero = !top->text.set.zero;
	return false;
}

static void value_zero(const struct top *top, struct strbuf *out)
{
	strbuf_addstr(out, top->text.set.zero ? "1" : "0");
}

static bool key_quit(struct console *s __unused, struct top *top __unused)
{
	return true;
}

static const struct top_key keys[] = {
	{ 'd', "display refresh delay.", key_delay, value_delay },
	{ 'e', "display entries (lines).", key_entries, value_entries },
	{ 'E', "active event counter.", key_event, value_event, several_events },
	{ 'f', "profile display filter (count).", key_least, value_least },
	{ 'F', "annotate display filter (percent).", key_percent, value_percent },
	{ 's', "annotate symbol.", key_symbol, value_symbol },
	{ 'S', "stop annotation.", key_no_symbol },
	{ 'K', "hide kernel symbols.", key_kernel, value_kernel },
	{ 'U', "hide user symbols.", key_user, value_user },
	{ 'z', "toggle sample zeroing.", key_zero, value_zero },
	{ 'q', "quit.", key_quit },
};

static const struct top_key *find_key(const struct top *top, char key)
{
	if (key == 'Q')
		key = 'q';
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].key == key && (!keys[i].there || keys[i].there(top)))
			return &keys[i];
	return NULL;
}

static void put_help(const struct top *top, struct strbuf *out)
{
	strbuf_addstr(out, "\nMapped keys:\n");
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct top_key *k = &keys[i];

		if (k->there && !k->there(top))
			continue;
		strbuf_addf(out, "\t[%s]\t%-34s", k->act == key_quit ? "qQ" : (char[]){ k->key, 0 },
			    k->help);
		if (k->value) {
			strbuf_addstr(out, " \t(");
			k->value(top, out);
			strbuf_addch(out, ')');
		}
		strbuf_addch(out, '\n');
	}
	strbuf_addstr(out, "\nEnter selection, or unmapped key to continue: ");
}

bool console_key(struct console *s, struct top *top, char key)
{
	const struct top_key *k = find_key(top, key);
	struct strbuf help = STRBUF_INIT;

	if (k)
		return k->act(s, top);
	if (!s->raw)
		return false; /* the rest of a line that somebody else has written */
	put_help(top, &help);
	fputs(strbuf_str(&help), stdout);
	fflush(stdout);
	strbuf_release(&help);
	key = console_next_key(s);
	k = find_key(top, key);
	return !key || (k && k->act(s, top));
}
