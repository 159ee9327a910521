// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracerun/select.h"

#include "base/alloc.h"
#include "base/int-list.h"
#include "base/suggest.h"
#include "events/event-filters.h"
#include "tracerun/arg-filter.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <unistd.h>

#define GROUP_MAX 65536 /* bytes of a file that names calls */

void trace_select_release(struct trace_select *s)
{
	for (size_t i = 0; i < s->nr; i++)
		free(s->names[i].name);
	free(s->names);
	for (size_t i = 0; i < s->nr_filtered; i++) {
		free(s->filtered[i].name);
		free(s->filtered[i].filter);
	}
	free(s->filtered);
	strbuf_release(&s->events);
	*s = (struct trace_select){ 0 };
}

static void add_name(struct trace_select *s, const char *name, bool by_pattern)
{
	s->given = true;
	for (size_t i = s->last; i < s->nr; i++) {
		if (strcmp(s->names[i].name, name))
			continue;
		s->names[i].by_pattern &= by_pattern;
		return;
	}
	VEC_GROW(s->names, s->nr + 1, s->cap);
	s->names[s->nr++] = (struct trace_name){ xstrdup(name), by_pattern };
}

/* Add all calls that match. Return: there is one. */
static bool add_matching(struct trace_select *s, const char *glob, const struct sysargs *sa)
{
	const struct sysargs *narrow = sysargs_of(sa, SYSARGS_NARROW);
	bool any = narrow != sa && add_matching(s, glob, narrow);

	for (u32 nr = 0; nr < sysargs_nr(sa); nr++) {
		const struct syscall_desc *d = sysargs_call(sa, nr);

		if (!d || fnmatch(glob, d->name, 0))
			continue;
		add_name(s, d->name, true);
		any = true;
	}
	return any;
}

/* ---- groups ---- */

/* Return: the text of the file that describes a group, which the caller frees; NULL: none. */
static char *read_group(const struct trace_groups *groups, const char *name)
{
	struct strbuf text = STRBUF_INIT;

	if (!groups || !*name || strchr(name, '/') || name[0] == '.')
		return NULL;
	for (size_t i = 0; groups->folders[i]; i++) {
		char *path = xasprintf("%s/%s", groups->folders[i], name);
		int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		ssize_t n;

		free(path);
		if (fd < 0)
			continue;
		strbuf_grow(&text, GROUP_MAX);
		n = read(fd, text.buf, GROUP_MAX);
		close(fd);
		if (n <= 0)
			continue;
		text.len = (size_t)n;
		text.buf[text.len] = 0;
		return strbuf_detach(&text);
	}
	strbuf_release(&text);
	return NULL;
}

/* Lines name calls, or globs of them; the rest of a line behind '#' is a comment. Calls that this
 * machine does not have are passed over: groups are for all. */
static bool add_group(struct trace_select *s, const char *name, const struct sysargs *sa,
		      const struct trace_groups *groups)
{
	char *text = read_group(groups, name), *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		line[strcspn(line, "# \t\r,")] = 0;
		if (*line)
			add_matching(s, line, sa);
	}
	free(text);
	s->given |= text != NULL;
	return text != NULL;
}

/* ---- lists ---- */

