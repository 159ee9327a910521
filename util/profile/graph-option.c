// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "profile/graph-option.h"

#include "base/alloc.h"
#include "base/suggest.h"

#include <errno.h>

static bool is_prefix(const char *tok, const char *of)
{
	return *tok && !strncmp(tok, of, strlen(tok));
}

static const struct {
	const char *name;
	enum chain_mode mode;
} modes[] = {
	{ "graph", CHAIN_GRAPH },   { "flat", CHAIN_FLAT }, { "fractal", CHAIN_FRACTAL },
	{ "folded", CHAIN_FOLDED }, { "none", CHAIN_NONE },
};

/* Take the way in which graphs are printed. Return: false when @tok says nothing of it. */
static bool graph_mode(struct profile_options *o, const char *tok)
{
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (is_prefix(tok, modes[i].name)) {
			o->chain.mode = modes[i].mode;
			return true;
		}
	}
	return false;
}

void profile_graph_words(struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		strbuf_addf(out, "%s ", modes[i].name);
	strbuf_addstr(out, "caller callee function address srcline branch percent period count ");
}

int profile_graph_word(struct profile_options *o, const char *word, int *numbers)
{
	char *end;

	if (graph_mode(o, word))
		return 0;
	if (is_prefix(word, "caller") || is_prefix(word, "callee")) {
		o->chain.caller = is_prefix(word, "caller");
		o->order_set = true;
		return 0;
	}
	if (is_prefix(word, "function") || is_prefix(word, "address") ||
	    is_prefix(word, "srcline")) {
		o->chain.address = is_prefix(word, "address");
		o->chain.line = is_prefix(word, "srcline");
		return 0;
	}
	if (is_prefix(word, "branch")) {
		o->glue_branches = true;
		return 0;
	}
	if (is_prefix(word, "percent") || is_prefix(word, "period") || is_prefix(word, "count")) {
		o->chain.value = is_prefix(word, "percent")  ? CHAIN_PERCENT
				 : is_prefix(word, "period") ? CHAIN_PERIOD
							     : CHAIN_COUNT;
		return 0;
	}
	if (!*numbers) {
		o->chain.min_percent = strtod(word, &end);
	} else {
		o->chain.print_limit = strtoul(word, &end, 0);
	}
	++*numbers;
	return end == word || *end ? -1 : 0;
}

void profile_graph_off(struct profile_options *o)
{
	o->chain.mode = CHAIN_NONE;
	o->graph_asked = false;
}

static int unknown_word(const char *word, const char *text, struct err *err)
{
	struct strbuf words = STRBUF_INIT;

	profile_graph_words(&words);
	err_set(err, -EINVAL, "invalid part '%s' of --call-graph '%s'", word, text);
	err_suggest(err, word, strlen(word), strbuf_str(&words));
	strbuf_release(&words);
	return -EINVAL;
}

int profile_graph_parse(struct profile_options *o, const char *text, struct err *err)
{
	char *copy = xstrdup(text), *word, *at;
	int numbers = 0, ret = 0;

	for (word = strtok_r(copy, ", ", &at); word && !ret; word = strtok_r(NULL, ", ", &at)) {
		if (profile_graph_word(o, word, &numbers))
			ret = unknown_word(word, text, err);
		/* No graph is shown, so what else is said of it does not matter. */
		if (o->chain.mode == CHAIN_NONE && is_prefix(word, "none"))
			break;
	}
	free(copy);
	o->graph_asked = o->chain.mode != CHAIN_NONE;
	return ret;
}

void profile_branch_history(struct profile_options *o)
{
	o->glue_branches = true;
	o->chain.address = true;
	o->chain.marks = true;
	o->branches = false;
	o->branches_set = true;
	o->graph_asked = o->chain.mode != CHAIN_NONE;
	if (!o->sort && !o->fields)
		o->sort = "srcline,symbol,dso";
}
