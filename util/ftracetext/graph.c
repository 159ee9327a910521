// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracetext/graph.h"

#include "base/alloc.h"

#define MAX_DEPTH 50 /* of functions whose ends are known to match */
#define BLANK_TIME "              |  "
#define IRQ_BEGINS "==========>"
#define IRQ_ENDS "<=========="

/* The fields of the tracer's two events. */
struct graph_event {
	const struct tf_event *e;
	const struct tf_field *func, *depth, *start, *end, *value, *caller, *args;
};

/* The state of a CPU. */
struct lane {
	s32 pid; /* of the last line; -1: there was none */
	s32 depth;
	u64 entered[MAX_DEPTH];
};

struct fgraph {
	struct ftext *t;
	const struct fgraph_show *show;
	struct graph_event entry, retaddr_entry, exit;
	struct lane *lanes; /* owned, by CPU */
};

static struct graph_event find(const struct tracefmt *tf, const char *name)
{
	struct graph_event g = { tracefmt_find(tf, "ftrace", name) };

	if (!g.e)
		return g;
	g.func = tf_find_field(g.e, "func");
	g.depth = tf_find_field(g.e, "depth");
	g.start = tf_find_field(g.e, "calltime");
	g.end = tf_find_field(g.e, "rettime");
	g.value = tf_find_field(g.e, "retval");
	g.caller = tf_find_field(g.e, "retaddr");
	g.args = tf_find_field(g.e, "args");
	return g;
}

struct fgraph *fgraph_new(struct ftext *t, const struct fgraph_show *show)
{
	struct fgraph *g = xzalloc(sizeof(*g));

	g->t = t;
	g->show = show;
	g->entry = find(t->formats, "funcgraph_entry");
	g->retaddr_entry = find(t->formats, "fgraph_retaddr_entry");
	g->exit = find(t->formats, "funcgraph_exit");
	g->lanes = xcalloc(show->nr_cpus + 1, sizeof(*g->lanes));
	for (u32 i = 0; i <= show->nr_cpus; i++)
		g->lanes[i].pid = -1;
	return g;
}

void fgraph_free(struct fgraph *g)
{
	if (g)
		free(g->lanes);
	free(g);
}

static u64 get(const struct graph_event *g, const struct tf_field *f, const struct fpage_event *ev)
{
	u64 v = 0;

	if (f)
		tf_field_int(g->e, f, ev->data, ev->size, &v);
	return v;
}

bool fgraph_is_exit(struct fgraph *g, const struct fpage_event *ev, struct fgraph_exit *out)
{
	struct ftext_common c;

	if (!g->exit.e || !ftext_common(ev, &c) || c.type != g->exit.e->id)
		return false;
	out->function = get(&g->exit, g->exit.func, ev);
	out->start = get(&g->exit, g->exit.start, ev);
	out->end = get(&g->exit, g->exit.end, ev);
	out->depth = get(&g->exit, g->exit.depth, ev);
	out->pid = c.pid;
	return true;
}

void fgraph_header(const struct fgraph_show *show, struct strbuf *out)
{
	const char *task = show->tasks ? "  TASK/PID       " : "",
		   *time = show->times ? "     TIME       " : "";
	const char *task_bar = show->tasks ? "   |    |        " : "";
	const char *time_bar = show->times ? "      |         " : "";

	strbuf_addf(
		out,
		"# tracer: function_graph\n#\n#%s CPU%s  DURATION                  FUNCTION CALLS\n",
		time, task);
	strbuf_addf(out, "#%s |  %s   |   |                     |   |   |   |\n", time_bar,
		    task_bar);
}

static u32 digits(u32 v)
{
	return v < 10 ? 1 : 1 + digits(v / 10);
}

static void put_cpu(const struct fgraph *g, u32 cpu, struct strbuf *out)
{
	strbuf_addch(out, ' ');
	strbuf_dec(out, cpu, digits(g->show->nr_cpus ? g->show->nr_cpus - 1 : 0));
	strbuf_addstr(out, ") ");
}

/* Append a task in the middle of 14 columns. */
static void put_task(struct fgraph *g, s32 pid, struct strbuf *out)
{
	char text[64];
	const int len = snprintf(text, sizeof(text), "%.7s-%d", ftext_task(g->t, pid), pid);
	const int blanks = len < 14 ? 14 - len : 0;

	strbuf_addf(out, "%*s%s%*s", blanks / 2, "", text, blanks - blanks / 2, "");
}

