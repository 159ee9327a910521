// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "analyze/pair-key.h"

#include "base/alloc.h"

#include <errno.h>

enum { OF_PID, OF_TID, OF_CPU, OF_COMM, OF_NR };

static const char *const of_sample[OF_NR] = {
	[OF_PID] = "pid",
	[OF_TID] = "tid",
	[OF_CPU] = "cpu",
	[OF_COMM] = "comm",
};

/* ------------------------------------------------------------------ the option */

static int add_field(struct pair_keys *k, const char *word, size_t len, struct err *err)
{
	const char *eq = memchr(word, '=', len);
	size_t first = eq ? (size_t)(eq - word) : len;
	const char *second = eq ? eq + 1 : word;
	size_t second_len = eq ? len - first - 1 : len;

	if (!first || !second_len)
		return err_set(err, -EINVAL, "--key: a name is missing in '%.*s'", (int)len, word);
	if (k->nr == PAIR_MAX_KEYS)
		return err_set(err, -EINVAL, "--key: no more than %d fields", PAIR_MAX_KEYS);
	k->fields[k->nr].name[PAIR_START] = xstrndup(word, first);
	k->fields[k->nr++].name[PAIR_END] = xstrndup(second, second_len);
	return 0;
}

int pair_keys_parse(struct pair_keys *k, const char *text, struct err *err)
{
	int ret = 0;

	while (!ret) {
		size_t len = strcspn(text, ",");

		ret = add_field(k, text, len, err);
		if (!text[len])
			break;
		text += len + 1;
	}
	return ret;
}

void pair_keys_release(struct pair_keys *k)
{
	for (u32 i = 0; i < k->nr; i++) {
		free(k->fields[i].name[PAIR_START]);
		free(k->fields[i].name[PAIR_END]);
	}
	free(k->sources);
	intern_release(&k->texts);
	memset(k, 0, sizeof(*k));
}

/* ------------------------------------------------------------------ the events */

static int find_of_sample(const char *name)
{
	for (int i = 0; i < OF_NR; i++)
		if (!strcmp(name, of_sample[i]))
			return i;
	return -1;
}

static int bind_field(struct pair_source *src, enum pair_role role, u32 n, const char *name,
		      const struct evsel *e, struct err *err)
{
	bool plain = !strncmp(name, "sample.", 7);
	int of;

	src->field[role][n] = NULL;
	if (!plain && src->tf)
		src->field[role][n] = tf_find_field(src->tf, name);
	if (src->field[role][n])
		return 0;
	of = find_of_sample(name + (plain ? 7 : 0));
	if (of < 0)
		return err_set(err, -ENOENT,
			       "--key: '%s' is no field of %s%s. See `perf list --details' or "
			       "`perf script --ndjson' for those it has.",
			       name, e->name,
			       evsel_is_tracepoint(e) && !src->tf
				       ? ", whose format was not recorded"
				       : "");
	if (!(e->attr.sample_type & (of == OF_CPU ? PERF_SAMPLE_CPU : PERF_SAMPLE_TID)))
		return err_set(err, -ENOENT, "--key: the samples of %s were recorded without %s",
			       e->name, of == OF_CPU ? "their CPU" : "their thread");
	src->of_sample[role][n] = (u8)of;
	return 0;
}

/* The name "block:block_rq_issue" also matches the event with modifiers. */
static bool is_named(const struct evsel *e, const char *name)
{
	size_t len = strlen(name);
	const char *rest = e->name + len;

	if (strncmp(e->name, name, len))
		return false;
	return !*rest || (*rest == ':' && strchr(name, ':') && !strchr(rest + 1, ':'));
}

static int bind_role(struct pair_keys *k, const struct evlist *l, const struct tracefmt *tf,
		     enum pair_role role, const char *name, struct err *err)
{
	bool any = false;

	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];
		struct pair_source *src = &k->sources[i];

		if (!is_named(e, name))
			continue;
		any = src->role[role] = true;
		src->tf = evsel_format(e, tf);
		for (u32 n = 0; n < k->nr; n++) {
			int ret = bind_field(src, role, n, k->fields[n].name[role], e, err);

			if (ret)
				return ret;
		}
	}
	return any ? 0
		   : err_set(err, -ENOENT,
			     "--pair: there is no event '%s' in the recording. `perf evlist' "
			     "lists those it has.",
			     name);
}

int pair_keys_bind(struct pair_keys *k, const struct evlist *l, const struct tracefmt *tf,
		   const char *start, const char *end, struct err *err)
{
	int ret;

	free(k->sources);
	k->nr_sources = l->nr;
	k->sources = xcalloc(l->nr + 1, sizeof(*k->sources));
	ret = bind_role(k, l, tf, PAIR_START, start, err);
	return ret ? ret : bind_role(k, l, tf, PAIR_END, end, err);
}

bool pair_keys_role(const struct pair_keys *k, const struct evsel *e, enum pair_role role)
{
	return (size_t)e->idx < k->nr_sources && k->sources[e->idx].role[role];
}

/* ------------------------------------------------------------------ samples */

static u64 sample_word(const struct sample *s, u32 comm, u8 of)
{
	switch (of) {
	case OF_PID:
		return (u64)(s64)(s32)s->pid;
	case OF_TID:
		return (u64)(s64)(s32)s->tid;
	case OF_CPU:
		return s->cpu;
	default:
		return comm;
	}
}

static bool payload_word(struct pair_keys *k, const struct tf_event *tf, const struct tf_field *f,
			 const struct sample *s, u64 *word)
{
	const char *data;
	size_t len = 0;

	if (!s->raw)
		return false;
	if (!(f->flags & TF_ARRAY))
		return tf_field_int(tf, f, s->raw, s->raw_size, word);
	data = tf_field_data(tf, f, s->raw, s->raw_size, &len);
	if (!data)
		return false;
	*word = intern_id(&k->texts, data, f->flags & TF_STRING ? strnlen(data, len) : len);
	return true;
}

bool pair_keys_get(struct pair_keys *k, const struct evsel *e, enum pair_role role,
		   const struct sample *s, u32 comm, u64 *key)
{
	const struct pair_source *src = &k->sources[e->idx];

	for (u32 n = 0; n < k->nr; n++) {
		const struct tf_field *f = src->field[role][n];

		if (!f)
			key[n] = sample_word(s, comm, src->of_sample[role][n]);
		else if (!payload_word(k, src->tf, f, s, &key[n]))
			return false;
	}
	return true;
}
