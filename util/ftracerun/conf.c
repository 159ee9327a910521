// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracerun/ftracerun.h"

#include "base/alloc.h"
#include "base/units.h"

#include <errno.h>
#include <stddef.h>
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

/* A word of an option such as --graph-opts: a switch of the run, or a number. */
struct word {
	const char *name;
	size_t at; /* of the bool or u32 in struct ftrace_conf */
	bool number;
};

#define SWITCH(n, member)                                                                          \
	{                                                                                          \
		n, offsetof(struct ftrace_conf, member), false                                     \
	}
#define NUMBER(n, member)                                                                          \
	{                                                                                          \
		n, offsetof(struct ftrace_conf, member), true                                      \
	}

static const struct word graph_words[] = {
	SWITCH("nosleep-time", nosleep),
	SWITCH("noirqs", noirqs),
	SWITCH("verbose", verbose),
	SWITCH("tail", tail),
	SWITCH("args", args),
	SWITCH("retval", retval),
	SWITCH("retaddr", retaddr),
	SWITCH("retval-hex", retval_hex),
	NUMBER("depth", depth),
	NUMBER("thresh", thresh),
};

static const struct word func_words[] = {
	SWITCH("call-graph", call_graph),
	SWITCH("irq-info", irq_info),
	SWITCH("args", func_args),
};

static int read_words(struct ftrace_conf *c, const char *option, const char *text,
		      const struct word *words, size_t nr, struct err *err)
{
	while (*text) {
		const size_t len = strcspn(text, ","), name = strcspn(text, ",=");
		void *value;
		char *end;
		size_t i;

		for (i = 0; i < nr; i++)
			if (strlen(words[i].name) == name && !strncmp(words[i].name, text, name))
				break;
		if (i == nr || (len != name) != words[i].number)
			return err_set(err, -EINVAL, "%s: '%.*s' is no option that there is",
				       option, (int)len, text);
		value = (char *)c + words[i].at;
		if (words[i].number) {
			*(u32 *)value = strtoul(text + name + 1, &end, 10);
			if (end != text + len || len == name + 1)
				return err_set(err, -EINVAL, "%s: '%.*s' has no number", option,
					       (int)len, text);
		} else {
			*(bool *)value = true;
		}
		text += len + (text[len] == ',');
	}
	return 0;
}

int ftrace_buffer_size(struct ftrace_conf *c, const char *text, struct err *err)
{
	u64 bytes;

	if (!size_parse(text, &bytes) || !bytes)
		return err_set(err, -EINVAL,
			       "-m: '%s' is no size, which has a B, K, M or G behind it", text);
	c->buffer_kb = (bytes + 1023) / 1024;
	return 0;
}

int ftrace_graph_options(struct ftrace_conf *c, const char *text, struct err *err)
{
	return read_words(c, "--graph-opts", text, graph_words, ARRAY_SIZE(graph_words), err);
}

int ftrace_func_options(struct ftrace_conf *c, const char *text, struct err *err)
{
	return read_words(c, "--func-opts", text, func_words, ARRAY_SIZE(func_words), err);
}

static void put_words(const struct word *words, size_t nr, struct strbuf *out)
{
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(out, "%s%s%s", i ? " " : "", words[i].name, words[i].number ? "=" : "");
}

void ftrace_graph_words(struct strbuf *out)
{
	put_words(graph_words, ARRAY_SIZE(graph_words), out);
}

void ftrace_func_words(struct strbuf *out)
{
	put_words(func_words, ARRAY_SIZE(func_words), out);
}
