// SPDX-License-Identifier: GPL-2.0-or-later
/* The verbs that show what could be probed: functions, source lines, variables. */
#include "base/compat.h"
#include "cmd/probe/probe.h"

#include "cmd/common/message.h"
#include "cmd/common/pager.h"
#include "probe/lines-text.h"
#include "probe/text.h"
#include "probe/vars-text.h"

#define FUNCTIONS_FILTER "!_* & !*@plt"
#define VARIABLES_FILTER "!__k???tab_* & !__crc_*"

/* Open the object that the options name, which no running kernel is needed for when they name a
 * file of one. */
static int open_object(const struct probe_cmd *c, struct probe_target *t, struct probe_object *o,
		       struct err *err)
{
	probe_target_of(c, NULL, NULL, t);
	t->offline = c->vmlinux;
	return probe_object_open(o, t, err);
}

/* Print a text that was made, or say what failed. */
static int finish(int rc, struct strbuf *text, const struct err *err, const char *what)
{
	if (rc) {
		strbuf_release(text);
		return probe_fail(err, what);
	}
	setup_pager();
	print_text(text);
	return 0;
}

int probe_verb_functions(const struct probe_cmd *c)
{
	const char *filter = *c->funcs ? c->funcs : c->filter ? c->filter : FUNCTIONS_FILTER;
	struct probe_object o = { .debug_fd = -1 };
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	struct name_filter *f = name_filter_parse(filter, &err);
	struct probe_target t;
	int rc = f ? open_object(c, &t, &o, &err) : err.code;

	if (!rc)
		rc = probe_object_functions(&o, &err);
	if (!rc && c->json)
		probe_functions_json(&o, f, &text);
	else if (!rc)
		probe_functions_text(&o, f, &text);
	probe_object_close(&o);
	name_filter_free(f);
	return finish(rc, &text, &err, "show functions");
}

int probe_verb_lines(const struct probe_cmd *c)
{
	struct probe_object o = { .debug_fd = -1 };
	struct strbuf text = STRBUF_INIT;
	struct line_range range;
	struct err err = { 0 };
	struct probe_target t;
	int rc = line_range_parse(&range, c->lines, &err);

	if (!rc)
		rc = open_object(c, &t, &o, &err);
	if (!rc)
		rc = probe_lines_text(&o, &range, c->json, &text, &err);
	probe_object_close(&o);
	line_range_release(&range);
	return finish(rc, &text, &err, "show lines");
}

int probe_verb_vars(const struct probe_cmd *c)
{
	const struct probe_limits limits = { (u32)c->max_probes, c->no_inlines };
	struct vars_shown shown = { .externs = c->externs, .ranges = c->range, .json = c->json };
	struct probe_object o = { .debug_fd = -1 };
	struct probe_points points = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	struct name_filter *f = name_filter_parse(c->filter ? c->filter : VARIABLES_FILTER, &err);
	struct probe_definition d = { 0 };
	struct probe_target t;
	int rc = f ? probe_point_parse(&d, c->vars, &err) : err.code;

	shown.filter = f;
	if (!rc)
		rc = open_object(c, &t, &o, &err);
	if (!rc)
		rc = probe_points_find(&o, &d, &limits, &points, &err);
	if (!rc)
		rc = probe_vars_text(&o, &d, &points, &shown, &text, &err);
	probe_points_release(&points);
	probe_object_close(&o);
	probe_definition_release(&d);
	name_filter_free(f);
	return finish(rc, &text, &err, "show vars");
}
