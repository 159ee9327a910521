// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracetext/line.h"

#include "codec/json.h"

/* Bits of common_flags. */
#define FLAG_IRQS_OFF 0x01
#define FLAG_RESCHED_LAZY 0x02
#define FLAG_RESCHED 0x04
#define FLAG_HARDIRQ 0x08
#define FLAG_SOFTIRQ 0x10
#define FLAG_PREEMPT 0x20 /* rescheduling is wanted in the kernel, too */
#define FLAG_NMI 0x40
#define FLAG_BH_OFF 0x80

#define MAX_FRAMES 1024
#define MAX_ARGS 16 /* registers; no kernel passes arguments in more */

void ftext_release(struct ftext *t)
{
	strbuf_release(&t->printer.tmp);
	task_names_release(&t->names);
}

bool ftext_common(const struct fpage_event *ev, struct ftext_common *out)
{
	struct cur c = cur_make(ev->data, ev->size, false);

	out->type = cur_u16(&c);
	out->flags = cur_u8(&c);
	out->preempt = cur_u8(&c);
	out->pid = (s32)cur_u32(&c);
	return cur_ok(&c);
}

const char *ftext_task(struct ftext *t, s32 pid)
{
	const char *name = task_names_find(&t->names, pid);

	if (!name && t->more_names) {
		t->more_names(t->ctx, &t->names);
		name = task_names_find(&t->names, pid);
	}
	return name ? name : "<...>";
}

void ftext_header(const struct ftext *t, const char *tracer, u32 nr_cpus, struct strbuf *out)
{
	strbuf_addf(out, "# tracer: %s\n#\n# entries-in-buffer/entries-written: 0/0   #P:%u\n#\n",
		    tracer, nr_cpus);
	if (!t->no_state) {
		static const char *const lines[] = {
			"#                                _-----=> irqs-off/BH-disabled\n",
			"#                               / _----=> need-resched\n",
			"#                              | / _---=> hardirq/softirq\n",
			"#                              || / _--=> preempt-depth\n",
			"#                              ||| / _-=> migrate-disable\n",
			"#                              |||| /     delay\n",
			"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n",
			"#              | |         |   |||||     |         |\n",
		};
		for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
			strbuf_addstr(out, lines[i]);
	} else {
		strbuf_addstr(out, "#           TASK-PID     CPU#     TIMESTAMP  FUNCTION\n"
				   "#              | |         |         |         |\n");
	}
}

static char resched(u8 flags)
{
	static const char chars[8] = { '.', 'l', 'n', 'b', 'p', 'L', 'N', 'B' };

	return chars[(flags & FLAG_RESCHED_LAZY ? 1 : 0) | (flags & FLAG_RESCHED ? 2 : 0) |
		     (flags & FLAG_PREEMPT ? 4 : 0)];
}

static char interrupt(u8 flags)
{
	if (flags & FLAG_NMI)
		return flags & FLAG_HARDIRQ ? 'Z' : 'z';
	if (flags & FLAG_HARDIRQ)
		return flags & FLAG_SOFTIRQ ? 'H' : 'h';
	return flags & FLAG_SOFTIRQ ? 's' : '.';
}

static char digit(u8 v)
{
	return v ? "0123456789abcdef"[v & 15] : '.';
}

void ftext_state(const struct ftext *t, const struct ftext_common *c, struct strbuf *out)
{
	if (c->flags & FLAG_IRQS_OFF)
		strbuf_addch(out, c->flags & FLAG_BH_OFF ? 'D' : 'd');
	else
		strbuf_addch(out, c->flags & FLAG_BH_OFF ? 'b' : '.');
	strbuf_addch(out, resched(c->flags));
	strbuf_addch(out, interrupt(c->flags));
	strbuf_addch(out, digit(t->migrate ? c->preempt & 15 : MIN(c->preempt, (u8)15)));
	if (t->migrate)
		strbuf_addch(out, digit(c->preempt >> 4));
}

void ftext_time(const struct ftext *t, u64 time, struct strbuf *out)
{
	u64 us = time / 1000 + (time % 1000 >= 500);

	if (t->counter) {
		strbuf_dec(out, time, 12);
		return;
	}
	strbuf_dec(out, us / 1000000, 5);
	strbuf_addch(out, '.');
	us %= 1000000;
	for (u32 unit = 100000; unit; unit /= 10)
		strbuf_addch(out, '0' + us / unit % 10);
}

void ftext_function(struct ftext *t, u64 address, struct strbuf *out)
{
	u64 start;
	const char *name = t->printer.ksym ? t->printer.ksym(t->printer.ksym_ctx, address, &start)
					   : NULL;

	if (name)
		strbuf_addname(out, name);
	else
		strbuf_hex(out, address, 1, 0);
}

