// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Adding probes. Everything that can fail is tried before the first line is written, and what was
 * written is taken back when a later line is refused, so that nothing is half added.
 */
#include "base/compat.h"
#include "cmd/probe/probe.h"

#include "base/alloc.h"
#include "cmd/common/message.h"
#include "kernel/synth.h"
#include "probe/text.h"

#include <errno.h>
#include <unistd.h>

/* One wanted definition on its way to events. */
struct adding {
	struct probe_target target;
	char *module_file; /* owned */
	struct probe_definition definition;
	struct probe_object *object; /* many definitions are for the same one, which is read once */
	bool shared;                 /* it is that of the definition before */
	struct probe_events events;
	bool again; /* it is the definition before, for another object: names get numbers */
};

static void release(struct adding *a)
{
	probe_events_release(&a->events);
	probe_definition_release(&a->definition);
	if (a->object && !a->shared) {
		probe_object_close(a->object);
		free(a->object);
	}
	free(a->module_file);
}

/* ---- from definitions to events ---- */

/* Make the events, still without names, and tell of a prologue that was skipped. */
static int make_events(struct probe_cmd *c, struct adding *a, struct err *err)
{
	const struct probe_limits limits = { (u32)c->max_probes, c->no_inlines };
	int rc = probe_events_find(a->object, &a->definition, &limits, &a->events, err);

	if (!rc && a->events.skipped)
		probe_say(c,
			  "Target program is compiled without optimization. Skipping prologue.\n"
			  "Probe on address 0x%" PRIx64
			  " to force probing at the function entry.\n\n",
			  a->events.skipped);
	return rc;
}

/* Warn of functions that run once only, to choose the one that all calls lead to. */
static void warn_indirect(const struct probe_cmd *c, const struct adding *a)
{
	for (size_t i = 0; i < a->events.nr; i++)
		if (a->events.v[i].point.indirect)
			probe_say(
				c,
				"Warning: The probe function (%s) is a GNU indirect function.\n"
				"Consider identifying the final function used at run time and set "
				"the probe directly on that.\n",
				a->events.v[i].point.symbol);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Open what the probe is for, unless the definition before is for the same. @before: NULL: there is
 * none */
static int open_object(const struct probe_want *w, struct adding *a, const struct adding *before,
		       struct err *err)
{
	if (before && same_text(w->exec, w[-1].exec) && same_text(w->module, w[-1].module)) {
		a->object = before->object;
		a->shared = true;
		return 0;
	}
	a->object = xzalloc(sizeof(*a->object));
	return probe_object_open(a->object, &a->target, err);
}

static int prepare(struct probe_cmd *c, const struct probe_want *w, struct adding *a,
		   const struct adding *before, struct err *err)
{
	int rc;

	probe_target_of(c, w->exec, w->module, &a->target);
	if (a->target.module)
		a->target.module_file = a->module_file =
			kernel_module_file(&c->sysroot, a->target.module, strlen(a->target.module));
	a->again = w->again;
	rc = probe_definition_parse(&a->definition, w->text, err);
	if (!rc)
		rc = open_object(w, a, before, err);
	if (!rc)
		rc = make_events(c, a, err);
	if (!rc)
		warn_indirect(c, a);
	else
		probe_want_failed(w, err);
	return rc;
}

/* ---- names ---- */

static int name_events(const struct probe_cmd *c, struct adding *a, struct probe_names *taken,
		       struct err *err)
{
	return probe_events_name(&a->events, &a->definition, taken, c->force || a->again, err);
}

static void take_names(const struct sysroot *sr, struct probe_names *taken)
{
	struct probe_lines lines = { 0 };

	(void)probe_lines_read(sr, PROBE_FILE_KERNEL, &lines);
	(void)probe_lines_read(sr, PROBE_FILE_USER, &lines);
	for (size_t i = 0; i < lines.nr; i++)
		probe_names_add(taken, lines.v[i].group, lines.v[i].event);
	probe_lines_release(&lines);
}

/* ---- writing ---- */

/* Take back the events of the first @nr of @all, which were written; of the last one only those
 * that come before @events. */
static void take_back(const int fds[2], const struct adding *all, size_t nr, size_t events)
{
	for (size_t i = 0; i <= nr; i++) {
		size_t written = i < nr ? all[i].events.nr : events;

		for (size_t k = 0; k < written; k++) {
			const struct probe_event *e = &all[i].events.v[k];
			char *line = xasprintf("-:%s/%s", e->group, e->event);

			/* the second of one name is gone with the first */
			(void)probe_file_put(fds[all[i].object->user], line);
			free(line);
		}
	}
}

/* Return a word of the arguments that this kernel does not know, so that users see what to leave
 * out; NULL: that is not why. */
static const char *unknown_word(const struct probe_cmd *c, const struct probe_event *e)
{
	static const char *const words[] = { "string", "ustring", "symbol", "symstr", "char" };

	for (size_t i = 0; i < e->args.nr; i++) {
		const struct probe_fetch *f = &e->args.v[i];

		if (strstr(f->value, "$arg") && !probe_kernel_knows(&c->sysroot, "$arg<N>"))
			return f->value;
		for (size_t k = 0; f->type && k < ARRAY_SIZE(words); k++)
			if (!strcmp(f->type, words[k]) &&
			    !probe_kernel_knows(&c->sysroot, words[k]))
				return f->type;
	}
	return NULL;
}

static int refused(const struct probe_cmd *c, const struct probe_event *e, const char *line, int rc,
		   struct err *err)
{
	const char *unknown = rc == -EINVAL ? unknown_word(c, e) : NULL;
	struct strbuf why = STRBUF_INIT;

	if (!c->exec && rc == -EINVAL && e->point.symbol &&
	    probe_file_forbids(&c->sysroot, e->point.symbol))
		return err_set(err, -ENOENT,
			       "%s is blacklisted function: the kernel allows no probes in it "
			       "(/sys/kernel/debug/kprobes/blacklist).",
			       e->point.symbol);
	if (rc == -EINVAL || rc == -ENOENT)
		probe_file_why(&c->sysroot, &why);
	if (unknown)
		strbuf_addf(&why, "%sthis kernel does not have %s", why.len ? "; " : "", unknown);
	err_set(err, rc, "Failed to write event: %s%s%s\nThe kernel refused %s:%s: %s", err_str(rc),
		why.len ? ": " : "", strbuf_str(&why), e->group, e->event, line);
	strbuf_release(&why);
	return rc;
}

static int write_event(const struct probe_cmd *c, int fd, const struct adding *a,
		       const struct probe_event *e, struct err *err)
{
	struct strbuf line = STRBUF_INIT;
	int rc = probe_event_line(a->object, e, &line, err), put;

	if (!rc && c->verbose)
		fprintf(stderr, "Writing event: %s\n", strbuf_str(&line));
	put = rc || c->dry_run
		      ? 0
		      : probe_file_put_for(&c->sysroot, a->object->user ? a->target.pid : 0, fd,
					   strbuf_str(&line));
	if (put)
		rc = refused(c, e, strbuf_str(&line), put, err);
	strbuf_release(&line);
	return rc;
}

static int write_all(const struct probe_cmd *c, const int fds[2], struct adding *all,
		     struct err *err)
{
	struct probe_names taken = { 0 };
	int rc = 0;

	take_names(&c->sysroot, &taken);
	for (size_t i = 0; !rc && i < c->nr_wants; i++)
		rc = name_events(c, &all[i], &taken, err);
	probe_names_release(&taken);
	for (size_t i = 0; !rc && i < c->nr_wants; i++) {
		for (size_t k = 0; !rc && k < all[i].events.nr; k++) {
			rc = write_event(c, fds[all[i].object->user], &all[i], &all[i].events.v[k],
					 err);
			if (rc && !c->dry_run)
				take_back(fds, all, i, k);
		}
	}
	return rc;
}

static int open_files(const struct probe_cmd *c, const struct adding *all, int fds[2],
		      struct err *err)
{
	for (int user = 0; user < 2; user++) {
		bool needed = false;

		for (size_t i = 0; i < c->nr_wants; i++)
			needed = needed || all[i].object->user == user;
		if (!needed || c->dry_run)
			continue;
		fds[user] = probe_file_open(&c->sysroot, user ? PROBE_FILE_USER : PROBE_FILE_KERNEL,
					    err);
		if (fds[user] < 0)
			return fds[user];
	}
	return 0;
}

/* ---- telling ---- */

static void tell_added(const struct probe_cmd *c, const struct adding *all)
{
	const struct probe_event *last = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_wants; i++)
		nr += all[i].events.nr;
	probe_say(c, "Added new event%s\n", nr == 1 ? ":" : "s:");
	for (size_t i = 0; i < c->nr_wants; i++) {
		struct strbuf text = STRBUF_INIT;

		for (size_t k = 0; k < all[i].events.nr; k++) {
			last = &all[i].events.v[k];
			probe_event_text(all[i].object, &all[i].definition, last, &text);
		}
		probe_say(c, "%s", strbuf_str(&text));
		strbuf_release(&text);
	}
	if (last)
		probe_say(c,
			  "\nYou can now use it in all perf tools, such as:\n\n"
			  "\tperf record -e %s:%s -aR sleep 1\n\n",
			  last->group, last->event);
}

