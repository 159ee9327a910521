// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "proberun/show.h"

#include "probe/text.h"
#include "probe/vars-text.h"

#include <errno.h>

#define FUNCTIONS_FILTER "!_* & !*@plt"
#define VARIABLES_FILTER "!__k???tab_* & !__crc_*"

/* The object that the options name. */
struct shown {
	struct run_target about;
	struct probe_object object;
};

/* Open the object. close_object() closes it, also after an error. */
static int open_object(struct shown *s, const struct probe_run *r, struct err *err)
{
	run_target_init(&s->about, r, r->exec, r->module);
	s->about.target.offline = r->vmlinux;
	return probe_object_open(&s->object, &s->about.target, err);
}

static void close_object(struct shown *s)
{
	probe_object_close(&s->object);
	run_target_release(&s->about);
}

int probe_show_functions(const struct probe_run *r, const char *filter, bool json,
			 struct strbuf *out, struct err *err)
{
	struct name_filter *f = name_filter_parse(filter ? filter : FUNCTIONS_FILTER, err);
	struct shown s = { .object = PROBE_OBJECT_INIT };
	int rc = f ? open_object(&s, r, err) : err->code;

	if (!rc)
		rc = probe_object_functions(&s.object, err);
	/* stubs do not pass the usual filter, and an empty list would say that there are none */
	if (!rc && !filter && s.object.functions.only_stubs)
		rc = err_set(err, -ENODATA,
			     "Failed to load symbols from %s\nPlease ensure the file is not "
			     "stripped: only stubs of library functions have names (--funcs "
			     "'*@plt').",
			     probe_object_name(&s.object));
	if (!rc && json)
		probe_functions_json(&s.object, f, out);
	else if (!rc)
		probe_functions_text(&s.object, f, out);
	close_object(&s);
	name_filter_free(f);
	return rc;
}

int probe_show_lines(const struct probe_run *r, const char *range, enum lines_form form,
		     struct strbuf *out, struct err *err)
{
	struct shown s = { .object = PROBE_OBJECT_INIT };
	struct line_range lines;
	int rc = line_range_parse(&lines, range, err);

	if (!rc)
		rc = open_object(&s, r, err);
	if (!rc)
		rc = probe_lines_text(&s.object, &lines, form, out, err);
	close_object(&s);
	line_range_release(&lines);
	return rc;
}

int probe_show_vars(const struct probe_run *r, const struct probe_show_vars *v, bool json,
		    struct strbuf *out, struct err *err)
{
	struct name_filter *f = name_filter_parse(v->filter ? v->filter : VARIABLES_FILTER, err);
	const struct vars_shown shown = {
		.filter = f, .externs = v->externs, .ranges = v->ranges, .json = json
	};
	struct shown s = { .object = PROBE_OBJECT_INIT };
	struct probe_points points = { 0 };
	struct probe_definition d = { 0 };
	int rc = f ? probe_point_parse(&d, v->place, err) : err->code;

	if (!rc)
		rc = open_object(&s, r, err);
	if (!rc)
		rc = probe_points_find(&s.object, &d, &r->limits, &points, err);
	if (!rc)
		rc = probe_vars_text(&s.object, &d, &points, &shown, out, err);
	probe_points_release(&points);
	close_object(&s);
	probe_definition_release(&d);
	name_filter_free(f);
	return rc;
}
