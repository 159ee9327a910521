// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "events/event-filters.h"

#include "base/alloc.h"
#include "base/int-list.h"
#include "base/name-list.h"
#include "events/filter.h"

#include <ctype.h>
#include <errno.h>

/* Make @all = "(@all) JOIN (more)". */
static void join(char **all, const char *with, const char *more)
{
	char *both = *all ? xasprintf("(%s)%s(%s)", *all, with, more) : xstrdup(more);

	free(*all);
	*all = both;
}

/* Tell whether one tracepoint takes the filter, as the kernel would judge. One whose format cannot
 * be read takes any. */
static bool tracepoint_takes(const struct event_filters *f, const struct evsel *e, const char *text,
			     struct strbuf *told)
{
	struct tracefmt *tf = tracefmt_new(false, sizeof(long));
	const char *colon = strchr(e->tp_name, ':');
	char *system = xstrndup(e->tp_name, (size_t)(colon - e->tp_name));
	const struct tf_event *ev = tracefmt_load(tf, f->sysroot, system, colon + 1, NULL);
	struct filter_error fe;
	bool ok = !ev || !tracefilter_check(text, ev, &fe);

	if (ok && ev && fe.remark[0])
		strbuf_addf(told, "Warning:\n%s: --filter: %s\n", e->name, fe.remark);
	if (!ok) {
		strbuf_addf(told, "failed to set filter \"%s\" on event %s with %d (%s)\n", text,
			    e->name, EINVAL, err_str(-EINVAL));
		filter_error_format(&fe, text, told);
	}
	free(system);
	tracefmt_free(tf);
	return ok;
}

/* "filter main @ /bin/x", "start 0x1000": what hardware tracers take. */
static bool is_address_filter(const char *text)
{
	static const char *const words[] = { "filter", "start", "stop", "tracestop" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t len = strlen(words[i]);

		if (!strncmp(text, words[i], len) && isspace((unsigned char)text[len]))
			return true;
	}
	return false;
}

/* The PMU of an event has registers for it. */
static bool has_address_filters(const struct event_filters *f, const struct evsel *e)
{
	int len = (int)strcspn(e->name, "/:");
	u64 nr = 0;

	return !sysroot_read_u64(f->sysroot, &nr,
				 "/sys/bus/event_source/devices/%.*s/nr_addr_filters", len,
				 e->name) &&
	       nr;
}

static int address_filter(const struct event_filters *f, struct evsel *e, const char *text,
			  struct strbuf *told)
{
	if (has_address_filters(f, e)) {
		join(&e->filter, ",", text);
		return 0;
	}
	strbuf_addf(
		told,
		"This CPU does not support address filtering\n"
		"'%s' is for events of hardware tracers that have it, %s is none.\n"
		"Samples can be filtered by their fields: --filter 'ip >= 0x1000, ip < 0x2000'\n",
		text, e->name);
	return -EINVAL;
}

/* Give one event the filter. *@takes becomes false when the kernel would refuse it. */
static int filter_event(const struct event_filters *f, struct evsel *e, const char *text,
			bool *takes, struct strbuf *told)
{
	struct compiled_filter compiled;
	struct filter_error fe;

	if (evsel_is_tracepoint(e)) {
		*takes = !e->tp_name || !strchr(e->tp_name, ':') ||
			 tracepoint_takes(f, e, text, told);
		if (*takes)
			join(&e->filter, " && ", text);
		return 0;
	}
	if (is_address_filter(text))
		return address_filter(f, e, text, told);
	if (compiled_filter_parse(&compiled, text, &fe)) {
		filter_error_format(&fe, text, told);
		return -EINVAL;
	}
	compiled_filter_release(&compiled);
	join(&e->sample_filter, ", ", text);
	return 0;
}

/* Tell whether a pattern brought an event in, which can be taken out again. */
static bool may_go(const struct evsel *e)
{
	return e->terms.may_fail && e->tp_name && e->leader == e->idx && e->nr_members == 1;
}