static int show_definitions(const struct probe_cmd *c, struct adding *all, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = 0;

	for (size_t i = 0; !rc && i < c->nr_wants; i++) {
		struct probe_names taken = { 0 };

		rc = name_events(c, &all[i], &taken, err);
		for (size_t k = 0; !rc && k < all[i].events.nr; k++) {
			const struct probe_event *e = &all[i].events.v[k];

			if (c->bootconfig) {
				rc = probe_event_bootconfig(all[i].object, e, &text, err);
			} else {
				rc = probe_event_line(all[i].object, e, &text, err);
				strbuf_addch(&text, '\n');
			}
		}
		probe_names_release(&taken);
	}
	if (rc)
		strbuf_release(&text);
	else
		print_text(&text);
	return rc;
}

int probe_verb_add(struct probe_cmd *c)
{
	struct err err = { 0 };
	int fds[2] = { -1, -1 }, rc = probe_read_input(c, &err);
	struct adding *all;
	size_t nr = 0;

	if (!rc)
		rc = probe_find_markers(c, &err);
	all = xcalloc(c->nr_wants + 1, sizeof(*all));
	while (!rc && nr < c->nr_wants) {
		rc = prepare(c, &c->wants[nr], &all[nr], nr ? &all[nr - 1] : NULL, &err);
		nr++;
	}
	if (!rc && c->definition)
		rc = show_definitions(c, all, &err);
	else if (!rc)
		rc = open_files(c, all, fds, &err);
	if (!rc && !c->definition)
		rc = write_all(c, fds, all, &err);
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (!rc && !c->definition)
		tell_added(c, all);
	while (nr--)
		release(&all[nr]);
	free(all);
	return rc ? probe_fail(&err, "add events") : 0;
}
