// SPDX-License-Identifier: GPL-2.0-or-later
/* Users' options become those of a picture, a page or a trace. */
#include "base/compat.h"

#include "timechart/timechart.h"

#include "base/units.h"

#include <errno.h>
#include <stdlib.h>

/* ---- forms ---- */

static const struct {
	const char *name, *output;
	const char *ends[3]; /* of names of outputs */
} forms[TIMECHART_FORMS] = {
	[TIMECHART_SVG] = { "svg", "output.svg", { NULL } },
	[TIMECHART_PAGE] = { "html", "output.html", { ".html", ".htm" } },
	[TIMECHART_PFTRACE] = { "pftrace", "output.pftrace", { ".pftrace", ".perfetto-trace" } },
	[TIMECHART_CTF] = { "ctf", "output.ctf", { ".ctf" } },
};

const char *timechart_form_name(enum timechart_form form)
{
	return forms[form].name;
}

/* Return the form that the name of an output tells by its end. */
static enum timechart_form form_of_name(const char *output)
{
	const char *dot = strrchr(output, '.');

	for (u32 form = 0; dot && form < TIMECHART_FORMS; form++)
		for (u32 i = 0; forms[form].ends[i]; i++)
			if (!strcmp(dot, forms[form].ends[i]))
				return (enum timechart_form)form;
	return TIMECHART_SVG;
}

static enum timechart_form form_of(const struct timechart_wish *w)
{
	if (w->page)
		return TIMECHART_PAGE;
	if (w->pftrace)
		return TIMECHART_PFTRACE;
	if (w->ctf)
		return TIMECHART_CTF;
	return w->output ? form_of_name(w->output) : TIMECHART_SVG;
}

/* ---- checks ---- */

/* Only pictures have a width and choose tasks by their weight, and traces in the Common Trace
 * Format have all tasks. */
static int check_form(const struct timechart_wish *w, const struct timechart_options *o,
		      struct err *err)
{
	bool ctf = o->form == TIMECHART_CTF;

	if (w->page + w->pftrace + w->ctf > 1)
		return err_set(err, -EINVAL, "--html, --pftrace and --ctf exclude each other");
	if (o->form != TIMECHART_SVG &&
	    (w->width != TIMECHART_NOT_GIVEN || w->least != TIMECHART_NOT_GIVEN))
		return err_set(err, -EINVAL,
			       "-w and -n are for pictures: what --%s writes has no width and has "
			       "all tasks%s",
			       timechart_form_name(o->form), ctf ? "" : "; -p chooses some");
	if (ctf && w->nr_selected)
		return err_set(err, -EINVAL, "-p: a trace of --ctf has all tasks");
	if (ctf && !strcmp(o->output, "-"))
		return err_set(err, -EINVAL, "--ctf writes a directory, which -o has to name");
	return 0;
}

/* ---- values ---- */

/* Parse a number of ns, or one with a unit. */
static bool parse_time(const char *text, u64 *ns)
{
	if (!text[strspn(text, "0123456789")] && *text) {
		*ns = strtoull(text, NULL, 10);
		return true;
	}
	return duration_parse(text, ns);
}

static int settle_io(const struct timechart_wish *w, struct timechart_io_conf *io, struct err *err)
{
	*io = (struct timechart_io_conf){ .skip_eagain = w->skip_eagain,
					  .merge = TIMECHART_IO_MERGE,
					  .least = TIMECHART_IO_LEAST };
	if (w->io_least && !parse_time(w->io_least, &io->least))
		return err_set(err, -EINVAL, "--io-min-time: '%s' is no time such as 1ms",
			       w->io_least);
	if (w->io_merge && !parse_time(w->io_merge, &io->merge))
		return err_set(err, -EINVAL, "--io-merge-dist: '%s' is no time such as 1us",
			       w->io_merge);
	return 0;
}

static int settle_rows(const struct timechart_wish *w, struct timechart_conf *conf, struct err *err)
{
	*conf = (struct timechart_conf){
		.width = w->width == TIMECHART_NOT_GIVEN ? TIMECHART_WIDTH : w->width,
		.least = w->least == TIMECHART_NOT_GIVEN ? TIMECHART_TASKS : w->least,
		.cpus = !w->tasks_only,
		.processes = !w->power_only,
		.selected = w->selected,
		.nr_selected = w->nr_selected,
		.long_run = UINT64_MAX,
	};
	if (w->power_only && w->tasks_only)
		return err_set(err, -EINVAL, "-P and -T exclude each other");
	if (conf->width < TIMECHART_NARROW || conf->width > TIMECHART_WIDE)
		return err_set(err, -EINVAL, "-w: %u is not between %u and %u pixels", conf->width,
			       TIMECHART_NARROW, TIMECHART_WIDE);
	if (w->highlight && !parse_time(w->highlight, &conf->long_run))
		conf->highlight = w->highlight;
	return 0;
}

int timechart_settle(const struct timechart_wish *w, struct timechart_options *o, struct err *err)
{
	*o = (struct timechart_options){ .topology = w->topology, .form = form_of(w) };
	o->output = w->output ? w->output : forms[o->form].output;
	return settle_io(w, &o->io, err) ?: check_form(w, o, err) ?: settle_rows(w, &o->conf, err);
}