/* Append the lines between two tasks on one CPU. */
static void put_switch(struct fgraph *g, struct lane *lane, u32 cpu, s32 pid, struct strbuf *out)
{
	const s32 before = lane->pid;

	lane->pid = pid;
	if (before == pid || before == -1)
		return;
	strbuf_addstr(out, " ------------------------------------------\n");
	put_cpu(g, cpu, out);
	put_task(g, before, out);
	strbuf_addstr(out, " => ");
	put_task(g, pid, out);
	strbuf_addstr(out, "\n ------------------------------------------\n\n");
}

/* Append the columns that each line begins with. */
static void put_columns(struct fgraph *g, const struct fmerge_event *ev,
			const struct ftext_common *c, struct strbuf *out)
{
	if (g->show->times) {
		ftext_time(g->t, ev->ev.time, out);
		strbuf_addstr(out, " |  ");
	}
	put_cpu(g, ev->cpu, out);
	if (g->show->tasks) {
		put_task(g, c->pid, out);
		strbuf_addstr(out, " | ");
	}
	if (g->show->state) {
		ftext_state(g->t, c, out);
		strbuf_addstr(out, " | ");
	}
}

/* Append the lines above an event: what was lost, and another task. */
static void put_above(struct fgraph *g, struct lane *lane, const struct fmerge_event *ev,
		      const struct ftext_common *c, struct strbuf *out)
{
	if (ev->lost)
		ftext_lost(ev, out);
	put_switch(g, lane, ev->cpu, c->pid, out);
}

/* Append a line with an arrow when an interrupt begins or ends with that function. */
static void put_irq(struct fgraph *g, const struct fmerge_event *ev, const struct ftext_common *c,
		    u64 function, const char *arrow, struct strbuf *out)
{
	if (function < g->show->irqs || function >= g->show->irqs_end)
		return;
	put_columns(g, ev, c, out);
	strbuf_addf(out, "  %s |\n", arrow);
}

/* Return the mark of a time that is long. */
static char mark(u64 ns)
{
	static const struct {
		u64 over;
		char c;
	} marks[] = {
		{ 1000000000, '$' }, { 100000000, '@' }, { 10000000, '*' },
		{ 1000000, '#' },    { 100000, '!' },    { 10000, '+' },
	};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (ns > marks[i].over)
			return marks[i].c;
	return ' ';
}

/* Append a time in us, of seven digits and a point at most, unless it takes more. */
static void put_duration(u64 ns, struct strbuf *out)
{
	char us[24], rest[4];
	int len = snprintf(us, sizeof(us), "%" PRIu64, ns / 1000);

	strbuf_addch(out, mark(ns));
	strbuf_addch(out, ' ');
	strbuf_addstr(out, us);
	if (len < 7) {
		snprintf(rest, sizeof(rest), "%03u", (unsigned int)(ns % 1000));
		rest[MIN(7 - len, 3)] = '\0';
		strbuf_addch(out, '.');
		strbuf_addstr(out, rest);
		len += 1 + (int)strlen(rest);
	}
	strbuf_addf(out, " us %*s|  ", len < 8 ? 8 - len : 0, "");
}

static void indent(s32 depth, struct strbuf *out)
{
	strbuf_pad(out, out->len + 2 * (size_t)MIN(MAX(depth, 0), 1000));
}

static void put_value(struct fgraph *g, const struct fpage_event *exit, struct strbuf *out)
{
	const u64 v = get(&g->exit, g->exit.value, exit);

	if (!g->show->hex && (s64)v < 0 && (s64)v >= -4095)
		strbuf_addf(out, " ret=%" PRId64, (s64)v);
	else
		strbuf_addf(out, " ret=0x%" PRIx64, v);
}

static bool is_leaf(struct fgraph *g, struct fmerge *m, u32 cpu, s32 pid, u64 func,
		    struct fpage_event *next, struct fgraph_exit *end)
{
	return m && fmerge_peek(m, cpu, next) && fgraph_is_exit(g, next, end) && end->pid == pid &&
	       end->function == func;
}