void ftext_args(struct ftext *t, u64 function, const struct tf_field *f,
		const struct fpage_event *ev, struct strbuf *out)
{
	size_t at = f ? f->offset : ev->size, nr = 0;
	unsigned long regs[MAX_ARGS];

	for (; nr < MAX_ARGS && at + sizeof(long) <= ev->size; at += sizeof(long))
		memcpy(&regs[nr++], ev->data + at, sizeof(long));
	strbuf_addch(out, '(');
	if (nr && (!t->args || !t->args(t->ctx, function, regs, nr, out)))
		for (size_t i = 0; i < nr; i++)
			strbuf_addf(out, "%s0x%lx", i ? ", " : "", regs[i]);
	strbuf_addch(out, ')');
}

/* Append "COMM-PID [CPU] STATE TIME: ". */
static void put_context(struct ftext *t, const struct fmerge_event *ev,
			const struct ftext_common *c, struct strbuf *out)
{
	const char *name = ftext_task(t, c->pid);
	size_t from = out->len, len = strlen(name);

	if (len < 16)
		strbuf_pad(out, from + 16 - len);
	strbuf_addstr(out, name);
	strbuf_addch(out, '-');
	from = out->len;
	strbuf_dec(out, (u32)c->pid, 0);
	strbuf_pad(out, from + 7);
	strbuf_addstr(out, " [");
	for (u32 unit = 100; unit > 1 && ev->cpu < unit; unit /= 10)
		strbuf_addch(out, '0');
	strbuf_dec(out, ev->cpu, 0);
	strbuf_addstr(out, "] ");
	if (!t->no_state)
		ftext_state(t, c, out);
	strbuf_addch(out, ' ');
	ftext_time(t, ev->ev.time, out);
	strbuf_addstr(out, ": ");
}

static u64 number(const struct tf_event *e, const char *name, const struct fmerge_event *ev)
{
	const struct tf_field *f = tf_find_field(e, name);
	u64 v = 0;

	if (f)
		tf_field_int(e, f, ev->ev.data, ev->ev.size, &v);
	return v;
}

/* Append the functions of a stack, a line each. */
static void put_stack(struct ftext *t, const struct tf_event *e, const struct fmerge_event *ev,
		      struct strbuf *out)
{
	const struct tf_field *f = tf_find_field(e, "caller");
	const u64 size = number(e, "size", ev);
	size_t at = f ? f->offset : ev->ev.size;

	strbuf_addstr(out, "<stack trace>");
	for (u64 i = 0; i < MIN(size, (u64)MAX_FRAMES) && at + sizeof(long) <= ev->ev.size;
	     i++, at += sizeof(long)) {
		unsigned long address;

		memcpy(&address, ev->ev.data + at, sizeof(address));
		if (!address || address == ~0ul)
			break;
		strbuf_addstr(out, "\n => ");
		ftext_function(t, address, out);
	}
}

/* The kernel shows system calls in its own way. Return: false when this is none. */
static bool put_call(const struct tf_event *e, const struct fmerge_event *ev, struct strbuf *out)
{
	const bool enter = !strncmp(e->name, "sys_enter_", 10);
	bool first = true;

	if (strcmp(e->system, "syscalls") || (!enter && strncmp(e->name, "sys_exit_", 9)))
		return false;
	strbuf_addf(out, "sys_%s", e->name + (enter ? 10 : 9));
	if (!enter) {
		strbuf_addf(out, " -> 0x%" PRIx64, number(e, "ret", ev));
		return true;
	}
	strbuf_addch(out, '(');
	for (u32 i = e->nr_common; i < e->nr_fields; i++) {
		u64 v = 0;

		/* Newer kernels add the texts that arguments point to, after the arguments. */
		if (!strcmp(e->fields[i].name, "__syscall_nr") || e->fields[i].flags & TF_DYNAMIC ||
		    !tf_field_int(e, &e->fields[i], ev->ev.data, ev->ev.size, &v))
			continue;
		strbuf_addf(out, "%s%s: %s%" PRIx64, first ? "" : ", ", e->fields[i].name,
			    v < 10 ? "" : "0x", v);
		first = false;
	}
	strbuf_addch(out, ')');
	return true;
}

static void put_own(struct ftext *t, const struct tf_event *e, const struct fmerge_event *ev,
		    struct strbuf *out)
{
	if (!strcmp(e->name, "function")) {
		const struct tf_field *args = tf_find_field(e, "args");
		const u64 ip = number(e, "ip", ev);

		ftext_function(t, ip, out);
		if (args && args->offset + sizeof(long) <= ev->ev.size)
			ftext_args(t, ip, args, &ev->ev, out);
		strbuf_addstr(out, " <-");
		ftext_function(t, number(e, "parent_ip", ev), out);
	} else if (!strcmp(e->name, "kernel_stack")) {
		put_stack(t, e, ev, out);
	} else {
		tf_print(e, &t->printer, ev->ev.data, ev->ev.size, out);
	}
}

