// SPDX-License-Identifier: GPL-2.0-or-later
/* Verdicts in words. */
#include "base/compat.h"

#include "triagetext/triagetext-internal.h"

#include "base/units.h"
#include "codec/quote.h"

static const struct triage_program *program_of(const struct triage_result *r,
					       const struct triage_verdict *v)
{
	return &r->facts->v[v->program];
}

static void put_program(const struct triage_program *p, struct strbuf *out)
{
	strbuf_addch(out, '`');
	strbuf_addname(out, p->name);
	strbuf_addch(out, '`');
}

static void put_quoted(const char *text, struct strbuf *out)
{
	strbuf_addch(out, '`');
	strbuf_addname(out, text);
	strbuf_addch(out, '`');
}

static const char *const does[TRIAGE_KINDS] = {
	[TRIAGE_USER] = "computing in its own code",
	[TRIAGE_SYSCALL] = "the kernel working for its system calls",
	[TRIAGE_FAULT] = "handling page faults",
	[TRIAGE_INTERRUPT] = "taken by interrupts",
	[TRIAGE_QUEUE] = "waiting for a CPU in the run queue",
	[TRIAGE_DISK] = "waiting for the disk",
	[TRIAGE_LOCK] = "waiting for a lock of the kernel",
	[TRIAGE_FUTEX] = "waiting for a lock of the program (futex)",
	[TRIAGE_NET] = "waiting for the network",
	[TRIAGE_PEER] = "waiting for another process (pipe or local socket)",
	[TRIAGE_CHILD] = "waiting for a child",
	[TRIAGE_THREADS] = "waiting for other threads",
	[TRIAGE_SLEEP] = "sleeping as it has asked for",
	[TRIAGE_POLL] = "waiting for something to do",
	[TRIAGE_INPUT] = "waiting for its terminal",
	[TRIAGE_SIGNAL] = "waiting for a signal",
	[TRIAGE_OTHER] = "waiting for something unknown",
};

/* Append what most of the time is about. */
static void put_what(const struct triage_verdict *v, const struct triage_cell *c,
		     struct strbuf *out)
{
	double part = c->ns ? 100.0 * (double)c->what_ns / (double)c->ns : 0;

	if (!c->what)
		return;
	switch (v->kind) {
	case TRIAGE_USER:
	case TRIAGE_SYSCALL:
	case TRIAGE_FAULT:
		strbuf_addf(out, ", %.0f %% of that in ", part);
		break;
	case TRIAGE_DISK:
	case TRIAGE_LOCK:
	case TRIAGE_FUTEX:
		strbuf_addstr(out, ": ");
		break;
	case TRIAGE_INTERRUPT:
		strbuf_addstr(out, ", on this machine most by ");
		break;
	default:
		strbuf_addstr(out, " in ");
	}
	strbuf_addname(out, c->what);
}

static void put_whom(const struct triage_verdict *v, const struct triage_cell *c,
		     struct strbuf *out)
{
	if (!c->whom)
		return;
	switch (v->kind) {
	case TRIAGE_QUEUE:
		strbuf_addstr(out, ", the longest while it was taken by ");
		break;
	case TRIAGE_FUTEX:
		strbuf_addstr(out, ", woken by ");
		break;
	case TRIAGE_NET:
	case TRIAGE_PEER:
		strbuf_addstr(out, ", the longest time for ");
		break;
	default:
		return;
	}
	put_quoted(c->whom, out);
}

void triage_sentence(const struct triage_result *r, const struct triage_verdict *v,
		     struct strbuf *out)
{
	const struct triage_program *p = program_of(r, v);
	const struct triage_cell *c = &p->cells[v->kind];

	strbuf_addf(out, "%.0f %% of the time of ", 100 * v->share);
	put_program(p, out);
	strbuf_addf(out, " is %s", does[v->kind]);
	put_what(v, c, out);
	put_whom(v, c, out);
	if (v->waiter != TRIAGE_NONE) {
		strbuf_addstr(out, "; its parent ");
		put_program(&r->facts->v[v->waiter], out);
		strbuf_addstr(out, " waits for this child");
	}
}

void triage_evidence_text(const struct triage_result *r, const struct triage_verdict *v,
			  struct strbuf *out)
{
	const struct triage_program *p = program_of(r, v);
	const struct triage_cell *c = &p->cells[v->kind];
	enum triage_kind k = v->kind;

	duration_text(v->ns, out);
	if (k == TRIAGE_USER || k == TRIAGE_SYSCALL)
		strbuf_addf(out, " by %" PRIu64 " samples", c->nr);
	else if (k == TRIAGE_FAULT)
		strbuf_addf(out, " by %" PRIu64 " samples and waits", c->nr);
	else if (k == TRIAGE_INTERRUPT)
		strbuf_addf(out, " in %" PRIu64 " interrupts", c->nr);
	else
		strbuf_addf(out, " in %" PRIu64 " waits", c->nr);
	if (c->max && k != TRIAGE_USER && k != TRIAGE_SYSCALL) {
		strbuf_addstr(out, ", the longest ");
		duration_text(c->max, out);
	}
	if (k == TRIAGE_FAULT && p->faults)
		strbuf_addf(out, ", about %" PRIu64 " page faults", p->faults);
	if (p->threads > 1)
		strbuf_addf(out, ", %u threads", p->threads);
	strbuf_addf(out, "; %s", triage_sure_name(v->sure));
}