static void put_entry(struct fgraph *g, struct fmerge *m, const struct graph_event *kind,
		      const struct fmerge_event *ev, const struct ftext_common *c,
		      struct strbuf *out)
{
	struct lane *lane = &g->lanes[MIN(ev->cpu, g->show->nr_cpus)];
	const u64 func = get(kind, kind->func, &ev->ev), caller = get(kind, kind->caller, &ev->ev);
	const s32 depth = (s32)get(kind, kind->depth, &ev->ev);
	struct strbuf args = STRBUF_INIT;
	struct fpage_event next;
	struct fgraph_exit end;
	bool leaf;

	put_above(g, lane, ev, c, out);
	put_irq(g, ev, c, func, IRQ_BEGINS, out);
	put_columns(g, ev, c, out);
	/* The bytes of this event are gone when the next one is looked at. */
	ftext_args(g->t, func, kind->args, &ev->ev, &args);
	leaf = is_leaf(g, m, ev->cpu, c->pid, func, &next, &end);
	if (leaf)
		put_duration(end.end - end.start, out);
	else
		strbuf_addstr(out, BLANK_TIME);
	lane->depth = leaf ? depth - 1 : depth;
	if (depth >= 0 && depth < MAX_DEPTH)
		lane->entered[depth] = leaf ? 0 : func;
	indent(depth, out);
	ftext_function(g->t, func, out);
	strbuf_addstr(out, strbuf_str(&args));
	strbuf_addstr(out, leaf ? ";" : " {");
	if (caller || (leaf && g->exit.value)) {
		strbuf_addstr(out, " /*");
		if (caller) {
			strbuf_addstr(out, " <-");
			ftext_function(g->t, caller, out);
		}
		if (leaf && g->exit.value)
			put_value(g, &next, out);
		strbuf_addstr(out, " */");
	}
	strbuf_addch(out, '\n');
	if (leaf) {
		put_irq(g, ev, c, func, IRQ_ENDS, out);
		fmerge_skip(m, ev->cpu);
	}
	strbuf_release(&args);
}

static void put_exit(struct fgraph *g, const struct fgraph_exit *x, const struct fmerge_event *ev,
		     const struct ftext_common *c, struct strbuf *out)
{
	struct lane *lane = &g->lanes[MIN(ev->cpu, g->show->nr_cpus)];
	bool named = g->show->tail;

	put_above(g, lane, ev, c, out);
	put_columns(g, ev, c, out);
	put_duration(x->end - x->start, out);
	lane->depth = x->depth - 1;
	if (x->depth >= 0 && x->depth < MAX_DEPTH) {
		named |= lane->entered[x->depth] != x->function;
		lane->entered[x->depth] = 0;
	}
	indent(x->depth, out);
	strbuf_addch(out, '}');
	if (named || g->exit.value) {
		strbuf_addstr(out, " /*");
		if (named) {
			strbuf_addch(out, ' ');
			ftext_function(g->t, x->function, out);
		}
		if (g->exit.value)
			put_value(g, &ev->ev, out);
		strbuf_addstr(out, " */");
	}
	strbuf_addch(out, '\n');
	put_irq(g, ev, c, x->function, IRQ_ENDS, out);
}

static void put_comment(struct fgraph *g, const struct fmerge_event *ev,
			const struct ftext_common *c, struct strbuf *out)
{
	struct lane *lane = &g->lanes[MIN(ev->cpu, g->show->nr_cpus)];

	put_above(g, lane, ev, c, out);
	put_columns(g, ev, c, out);
	strbuf_addstr(out, BLANK_TIME);
	if (lane->depth > 0)
		indent(lane->depth + 1, out);
	strbuf_addstr(out, "/* ");
	ftext_event(g->t, ev, out);
	strbuf_addstr(out, " */\n");
}

void fgraph_line(struct fgraph *g, struct fmerge *m, const struct fmerge_event *ev,
		 struct strbuf *out)
{
	struct ftext_common c;
	struct fgraph_exit x;

	if (!ftext_common(&ev->ev, &c))
		return;
	if (g->entry.e && c.type == g->entry.e->id)
		put_entry(g, m, &g->entry, ev, &c, out);
	else if (g->retaddr_entry.e && c.type == g->retaddr_entry.e->id)
		put_entry(g, m, &g->retaddr_entry, ev, &c, out);
	else if (fgraph_is_exit(g, &ev->ev, &x))
		put_exit(g, &x, ev, &c, out);
	else
		put_comment(g, ev, &c, out);
}