void filter_left_out(const char *text, const struct few_names *names, size_t of, const char *what,
		     struct strbuf *out)
{
	strbuf_addf(out, "--filter '%s' does not apply to %zu of %zu %s, which are left out: %s\n",
		    text, names->nr, of, what, strbuf_str(&names->text));
}

/* Take events that do not take the filter out of the list. @of: how many were asked for with it */
static void leave_out(struct evlist *l, const struct int_list *lack, size_t of, const char *text,
		      struct strbuf *told)
{
	struct few_names names = { 0 };

	for (size_t i = 0; i < lack->nr; i++)
		few_names_add(&names, l->evsels[lack->v[i]]->name);
	for (size_t i = lack->nr; i-- > 0;)
		evlist_remove(l, (size_t)lack->v[i]);
	filter_left_out(text, &names, of, "events", told);
	few_names_release(&names);
}

/* The events that do not take a filter, which is given to several. */
struct lacking {
	struct int_list events; /* those that a pattern brought in */
	struct strbuf why;      /* of the first of them: the others refuse it for the same reason */
};

/* Give one event the filter. One that does not take it is noted, or refused if it was named. */
static int try_event(struct event_filters *f, const struct evlist *l, size_t i, const char *text,
		     struct lacking *lack, struct strbuf *told)
{
	struct strbuf said = STRBUF_INIT;
	bool takes = true;
	int rc = filter_event(f, l->evsels[i], text, &takes, &said);

	if (takes || !may_go(l->evsels[i])) {
		f->refused = !takes;
		strbuf_add(told, said.buf, said.len);
	} else {
		int_list_add(&lack->events, (int)i);
		if (!lack->why.len)
			strbuf_add(&lack->why, said.buf, said.len);
	}
	strbuf_release(&said);
	return rc;
}

int event_filters_add(struct event_filters *f, const char *text, struct strbuf *told)
{
	struct evlist *l = f->last ? f->last : f->evlist;
	const size_t of = l->nr - l->last_item;
	struct lacking lack = { .why = STRBUF_INIT };
	int rc = 0;

	if (!l->nr)
		f->pending = text;
	for (size_t i = l->last_item; i < l->nr && !rc && !f->refused; i++)
		rc = try_event(f, l, i, text, &lack, told);
	if (!rc && !f->refused && lack.events.nr && lack.events.nr == of) {
		f->refused = true;
		strbuf_add(told, lack.why.buf, lack.why.len);
	} else if (!rc && !f->refused && lack.events.nr) {
		leave_out(l, &lack.events, of, text, told);
	}
	strbuf_release(&lack.why);
	int_list_release(&lack.events);
	return rc;
}

int event_filters_exclude(struct event_filters *f, int pid, struct strbuf *told)
{
	const struct evlist *l = f->last ? f->last : f->evlist;
	bool tracepoints = l->nr;
	char text[64];

	for (size_t i = l->last_item; i < l->nr; i++)
		tracepoints &= evsel_is_tracepoint(l->evsels[i]);
	if (!tracepoints) {
		strbuf_addstr(told, "--exclude-perf option should follow a -e tracepoint option\n");
		return -EINVAL;
	}
	snprintf(text, sizeof(text), "common_pid != %d", pid);
	for (size_t i = l->last_item; i < l->nr; i++)
		join(&l->evsels[i]->filter, " && ", text);
	return 0;
}

int event_filters_settle(struct event_filters *f, bool named, struct strbuf *told)
{
	bool takes = true;
	int rc = 0;

	if (f->refused)
		return -ECANCELED;
	if (!f->pending)
		return 0;
	if (named) {
		strbuf_addstr(
			told,
			"--filter option should follow a -e tracepoint or HW tracer option\n");
		return -EINVAL;
	}
	for (size_t i = 0; i < f->evlist->nr && !rc && takes; i++)
		rc = filter_event(f, f->evlist->evsels[i], f->pending, &takes, told);
	return takes ? rc : -ECANCELED;
}
