// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracerun/ftracerun.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>

void ftrace_texts_add(struct ftrace_texts *t, const char *text)
{
	VEC_GROW(t->v, t->nr + 1, t->cap);
	t->v[t->nr++] = text;
}

void ftrace_conf_release(struct ftrace_conf *c)
{
	free(c->funcs.v);
	free(c->not_funcs.v);
	free(c->graph.v);
	free(c->not_graph.v);
	free(c->events);
}

void ftrace_events_add(struct ftrace_conf *c, const char *names)
{
	VEC_GROW(c->events, c->nr_events + 1, c->cap_events);
	c->events[c->nr_events++] = (struct ftrace_event_arg){ names, NULL };
}

bool ftrace_events_filter(struct ftrace_conf *c, const char *filter)
{
	if (!c->nr_events)
		return false;
	c->events[c->nr_events - 1].filter = filter;
	return true;
}

/* One word of an option such as --graph-opts: a switch, or with a number. */
struct word {
	const char *name;
	bool *on;
	u32 *number;
};

static int read_words(const char *option, const char *text, const struct word *words, size_t nr,
		      struct err *err)
{
	while (*text) {
		const size_t len = strcspn(text, ","), name = strcspn(text, ",=");
		char *end;
		size_t i;

		for (i = 0; i < nr; i++)
			if (strlen(words[i].name) == name && !strncmp(words[i].name, text, name))
				break;
		if (i == nr || (len != name) != !!words[i].number)
			return err_set(err, -EINVAL, "%s: '%.*s' is no option that there is",
				       option, (int)len, text);
		if (words[i].number) {
			*words[i].number = strtoul(text + name + 1, &end, 10);
			if (end != text + len || len == name + 1)
				return err_set(err, -EINVAL, "%s: '%.*s' has no number", option,
					       (int)len, text);
		} else {
			*words[i].on = true;
		}
		text += len + (text[len] == ',');
	}
	return 0;
}

int ftrace_graph_options(struct ftrace_conf *c, const char *text, struct err *err)
{
	const struct word words[] = {
		{ "nosleep-time", &c->nosleep, NULL },
		{ "noirqs", &c->noirqs, NULL },
		{ "verbose", &c->verbose, NULL },
		{ "tail", &c->tail, NULL },
		{ "args", &c->args, NULL },
		{ "retval", &c->retval, NULL },
		{ "retaddr", &c->retaddr, NULL },
		{ "retval-hex", &c->retval_hex, NULL },
		{ "depth", NULL, &c->depth },
		{ "thresh", NULL, &c->thresh },
	};

	return read_words("--graph-opts", text, words, ARRAY_SIZE(words), err);
}

int ftrace_func_options(struct ftrace_conf *c, const char *text, struct err *err)
{
	const struct word words[] = {
		{ "call-graph", &c->call_graph, NULL },
		{ "irq-info", &c->irq_info, NULL },
		{ "args", &c->func_args, NULL },
	};

	return read_words("--func-opts", text, words, ARRAY_SIZE(words), err);
}