/* Append the names of calls that are nearest to a word, with commas. */
static void near_names(struct strbuf *out, const char *word, const struct sysargs *sa)
{
	struct near near = { .word = word };

	for (u32 nr = 0; nr < sysargs_nr(sa); nr++) {
		const struct syscall_desc *d = sysargs_call(sa, nr);

		if (d)
			near_add(&near, d->name);
	}
	for (size_t i = 0; i < near.nr; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", near.best[i]);
	near_release(&near);
}

int trace_select_near(const char *word, const struct sysargs *sa, struct err *err)
{
	struct strbuf names = STRBUF_INIT;
	const bool any = !word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_")];

	if (any)
		near_names(&names, word, sa);
	if (names.len)
		err_set(err, -EINVAL, "There is no system call '%s' either, did you mean %s?", word,
			strbuf_str(&names));
	strbuf_release(&names);
	return err->code ? 0 : -ENOENT;
}

static int unknown(const char *word, const struct sysargs *sa, struct err *err)
{
	struct strbuf names = STRBUF_INIT;
	int rc;

	near_names(&names, word, sa);
	rc = err_set(err, -EINVAL, "-e: there is no system call '%s'%s%s", word,
		     names.len ? ", did you mean " : "", strbuf_str(&names));
	strbuf_release(&names);
	return rc;
}

/* Tell whether programs of this machine, or the narrow ones that it runs, have a call. */
static bool is_call(const struct sysargs *sa, const char *name)
{
	return sysargs_number(sa, name) >= 0 ||
	       sysargs_number(sysargs_of(sa, SYSARGS_NARROW), name) >= 0;
}

static bool is_glob(const char *word)
{
	return strpbrk(word, "*?[") != NULL;
}

static int add_word(struct trace_select *s, const char *word, const struct sysargs *sa,
		    const struct trace_groups *groups, struct err *err)
{
	if (is_call(sa, word)) {
		add_name(s, word, false);
		return 0;
	}
	if (!strpbrk(word, ":/{}") &&
	    ((is_glob(word) && add_matching(s, word, sa)) || add_group(s, word, sa, groups)))
		return 0;
	if (s->negated)
		return unknown(word, sa, err);
	strbuf_addf(&s->events, "%s%s", s->events.len ? "," : "", word);
	return 0;
}

/* Return: the end of the first word, which a comma outside of braces and slashes ends. */
static size_t word_length(const char *p)
{
	bool terms = false;
	int depth = 0;
	size_t i;

	for (i = 0; p[i] && (p[i] != ',' || depth || terms); i++) {
		terms ^= p[i] == '/';
		depth += (p[i] == '{') - (p[i] == '}');
	}
	return i;
}

int trace_select_add(struct trace_select *s, const char *list, const struct sysargs *sa,
		     const struct trace_groups *groups, struct err *err)
{
	int rc = 0;

	s->last = s->nr;
	if (*list == '!') {
		s->negated = s->given = true;
		list++;
	}
	while (*list && !rc) {
		size_t len = word_length(list);
		char *word = xasprintf("%.*s", (int)len, list);

		if (*word)
			rc = add_word(s, word, sa, groups, err);
		free(word);
		list += len + (list[len] == ',');
	}
	return rc;
}

/* ---- filters on arguments ---- */

static struct trace_filtered *find_filtered(const struct trace_select *s, const char *name)
{
	for (size_t i = 0; i < s->nr_filtered; i++)
		if (!strcmp(s->filtered[i].name, name))
			return &s->filtered[i];
	return NULL;
}

const char *trace_select_filtered(const struct trace_select *s, const char *name)
{
	const struct trace_filtered *f = find_filtered(s, name);

	return f ? f->filter : NULL;
}

/* Add a filter on the arguments of a call. If it has one already, both have to let it through. */
static void add_filtered(struct trace_select *s, const char *name, const char *filter)
{
	struct trace_filtered *f = find_filtered(s, name);
	char *old;

	if (!f) {
		VEC_GROW(s->filtered, s->nr_filtered + 1, s->cap_filtered);
		s->filtered[s->nr_filtered++] =
			(struct trace_filtered){ xstrdup(name), xstrdup(filter) };
		return;
	}
	old = f->filter;
	f->filter = xasprintf("(%s) && (%s)", old, filter);
	free(old);
}

/* Take the calls out of the list that do not take a filter. @of: how many were asked for with it */
static void leave_out(struct trace_select *s, const struct int_list *lack, size_t of,
		      const char *text, struct strbuf *told)
{
	struct few_names names = { 0 };

	for (size_t i = 0; i < lack->nr; i++)
		few_names_add(&names, s->names[lack->v[i]].name);
	for (size_t i = lack->nr; i-- > 0;) {
		struct trace_name *n = &s->names[lack->v[i]];

		free(n->name);
		memmove(n, n + 1, (size_t)(s->names + s->nr - (n + 1)) * sizeof(*n));
		s->nr--;
	}
	filter_left_out(text, &names, of, "calls", told);
	few_names_release(&names);
}

/*
 * Give the filter to each call of the last list. Calls that a pattern has brought in and that do
 * not take it are noted in @lack. Return: 0, or -EINVAL and the sentence of the first that does
 * not, if it was named or no other call takes the filter.
 */
static int filter_calls(struct trace_select *s, const char *text, const struct sysargs *sa,
			struct int_list *lack, size_t *of, struct err *err)
{
	struct strbuf filter = STRBUF_INIT;
	struct err first = { 0 };
	int rc = 0;

	for (size_t i = s->last; i < s->nr && !rc; i++) {
		const struct trace_name *n = &s->names[i];
		const int nr = sysargs_number(sa, n->name);
		struct err why = { 0 };

		if (nr < 0) /* the kernel has no filters for calls of narrow programs */
			continue;
		++*of;
		strbuf_reset(&filter);
		rc = trace_arg_filter(&filter, sa, sysargs_call(sa, (u32)nr), text, &why);
		if (!rc) {
			add_filtered(s, n->name, strbuf_str(&filter));
			continue;
		}
		if (!lack->nr || !n->by_pattern)
			first = why;
		if (n->by_pattern) {
			int_list_add(lack, (int)i);
			rc = 0;
		}
	}
	if (!rc && lack->nr && lack->nr == *of)
		rc = -EINVAL;
	if (rc)
		*err = first;
	strbuf_release(&filter);
	return rc;
}

int trace_select_filter(struct trace_select *s, const char *text, const struct sysargs *sa,
			struct strbuf *told, struct err *err)
{
	struct int_list lack = { 0 };
	size_t of = 0;
	int rc;

	if (s->negated)
		return err_set(err, -EINVAL,
			       "--filter: name the calls whose arguments it is about "
			       "with -e, not those that are left out");
	rc = filter_calls(s, text, sa, &lack, &of, err);
	if (!rc && lack.nr)
		leave_out(s, &lack, of, text, told);
	int_list_release(&lack);
	return rc;
}

/* ---- numbers ---- */

bool *trace_select_numbers(const struct trace_select *s, const struct sysargs *sa)
{
	bool *wanted;

	if (!s->given)
		return NULL;
	wanted = xcalloc((size_t)sysargs_nr(sa) + 1, sizeof(*wanted));
	for (u32 nr = 0; s->negated && nr < sysargs_nr(sa); nr++)
		wanted[nr] = true;
	for (size_t i = 0; i < s->nr; i++) {
		int nr = sysargs_number(sa, s->names[i].name);

		if (nr >= 0 && (u32)nr < sysargs_nr(sa))
			wanted[nr] = !s->negated;
	}
	return wanted;
}
