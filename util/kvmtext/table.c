// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording is read, or what happens is followed, and what guests are left for is shown. */
#include "base/compat.h"

#include "kvmtext/kvmtext-internal.h"

#include "base/alloc.h"
#include "export/heatmap.h"
#include "schedtext/schedtext.h"

#include <errno.h>

struct kvm_table {
	const struct kvm_show *show; /* borrowed, as the next one */
	struct analysis *a;
	struct kvm *kvm;      /* owned */
	struct span_map *map; /* owned; NULL: none is wanted */
	void (*slow)(const char *line);
};

/* ---- the engine's questions ---- */

static bool is_wanted(void *ctx, const struct engine_input *in)
{
	const struct kvm_table *t = ctx;
	const struct task_at task = { .pid = in->pid, .tid = in->tid };

	return analysis_wants_task(t->a, &task);
}

/* Tell of something that took long, unless the guest had nothing to do meanwhile. */
static void on_span(void *ctx, const struct kvm_span *span, const struct engine_input *in)
{
	const struct kvm_table *t = ctx;
	u64 ns = span->end - span->start;
	struct strbuf line = STRBUF_INIT;

	if (t->map)
		span_map_add(t->map, span->start, span->end);
	if (!t->slow || ns < t->show->duration * 1000ULL ||
	    kvm_reason_is_idle(span->row->space, span->row->number))
		return;
	strbuf_addf(&line, "%" PRIu64 " VM %u, vcpu %d: ", span->end, span->pid, (int)span->vcpu);
	kvm_put_name(t->kvm, span->row, &line);
	strbuf_addf(&line, " event took %" PRIu64 "usec\n", ns / 1000);
	t->slow(strbuf_str(&line));
	strbuf_release(&line);
}

/* ---- the run ---- */

static const struct span_map_words map_words = {
	.title = "Work of the host for guests",
	.subtitle = "from the time at which a guest was left until that was handled",
	.what = "times",
};

struct kvm_table *kvm_table_new(const struct kvm_show *s, struct analysis *a,
				void (*slow)(const char *line), struct err *err)
{
	const struct session *session = &analysis_recording(a)->session;
	struct kvm_table *t;
	struct kvm_conf conf = {
		.what = s->what,
		.machine = session->file->env.arch,
		.one_vcpu = s->vcpu,
		.span = on_span,
		.wanted = is_wanted,
	};

	if (s->vcpu && kvm_vcpu_parse(&conf.vcpu, s->vcpu, err))
		return NULL;
	t = xzalloc(sizeof(*t));
	*t = (struct kvm_table){ .show = s, .a = a, .slow = s->duration ? slow : NULL };
	conf.ctx = t;
	t->kvm = kvm_new(&conf);
	t->map = s->heatmap ? span_map_new(&map_words) : NULL;
	return t;
}

void kvm_table_free(struct kvm_table *t)
{
	if (!t)
		return;
	kvm_free(t->kvm);
	span_map_free(t->map);
	free(t);
}

/* Tell what makes a table empty that users would wonder about. Return: 0, or -ENOENT and a
 * sentence. */
static int check_result(const struct kvm_table *t, struct err *err)
{
	size_t nr;

	kvm_rows(t->kvm, &nr);
	if (!kvm_has_entries(t->kvm))
		return err_set(err, -ENOENT,
			       "kvm stat: the recording has exits of guests and no entries.\n"
			       "Record the events with: perf kvm stat record");
	if (t->show->vcpu && !nr && kvm_hides_vcpus(t->kvm))
		return err_set(err, -ENOENT,
			       "kvm stat: the events of this machine do not tell the vcpu.\n"
			       "Leave out --vcpu.");
	return 0;
}

int kvm_table_run(struct kvm_table *t, struct err *err)
{
	const struct engine e = kvm_engine("kvm stat", t->show->what);

	return analysis_run(t->a, &e, t->kvm, err) ?:
	       check_result(t, err) ?:
	       t->map ? span_map_write(t->map, t->show->heatmap, err) : 0;
}

void kvm_table_put(const struct kvm_table *t, struct strbuf *out)
{
	kvm_put_rows(t->show, t->kvm, out);
}

void kvm_table_put_notes(const struct kvm_table *t, struct strbuf *out)
{
	const struct sched_counts none = { 0 };
	struct analysis_losses losses = analysis_losses(t->a);
	struct kvm_missing m = kvm_missing(t->kvm);

	if (t->show->verbose)
		strbuf_addf(out,
			    "exits before the first entry of their thread: %" PRIu64
			    ", without an entry after them: %" PRIu64 ", with lost events: %" PRIu64
			    "\n",
			    m.early, m.unended, m.torn);
	sched_put_losses(&none, &losses, out);
}

void kvm_table_clear(struct kvm_table *t)
{
	kvm_forget_rows(t->kvm);
}
