// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "daemon/config.h"

#include "base/alloc.h"
#include "base/sysroot.h"
#include "base/units.h"
#include "cli/values.h"

#include <ctype.h>
#include <errno.h>

#define SESSION "session-"
#define NAME_MOST 64 /* characters; it becomes the name of a directory */

/* ---- words ---- */

/* Append what stands up to the end of a word, without its quotes. Return: where that is, or NULL
 * when a quote is not closed. */
static const char *read_word(const char *p, struct strbuf *out)
{
	char quote = 0;

	for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
		if (quote && *p == quote)
			quote = 0;
		else if (!quote && (*p == '"' || *p == '\''))
			quote = *p;
		else if (*p == '\\' && quote != '\'' && p[1])
			strbuf_addch(out, *++p);
		else
			strbuf_addch(out, *p);
	}
	return quote ? NULL : p;
}

int daemon_words(const char *line, struct names *out, struct err *err)
{
	struct strbuf word = STRBUF_INIT;
	const char *p = line;

	for (; p && *p;) {
		if (isspace((unsigned char)*p)) {
			p++;
			continue;
		}
		strbuf_reset(&word);
		p = read_word(p, &word);
		if (p)
			names_add(out, strbuf_str(&word));
	}
	strbuf_release(&word);
	return p ? 0 : err_set(err, -EINVAL, "a quote in '%s' is not closed", line);
}

/* ---- values ---- */

/* Read a time with a unit, "10s", "500ms" or "1h", that is not 0. */
static bool time_parse(const char *text, u64 *ns)
{
	u64 ms;

	if (!span_parse(text, &ms))
		return *text && !isdigit((unsigned char)text[strlen(text) - 1]) &&
		       duration_parse(text, ns) && *ns;
	*ns = ms * 1000000;
	return ms && ms <= UINT64_MAX / 1000000;
}

static int read_span(const char *key, const char *value, u64 *ns, struct err *err)
{
	if (time_parse(value, ns))
		return 0;
	return err_set(err, -EINVAL, "%s is a time, such as 10s, 5m or 1h, not '%s'", key, value);
}

/* Read one of "10", "1G" and "7d". */
static int keep_one(struct daemon_keep *k, const char *text, struct err *err)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (end != text && !*end && n && isdigit((unsigned char)*text))
		k->files = n;
	else if (!time_parse(text, &k->age) && (!size_parse(text, &k->bytes) || !k->bytes))
		return err_set(err, -EINVAL,
			       "keep is a number of files, a size such as 1G or an age such as 7d, "
			       "not '%s'",
			       text);
	return 0;
}

static int read_keep(struct daemon_session_config *s, const char *value, struct err *err)
{
	struct names list = { 0 };
	int rc = 0;

	names_split(&list, value);
	for (size_t i = 0; i < list.nr && !rc; i++)
		rc = keep_one(&s->keep, list.v[i], err);
	names_release(&list);
	return rc;
}

static int read_on(struct daemon_session_config *s, const char *value, struct err *err)
{
	struct names list = { 0 };
	int rc = 0;

	names_split(&list, value);
	if (list.nr > ARRAY_SIZE(s->triggers))
		rc = err_set(err, -EINVAL, "on has more than %zu reasons", ARRAY_SIZE(s->triggers));
	for (size_t i = 0; i < list.nr && !rc; i++)
		rc = trigger_parse(&s->triggers[s->nr_triggers++], list.v[i], err);
	names_release(&list);
	return rc;
}

static int read_rate(struct daemon_session_config *s, const char *value, struct err *err)
{
	double percent;
	int rc = percent_parse(&percent, value, err);

	if (rc)
		return rc;
	if (!(percent >= 0.1 && percent <= 100))
		return err_set(err, -EINVAL, "rate is 0.1 to 100 percent of a CPU, not '%s'",
			       value);
	s->rate = (u32)(percent * 10 + 0.5);
	return 0;
}

static int read_key(struct daemon_session_config *s, const char *key, const char *value,
		    struct err *err)
{
	if (!strcmp(key, "run")) {
		struct names words = { 0 };
		int rc = daemon_words(value, &words, err);

		names_release(&words);
		free(s->run);
		s->run = xstrdup(value);
		return rc;
	}
	if (!strcmp(key, "keep"))
		return read_keep(s, value, err);
	if (!strcmp(key, "every"))
		return read_span(key, value, &s->every, err);
	if (!strcmp(key, "for"))
		return read_span(key, value, &s->window, err);
	if (!strcmp(key, "rate"))
		return read_rate(s, value, err);
	if (!strcmp(key, "on"))
		return read_on(s, value, err);
	return err_set(err, -EINVAL,
		       "'%s' is no setting of a session; there are run, keep, every, for, rate "
		       "and on",
		       key);
}

static int check_session(const struct daemon_session_config *s, struct err *err)
{
	if (!s->run)
		return err_set(err, -EINVAL, "run is not given");
	if (!s->every != !s->window)
		return err_set(err, -EINVAL, "every and for belong together");
	if (s->window && s->window >= s->every)
		return err_set(err, -EINVAL, "for is shorter than every");
	return 0;
}