void ftext_event(struct ftext *t, const struct fmerge_event *ev, struct strbuf *out)
{
	struct ftext_common c;
	const struct tf_event *e;

	if (!ftext_common(&ev->ev, &c))
		return;
	e = tracefmt_event(t->formats, c.type);
	if (!e && t->other && t->other(t->ctx, c.type, ev, false, out))
		return;
	if (!e) {
		t->unknown++;
		strbuf_addf(out, "Unknown type %u", c.type);
		return;
	}
	t->printer.cpu = ev->cpu;
	if (!strcmp(e->system, "ftrace")) {
		put_own(t, e, ev, out);
	} else if (!put_call(e, ev, out)) {
		strbuf_addstr(out, e->name);
		strbuf_addstr(out, ": ");
		tf_print(e, &t->printer, ev->ev.data, ev->ev.size, out);
	}
	/* Some texts bring a newline, which markers are written with. */
	while (out->len && out->buf[out->len - 1] == '\n')
		out->buf[--out->len] = '\0';
}

void ftext_lost(const struct fmerge_event *ev, struct strbuf *out)
{
	if (ev->nr_lost)
		strbuf_addf(out, "CPU:%u [LOST %" PRIu64 " EVENTS]\n", ev->cpu, ev->nr_lost);
	else
		strbuf_addf(out, "CPU:%u [LOST EVENTS]\n", ev->cpu);
}

void ftext_line(struct ftext *t, const struct fmerge_event *ev, struct strbuf *out)
{
	struct ftext_common c;

	if (!ftext_common(&ev->ev, &c))
		return;
	if (ev->lost)
		ftext_lost(ev, out);
	put_context(t, ev, &c, out);
	ftext_event(t, ev, out);
	strbuf_addch(out, '\n');
}

static void put_field(const struct tf_event *e, const struct tf_field *f,
		      const struct fmerge_event *ev, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	u64 v;

	if (f != &e->fields[e->nr_common])
		strbuf_addch(out, ',');
	json_string(out, f->name);
	strbuf_addch(out, ':');
	if (!(f->flags & (TF_ARRAY | TF_STRING | TF_DYNAMIC)) &&
	    tf_field_int(e, f, ev->ev.data, ev->ev.size, &v)) {
		strbuf_addf(out, f->flags & TF_SIGNED ? "%" PRId64 : "%" PRIu64, v);
	} else {
		tf_print_field(e, f, ev->ev.data, ev->ev.size, &text);
		json_string(out, strbuf_str(&text));
	}
	strbuf_release(&text);
}

/* Append all of an object up to the first field. */
static void put_json_head(struct ftext *t, const struct fmerge_event *ev,
			  const struct ftext_common *c, const char *system, const char *name,
			  struct strbuf *out)
{
	strbuf_addf(out, "{\"time\":%" PRIu64 ",\"cpu\":%u,\"pid\":%d,\"comm\":", ev->ev.time,
		    ev->cpu, c->pid);
	json_string(out, ftext_task(t, c->pid));
	strbuf_addf(out, ",\"event\":\"%s:%s\",\"fields\":{", system, name);
}

/* Append an event without a format. Return: false: it is not known. */
static bool put_other_json(struct ftext *t, const struct fmerge_event *ev,
			   const struct ftext_common *c, struct strbuf *out)
{
	struct strbuf fields = STRBUF_INIT;
	const bool known = t->other && t->other(t->ctx, c->type, ev, true, &fields);

	if (known) {
		put_json_head(t, ev, c, "ftrace", "blk", out);
		strbuf_add(out, fields.buf, fields.len);
		strbuf_addstr(out, "}}\n");
	}
	strbuf_release(&fields);
	return known;
}

void ftext_json(struct ftext *t, const struct fmerge_event *ev, struct strbuf *out)
{
	struct ftext_common c;
	const struct tf_event *e;

	if (!ftext_common(&ev->ev, &c))
		return;
	e = tracefmt_event(t->formats, c.type);
	if (!e) {
		t->unknown += !put_other_json(t, ev, &c, out);
		return;
	}
	put_json_head(t, ev, &c, e->system, e->name, out);
	for (u32 i = e->nr_common; i < e->nr_fields; i++)
		put_field(e, &e->fields[i], ev, out);
	strbuf_addstr(out, "}}\n");
}
