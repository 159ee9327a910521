// SPDX-License-Identifier: GPL-2.0-or-later
/* The events of -e: which they are, their filters, their formats. */
#include "base/compat.h"
#include "ftracerun/run-internal.h"

#include "base/alloc.h"
#include "events/event-filters.h"
#include "events/filter.h"
#include "events/parse.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>

/* The events that one term of a -e stands for. */
struct term {
	struct run *r;
	const char *filter;
	char *system, *name; /* patterns */
	bool pattern;        /* it stands for several events */
	size_t nr;
	struct few_names refused; /* of events that cannot be traced */
	struct few_names lack;    /* of events that @filter does not apply to */
	int code;                 /* of the last of either kind */
	struct err why;           /* the filter does not apply to the first one */
};

/* Write to one of the files of an event. */
static int put(struct term *t, const char *system, const char *name, const char *what,
	       const char *text, const char *option, struct err *err)
{
	char *file = xasprintf("events/%s/%s/%s", system, name, what);
	int rc = ftrace_put(&t->r->in, file, text, option, err);

	free(file);
	return rc;
}

/* Check a filter against the format of an event: the kernel says "Invalid argument" alone. */
static int check_filter(const char *filter, const struct tf_event *ev, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct filter_error fe;
	int rc = 0;

	if (tracefilter_check(filter, ev, &fe)) {
		filter_error_format(&fe, filter, &text);
		while (text.len && text.buf[text.len - 1] == '\n')
			text.buf[--text.len] = '\0';
		rc = err_set(err, -EINVAL, "%s", strbuf_str(&text));
	}
	strbuf_release(&text);
	return rc;
}

/* Give an event the filter of its -e. */
static int filter(struct term *t, const struct tf_event *ev, struct err *err)
{
	if (!t->filter)
		return 0;
	return check_filter(t->filter, ev, err)
		       ?: put(t, ev->system, ev->name, "filter", t->filter, "--filter", err);
}

static int take(struct term *t, const char *system, const char *name, struct err *err)
{
	struct few_names *left = &t->lack;
	struct err why = { 0 };
	const struct tf_event *ev =
		tracefmt_load(t->r->text.formats, t->r->c->sysroot, system, name, &why);
	char *full;
	int rc = ev ? filter(t, ev, &why) : why.code ?: -EINVAL;

	t->nr++;
	if (!ev || !rc) {
		left = &t->refused;
		rc = rc ?: put(t, system, name, "enable", "1", "-e", &why);
	}
	if (!rc)
		return 0;
	if (!t->pattern)
		return err_set(err, rc, "%s", why.msg);
	/* One of many: the others can be traced, and this one is named. */
	full = xasprintf("%s:%s", system, name);
	few_names_add(left, full);
	free(full);
	t->code = rc;
	if (left == &t->lack && left->nr == 1)
		t->why = why;
	return 0;
}

/* Call @fn for each folder below one of the instance's, in no order. */
static int each_folder(struct term *t, const char *path, const char *pattern, const char *system,
		       int (*fn)(struct term *t, const char *system, const char *name,
				 struct err *err),
		       struct err *err)
{
	char *dir = ftrace_path(&t->r->in, path);
	DIR *d = opendir(dir);
	struct dirent *e;
	int rc = 0;

	free(dir);
	while (!rc && d && (e = readdir(d)))
		if (e->d_type == DT_DIR && e->d_name[0] != '.' && !fnmatch(pattern, e->d_name, 0))
			rc = fn(t, system, e->d_name, err);
	if (d)
		closedir(d);
	return rc;
}

/* Look through one subsystem. Those of ftrace itself come with their tracers and cannot be
 * switched. */
static int look_in(struct term *t, const char *none, const char *system, struct err *err)
{
	char *path;
	int rc;

	if (!strcmp(system, "ftrace"))
		return 0;
	path = xasprintf("events/%s", system);
	rc = each_folder(t, path, t->name, system, take, err);
	free(path);
	return rc;
}

static void tell_left_out(const struct term *t, const char *text)
{
	struct strbuf line = STRBUF_INIT;

	if (t->refused.nr)
		notice(t->r->c->notes, "-e %s: %zu of %zu events cannot be traced (%s): %s\n", text,
		       t->refused.nr, t->nr, err_str(t->code), strbuf_str(&t->refused.text));
	if (t->lack.nr) {
		filter_left_out(t->filter, &t->lack, t->nr, "events", &line);
		notice(t->r->c->notes, "%s", strbuf_str(&line));
	}
	strbuf_release(&line);
}

static int take_term(struct run *r, const char *text, const char *filter, struct err *err)
{
	const char *colon = strchr(text, ':');
	struct term t = { .r = r, .filter = filter };
	int rc;

	t.system = colon ? xstrndup(text, colon - text) : xstrdup(text);
	t.name = xstrdup(colon ? colon + 1 : "*");
	t.pattern = !colon || strpbrk(text, "*?[");
	rc = each_folder(&t, "events", t.system, NULL, look_in, err);
	if (!rc && !t.nr && !colon) {
		/* It is the name of no subsystem; events may be called so. */
		free(t.system);
		free(t.name);
		t.system = xstrdup("*");
		t.name = xstrdup(text);
		rc = each_folder(&t, "events", t.system, NULL, look_in, err);
	}
	if (!rc && !t.nr)
		rc = err_set(err, -ENOENT,
			     "-e %s: there is no such event\nperf list tracepoint shows them all.",
			     text);
	else if (!rc && t.nr == t.lack.nr)
		rc = err_set(err, t.why.code, "%s", t.why.msg);
	else if (!rc && t.nr == t.refused.nr + t.lack.nr)
		rc = err_set(err, t.code, "-e %s: cannot be traced: %s", text, err_str(t.code));
	else if (!rc)
		tell_left_out(&t, text);
	few_names_release(&t.refused);
	few_names_release(&t.lack);
	free(t.system);
	free(t.name);
	return rc;
}

int frun_event_on(struct run *r, const char *name, struct err *err)
{
	return take_term(r, name, NULL, err);
}

int frun_events(struct run *r, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < r->c->nr_events; i++) {
		const struct ftrace_event_arg *arg = &r->c->events[i];
		const char *p = arg->names;

		while (!rc && *p) {
			const size_t len = strcspn(p, ",");
			char *term = xstrndup(p, len);

			if (len)
				rc = take_term(r, term, arg->filter, err);
			free(term);
			p += len + (p[len] == ',');
		}
	}
	return rc;
}

static int take_own(struct term *t, const char *system, const char *name, struct err *err)
{
	tracefmt_load(t->r->text.formats, t->r->c->sysroot, system, name, NULL);
	return 0;
}

void frun_own_formats(struct run *r)
{
	struct term t = { .r = NULL };
	struct strbuf texts = STRBUF_INIT;
	struct run top = *r;

	/* Instances have that folder in no kernel, but the top one has it. */
	top.in.dir = sysroot_path(r->c->sysroot, "%s", tracefs_path(r->c->sysroot));
	t.r = &top;
	each_folder(&t, "events/ftrace", "*", "ftrace", take_own, NULL);
	free(top.in.dir);
	if (!sysroot_read(r->c->sysroot, &texts, "%s/printk_formats", tracefs_path(r->c->sysroot)))
		tracefmt_printk(r->text.formats, texts.buf, texts.len);
	strbuf_release(&texts);
}