/* ---- the file ---- */

static bool good_name(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '-' && name[i] != '_')
			return false;
	return len && len <= NAME_MOST;
}

static void session_release(struct daemon_session_config *s)
{
	free(s->name);
	free(s->run);
}

static void problem(struct daemon_config *c, const char *session, const struct err *e)
{
	strbuf_addstr(&c->problems, "session '");
	strbuf_addname(&c->problems, session);
	strbuf_addf(&c->problems, "' is left out: %s\n", e->msg);
}

static void read_session(struct daemon_config *out, const struct config *c, const char *section)
{
	struct daemon_session_config s = { .name = xstrdup(section + strlen(SESSION)) };
	size_t len = strlen(section);
	struct err e = { 0 };
	int rc = 0;

	if (!good_name(s.name, strlen(s.name)))
		rc = err_set(&e, -EINVAL,
			     "a name has 1 to %d letters, digits, '-' and '_', because a directory "
			     "is named by it",
			     NAME_MOST);
	for (size_t i = 0; i < c->nr_items && !rc; i++) {
		const struct config_item *item = &c->items[i];

		if (!strncmp(item->key, section, len) && item->key[len] == '.' &&
		    !strchr(item->key + len + 1, '.'))
			rc = read_key(&s, item->key + len + 1, item->value, &e);
	}
	rc = rc ?: check_session(&s, &e);
	if (rc) {
		problem(out, s.name, &e);
		session_release(&s);
		return;
	}
	out->sessions = xrealloc(out->sessions, out->nr_sessions + 1, sizeof(s));
	out->sessions[out->nr_sessions++] = s;
}

static void read_metrics(struct daemon_config *out, const char *value)
{
	char *end;
	unsigned long port = strtoul(value, &end, 10);

	out->metrics = isdigit((unsigned char)*value) && !*end && port <= UINT16_MAX;
	out->port = (u16)port;
	if (!out->metrics)
		strbuf_addf(&out->problems, "daemon.metrics is a port number, not '%s'\n", value);
}

void daemon_config_read(struct daemon_config *out, const struct config *c)
{
	const char *base = config_get(c, "daemon.base");
	const char *metrics = config_get(c, "daemon.metrics");

	*out = (struct daemon_config){ .base = base ? xstrdup(base) : NULL };
	strbuf_addstr(&out->problems, strbuf_str(&c->problems));
	if (metrics)
		read_metrics(out, metrics);
	for (size_t i = 0; i < c->nr_sections; i++) {
		const char *name = c->sections[i].name;
		size_t first = 0;

		if (strncmp(name, SESSION, strlen(SESSION)))
			continue;
		while (first < i && strcmp(c->sections[first].name, name))
			first++;
		if (first == i)
			read_session(out, c, name);
	}
}

static int read_one(struct config *c, const char *path, struct err *err)
{
	const struct sysroot here = { 0 };
	struct strbuf text = STRBUF_INIT;
	unsigned int line;
	int rc = sysroot_read(&here, &text, "%s", path);

	if (rc)
		err_set(err, rc, "cannot read the configuration %s: %s", path, err_str(rc));
	else if (config_parse(c, strbuf_str(&text), text.len, &line))
		strbuf_addf(&c->problems, "bad config file line %u in %s\n", line, path);
	strbuf_release(&text);
	return rc;
}

int daemon_config_load(struct daemon_config *out, const char *path, const char *system, bool whole,
		       struct err *err)
{
	struct config config;
	int rc = 0;

	config_init(&config);
	if (path)
		rc = read_one(&config, path, err);
	else
		config_load(&config, CONFIG_ALL, system);
	if (!rc && whole && config.cut) {
		const char *line = strbuf_str(&config.problems);

		rc = err_set(err, -EINVAL, "%.*s", (int)strcspn(line, "\n"), line);
	}
	if (!rc)
		daemon_config_read(out, &config);
	config_release(&config);
	return rc;
}

void daemon_config_release(struct daemon_config *c)
{
	for (u32 i = 0; i < c->nr_sessions; i++)
		session_release(&c->sessions[i]);
	free(c->sessions);
	free(c->base);
	strbuf_release(&c->problems);
	*c = (struct daemon_config){ 0 };
}

bool daemon_config_same(const struct daemon_session_config *a,
			const struct daemon_session_config *b)
{
	if (strcmp(a->run, b->run) || a->every != b->every || a->window != b->window ||
	    a->rate != b->rate || a->nr_triggers != b->nr_triggers)
		return false;
	for (u32 i = 0; i < a->nr_triggers; i++)
		if (!trigger_same(&a->triggers[i], &b->triggers[i]))
			return false;
	return a->keep.files == b->keep.files && a->keep.bytes == b->keep.bytes &&
	       a->keep.age == b->keep.age;
}

const struct daemon_session_config *daemon_config_find(const struct daemon_config *c,
						       const char *name)
{
	for (u32 i = 0; i < c->nr_sessions; i++)
		if (!strcmp(c->sessions[i].name, name))
			return &c->sessions[i];
	return NULL;
}
