// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording becomes the file of its picture. */
#include "base/compat.h"

#include "timechart/timechart.h"

#include "base/alloc.h"
#include "base/units.h"
#include "schedtext/schedtext.h"

#include <errno.h>

struct run {
	struct timechart_conf conf;
	const struct timechart_options *o;
	struct analysis *a;
	struct timechart_result result;
};

static void window(void *ctx, u64 *start, u64 *end)
{
	analysis_window(((const struct run *)ctx)->a, start, end);
}

/* Tell whether the recording has a system call of I/O. */
static bool has_io(const struct evlist *l)
{
	static const char enter[] = "syscalls:sys_enter_";

	for (size_t i = 0; i < l->nr; i++) {
		const char *name = l->evsels[i]->name, *call;

		if (strncmp(name, enter, strlen(enter)))
			continue;
		for (u32 nr = 0; (call = io_call_name(nr)); nr++)
			if (!strcmp(call, name + strlen(enter)))
				return true;
	}
	return false;
}

/* Read the recording before the file is opened, which an error must not change. */
static int draw_io(struct run *r, struct err *err)
{
	struct io_engine *e = io_engine_new(&(struct io_calls_conf){
		r->conf.tasks, window, r, .skip_eagain = r->o->io.skip_eagain });
	const struct io_calls *calls = io_engine_result(e);
	int ret = analysis_run(r->a, io_engine(), e, err);
	struct export_out *out = ret ? NULL : export_open(r->o->output, err);

	if (out) {
		timechart_io_svg(&r->conf, &r->o->io, calls, out);
		r->result = (struct timechart_result){ calls->end - calls->start,
						       .grain = calls->grain,
						       .left_out = calls->left_out, .io = true };
		ret = export_close(out, err);
	}
	io_engine_free(e);
	return ret ? ret : err->code;
}

/* Return the command that was recorded, or else all words of the recorder; the caller frees it. */
static char *title_of(const struct env *env)
{
	struct strbuf title = STRBUF_INIT;
	u32 from = 0;

	for (u32 i = 0; i < env->nr_cmdline && !from; i++)
		if (!strcmp(env->cmdline[i], "--"))
			from = i + 1;
	if (from == env->nr_cmdline)
		from = 0;
	for (u32 i = from; i < env->nr_cmdline; i++)
		strbuf_addf(&title, "%s%s", i > from ? " " : "", env->cmdline[i]);
	return strbuf_detach(&title);
}

static void put_page(const struct run *r, const struct timeline_lanes *lanes,
		     struct export_out *out)
{
	const struct env *env = &analysis_recording(r->a)->session.file->env;
	struct analysis_losses losses = analysis_losses(r->a);
	char *title = title_of(env);

	timechart_page(&r->conf,
		       &(struct timechart_about){ title, env->hostname, losses.lost,
						  losses.events },
		       lanes, out);
	free(title);
}

static int put_file(const struct run *r, const struct timeline_lanes *lanes, struct err *err)
{
	struct export_out *out = export_open(r->o->output, err);

	if (!out)
		return err->code;
	if (r->o->form == TIMECHART_PAGE)
		put_page(r, lanes, out);
	else if (r->o->form == TIMECHART_PFTRACE)
		timechart_pftrace(&r->conf, lanes, out);
	else
		timechart_svg(&r->conf, lanes, out);
	return export_close(out, err);
}

/* Return the lanes of the scheduler with the edges of what is shown, of which queues are a part. */
static struct timeline_lanes whole(const struct run *r, const struct timeline_lanes *sched)
{
	const struct queue_lanes *q = r->conf.queues;
	struct timeline_lanes l = *sched;

	if (!q->end)
		return l;
	l.start = l.end ? MIN(l.start, q->start) : q->start;
	l.end = MAX(l.end, q->end);
	return l;
}

