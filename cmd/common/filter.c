// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/filter.h"

#include "base/alloc.h"
#include "events/filter.h"

#include <ctype.h>
#include <errno.h>
#include <unistd.h>

static void show_error(const struct filter_error *fe, const char *text)
{
	struct strbuf sb = STRBUF_INIT;

	filter_error_format(fe, text, &sb);
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

/* @all = "(@all) JOIN (more)" */
static void join(char **all, const char *with, const char *more)
{
	char *both = *all ? xasprintf("(%s)%s(%s)", *all, with, more) : xstrdup(more);

	free(*all);
	*all = both;
}

/* The filter of one tracepoint, as the kernel would judge it. A format that cannot be read judges
 * nothing. */
static bool tracepoint_takes(const struct filter_arg *a, const struct evsel *e, const char *text)
{
	struct tracefmt *tf = tracefmt_new(false, sizeof(long));
	const char *colon = strchr(e->tp_name, ':');
	char *system = xstrndup(e->tp_name, (size_t)(colon - e->tp_name));
	const struct tf_event *ev = tracefmt_load(tf, a->sysroot, system, colon + 1, NULL);
	struct filter_error fe;
	bool ok = !ev || !tracefilter_check(text, ev, &fe);

	if (ok && ev && fe.remark[0])
		fprintf(stderr, "Warning:\n%s: --filter: %s\n", e->name, fe.remark);
	if (!ok) {
		fprintf(stderr, "failed to set filter \"%s\" on event %s with %d (%s)\n", text,
			e->name, EINVAL, err_str(-EINVAL));
		show_error(&fe, text);
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
static bool has_address_filters(const struct filter_arg *a, const struct evsel *e)
{
	int len = (int)strcspn(e->name, "/:");
	u64 nr = 0;

	return !sysroot_read_u64(a->sysroot, &nr,
				 "/sys/bus/event_source/devices/%.*s/nr_addr_filters", len,
				 e->name) &&
	       nr;
}

static int address_filter(const struct filter_arg *a, struct evsel *e, const char *text)
{
	if (has_address_filters(a, e)) {
		join(&e->filter, ",", text);
		return 0;
	}
	fprintf(stderr,
		"This CPU does not support address filtering\n"
		"'%s' is for events of hardware tracers that have it, %s is none.\n"
		"Samples can be filtered by their fields: --filter 'ip >= 0x1000, ip < 0x2000'\n",
		text, e->name);
	return -1;
}

static int filter_event(struct filter_arg *a, struct evsel *e, const char *text)
{
	struct compiled_filter f;
	struct filter_error fe;

	if (evsel_is_tracepoint(e)) {
		if (e->tp_name && strchr(e->tp_name, ':') && !tracepoint_takes(a, e, text)) {
			a->refused = true;
			return 0;
		}
		join(&e->filter, " && ", text);
		return 0;
	}
	if (is_address_filter(text))
		return address_filter(a, e, text);
	if (compiled_filter_parse(&f, text, &fe)) {
		show_error(&fe, text);
		return -1;
	}
	compiled_filter_release(&f);
	join(&e->sample_filter, ", ", text);
	return 0;
}

int opt_filter(const struct option *opt, const char *arg, int unset)
{
	struct filter_arg *a = opt->value;
	struct evlist *l = a->evlist;
	int rc = 0;

	if (unset)
		return -1;
	if (!l->nr)
		a->pending = arg;
	/* one message does: others of a glob are refused for the same reason */
	for (size_t i = l->last_item; i < l->nr && !rc && !a->refused; i++)
		rc = filter_event(a, l->evsels[i], arg);
	return rc;
}

int opt_exclude_perf(const struct option *opt, const char *arg, int unset)
{
	struct filter_arg *a = opt->value;
	struct evlist *l = a->evlist;
	char text[64];

	(void)arg;
	if (unset)
		return 0;
	for (size_t i = l->last_item; i < l->nr; i++) {
		if (evsel_is_tracepoint(l->evsels[i]))
			continue;
		l = NULL;
		break;
	}
	if (!l || !l->nr) {
		fprintf(stderr, "--exclude-perf option should follow a -e tracepoint option\n");
		return -1;
	}
	snprintf(text, sizeof(text), "common_pid != %d", (int)getpid());
	for (size_t i = l->last_item; i < l->nr; i++)
		join(&l->evsels[i]->filter, " && ", text);
	return 0;
}

int filters_settle(struct filter_arg *a, bool named)
{
	if (a->refused)
		return 255;
	if (!a->pending)
		return 0;
	if (named) {
		fprintf(stderr,
			"--filter option should follow a -e tracepoint or HW tracer option\n");
		return 129;
	}
	for (size_t i = 0; i < a->evlist->nr; i++)
		if (filter_event(a, a->evlist->evsels[i], a->pending))
			return 129;
	return 0;
}