/* ---- the first sentence ---- */

void triage_headline(const struct triage_result *r, struct strbuf *out)
{
	const struct triage_judgement *j = r->judgement;

	if (j->nr && j->v[0].matters) {
		triage_sentence(r, &j->v[0], out);
		return;
	}
	strbuf_addstr(out, "Nothing stands out");
	if (j->nr) {
		strbuf_addstr(out, ": the largest part is small or useful work; ");
		triage_sentence(r, &j->v[0], out);
	} else if (r->facts->nr) {
		strbuf_addstr(out, ": hardly any time was spent at all");
	} else {
		strbuf_addstr(out, ": none of the threads that are asked about has run");
	}
}

/* ---- the next command ---- */

static void put_input(const struct triage_result *r, struct strbuf *out)
{
	const char *file = r->show->file;

	if (!file || !strcmp(file, "perf.data") || !strcmp(file, "-"))
		return;
	strbuf_addstr(out, " -i ");
	quote_shell(out, file);
}

/* Commands that have to run the program again end in it. */
static void put_again(const struct triage_result *r, struct strbuf *out)
{
	strbuf_addf(out, " -- %s", r->command ? r->command : "sleep 10");
}

void triage_deeper(const struct triage_result *r, const struct triage_verdict *v,
		   struct strbuf *out)
{
	static const char *const reads[TRIAGE_KINDS] = {
		[TRIAGE_USER] = "report --no-children -g caller",
		[TRIAGE_INTERRUPT] = "kwork report -k irq,softirq",
		[TRIAGE_DISK] = "block report --by task",
		[TRIAGE_LOCK] = "lock contention",
		[TRIAGE_FUTEX] = "lock contention --user",
	};
	const struct triage_program *p = program_of(r, v);

	strbuf_addstr(out, "perf ");
	switch (v->kind) {
	case TRIAGE_SYSCALL:
		strbuf_addf(out, "trace -s%s", r->command ? "" : " -a");
		put_again(r, out);
		return;
	case TRIAGE_FAULT:
		strbuf_addf(out, "record -e page-faults -g%s", r->command ? "" : " -a");
		put_again(r, out);
		return;
	case TRIAGE_QUEUE:
		strbuf_addstr(out, "sched why");
		put_input(r, out);
		strbuf_addch(out, ' ');
		quote_shell(out, p->name);
		return;
	default:
		if (reads[v->kind]) {
			strbuf_addstr(out, reads[v->kind]);
			put_input(r, out);
			if (v->kind == TRIAGE_USER) {
				strbuf_addstr(out, " --comm ");
				quote_shell(out, p->name);
			}
			return;
		}
		strbuf_addstr(out, "sched timehist -w");
		put_input(r, out);
		strbuf_addf(out, " --pid %u", p->pid);
	}
}

/* ---- what cannot be seen ---- */

/* Append the names of the verdicts that the recording cannot give. */
static void put_verdicts_missed(const struct triage_facts *f, struct strbuf *out)
{
	u32 nr = 0;

	for (u32 kind = 0; kind < TRIAGE_KINDS; kind++)
		if (kind != TRIAGE_OTHER && !triage_sees(f, kind))
			strbuf_addf(out, "%s%s", nr++ ? ", " : "no verdict is given on: ",
				    triage_kind_name(kind));
	if (nr)
		strbuf_addch(out, '\n');
}

void triage_blind(const struct triage_facts *f, bool rights, struct strbuf *out)
{
	static const struct {
		u32 source;
		const char *text;
	} lines[] = {
		{ TRIAGE_HAS_SAMPLES,
		  "no samples of a clock or of cycles: what programs compute is not known" },
		{ TRIAGE_HAS_KERNEL,
		  "no samples in the kernel: system calls and page faults are not known" },
		{ TRIAGE_HAS_SWITCHES,
		  "no sched:sched_switch: the run queue and all waits are not known" },
		{ TRIAGE_HAS_CHAINS,
		  "no call chains of sched:sched_switch: disk, network, locks, children and "
		  "sleeps cannot be told apart" },
		{ TRIAGE_HAS_LOCKS, "no lock:contention_begin: locks of the kernel have no names" },
		{ TRIAGE_HAS_FUTEXES, "no syscalls:sys_enter_futex: locks of programs and "
				      "conditions cannot be told apart" },
		{ TRIAGE_HAS_BLOCKS, "no block:block_rq_complete: disks have no names" },
		{ TRIAGE_HAS_INTERRUPTS, "no irq events: time of interrupts is not known" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (!(f->has & lines[i].source))
			strbuf_addf(out, "%s\n", lines[i].text);
	put_verdicts_missed(f, out);
	if (f->unseen > f->span / 10 && f->nr && !(f->has & TRIAGE_HAS_SWITCHES)) {
		strbuf_addstr(out, "of the time of threads, ");
		duration_text(f->unseen, out);
		strbuf_addstr(out, " was spent where nothing could be seen: in the kernel or "
				   "waiting\n");
	}
	if (!rights)
		strbuf_addstr(out, "without root (or CAP_PERFMON and access to tracefs) only the "
				   "own code of programs can be seen\n");
}