static int put_lanes(struct run *r, const struct timeline_lanes *lanes, struct err *err)
{
	const struct queue_lanes *q = r->conf.queues;

	r->result = (struct timechart_result){ lanes->end - lanes->start, lanes->counts,
					       MAX(lanes->grain, q->grain),
					       lanes->left_out + q->left_out };
	r->result.counts.gaps += q->gaps;
	if (r->conf.others) {
		r->result.others = r->conf.others->seen;
		r->result.others_shown = r->conf.others->nr;
	}
	if (!r->conf.cpus || !r->conf.processes) /* only one kind of rows was asked for */
		r->conf.queues = NULL;
	if (r->o->form == TIMECHART_CTF)
		return timechart_ctf(&r->conf, lanes, &analysis_recording(r->a)->session.file->env,
				     r->o->output, err);
	return put_file(r, lanes, err);
}

static int draw_lanes(struct run *r, struct err *err)
{
	struct sched_timeline *t =
		sched_timeline_new(&(struct sched_timeline_conf){ r->conf.tasks, window, r, true });
	struct queues *q = queues_new(&(struct queues_conf){ r->conf.tasks, window, r });
	struct other_events *others = other_events_new(r->conf.tasks, 0);
	struct analysis_part parts[] = { { sched_timeline_engine(), t, .optional = true },
					 { queues_engine(), q, .optional = true },
					 { other_events_engine(), others, .optional = true } };
	bool marks = r->o->form != TIMECHART_SVG; /* pictures have none */
	struct block_names devices = { 0 };
	struct timeline_lanes lanes;
	int ret = analysis_run_parts(r->a, parts, ARRAY_SIZE(parts) - !marks, err);

	if (marks) {
		r->conf.others = other_events_result(others);
		r->conf.events = &analysis_recording(r->a)->session.evlist;
	}
	queues_go_on(q, sched_timeline_result(t)->end);
	r->conf.queues = queues_result(q);
	r->conf.devices = &devices;
	block_names_learn(&devices, analysis_recording(r->a)->session.file->env.hostname);
	lanes = whole(r, sched_timeline_result(t));
	if (!ret)
		ret = put_lanes(r, &lanes, err);
	block_names_release(&devices);
	sched_timeline_free(t);
	queues_free(q);
	other_events_free(others);
	return ret;
}

int timechart_run(const struct timechart_options *o, struct analysis *a,
		  struct timechart_result *result, struct err *err)
{
	struct session *session = &analysis_recording(a)->session;
	const struct env *env = &session->file->env;
	struct run r = { .conf = o->conf, .o = o, .a = a };
	bool io;
	int ret;

	r.conf.tasks = analysis_tasks(a);
	r.conf.chains = sched_chains_new(analysis_recording(a), TIMECHART_FRAMES);
	r.conf.cpu_model = env->cpu_desc;
	if (o->topology) {
		r.conf.socket_of = env->socket_of;
		r.conf.core_of = env->core_of;
		r.conf.nr_socket_of = env->nr_socket_of;
	}
	io = has_io(&session->evlist);
	if (io && o->form != TIMECHART_SVG)
		ret = err_set(err, -EINVAL,
			      "--%s shows what the scheduler did, and this is a recording of I/O: "
			      "draw it without --%s, to a file named .svg",
			      timechart_form_name(o->form), timechart_form_name(o->form));
	else
		ret = io ? draw_io(&r, err) : draw_lanes(&r, err);
	sched_chains_free(r.conf.chains);
	*result = r.result;
	return ret;
}

void timechart_put_notes(const struct timechart_result *result,
			 const struct analysis_losses *losses, struct strbuf *out)
{
	sched_put_losses(&result->counts, losses, out);
	if (result->others > result->others_shown)
		strbuf_addf(out,
			    "  INFO: other events happened %" PRIu64 " times: %" PRIu64
			    " of these are shown, evenly chosen;\n"
			    "  --time shows a part of the recording with more of them\n",
			    result->others, result->others_shown);
	if (!result->left_out)
		return;
	strbuf_addf(out, "  INFO: the recording is long: %" PRIu64 " %s ", result->left_out,
		    result->io ? "calls were added to others of their kind that began within"
			       : "changes were left out that others followed within");
	duration_text(result->grain, out);
	strbuf_addstr(out, ";\n  --time shows a part of it with all of them\n");
}
