// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "hostile-stacks.h"

#include "base/alloc.h"

#include <errno.h>

struct build {
	struct stacks_builder *b;
	u32 clock, sw, probe, threads[3];
	u64 time;
};

static u32 frame(struct build *t, const char *name, enum stacks_kind kind, const char *file,
		 u32 line)
{
	struct stacks_frame f = {
		.name = stacks_builder_text(t->b, name),
		.dso = stacks_builder_text(t->b,
					   kind == FRAME_KERNEL ? "[kernel.kallsyms]" : "x\"y\n"),
		.path = stacks_builder_text(t->b, kind == FRAME_KERNEL ? "" : "/bin/x\"y\n&<"),
		.file = stacks_builder_text(t->b, file),
		.line = line,
		.kind = kind,
		.symbol = true,
		.start = 0x1000 + line * 16,
		.build_id = stacks_builder_text(t->b, kind == FRAME_KERNEL ? "" : "0123abcd"),
	};

	return stacks_builder_frame(t->b, &f);
}

static void add(struct build *t, u32 event, u32 thread, u32 node, u64 samples, u64 period)
{
	struct stacks_sum sum = {
		.event = event, .node = node, .thread = thread, .samples = samples, .period = period
	};

	stacks_builder_sum(t->b, &sum);
	for (u64 i = 0; i < samples; i++) {
		struct stacks_sample s = { .time = t->time += 1000,
					   .period = period / samples,
					   .node = node,
					   .thread = thread,
					   .event = event };

		stacks_builder_sample(t->b, &s);
	}
}

static void add_all(struct build *t)
{
	struct stacks_builder *b = t->b;
	char *name = xmalloc(HOSTILE_LONG + 1);
	u32 main, f, g, h, inlined, kernel, f_node, node;

	memset(name, '"', HOSTILE_LONG);
	name[HOSTILE_LONG] = 0;
	main = frame(t, "main", FRAME_USER, "a\\b.c", 3);
	f = frame(t, HOSTILE_NAME, FRAME_USER, "", 10);
	g = frame(t, "bad \xff\xc3 utf8 \xe2\x82\xac\x01\n\t=;'\"\\", FRAME_USER, "a\\b.c", 20);
	h = frame(t, "(1) fn=(2) h", FRAME_JIT, "", 30);
	inlined = frame(t, "in\"lined", FRAME_INLINED, "in.h", 40);
	kernel = frame(t, "do_syscall_64", FRAME_KERNEL, "", 50);

	node = stacks_builder_node(b, 0, main);
	f_node = stacks_builder_node(b, node, f);
	add(t, t->clock, t->threads[0], stacks_builder_node(b, node, kernel), 4, 4500);
	for (int i = 0; i < 3; i++) {
		add(t, t->sw, t->threads[0], node, 1, 1);
		add(t, t->sw, t->threads[2], node, 1, 1);
	}
	add(t, t->probe, t->threads[1], node, 1, 1);
	add(t, t->clock, t->threads[1], stacks_builder_node(b, f_node, inlined), 2, 2000);
	node = stacks_builder_node(b, stacks_builder_node(b, f_node, g), f);
	add(t, t->clock, t->threads[0], stacks_builder_node(b, node, h), 3, 3000);
	node = stacks_builder_node(b, 0, frame(t, name, FRAME_UNKNOWN, "", 0));
	add(t, t->clock, t->threads[2], node, 1, 1000);
	free(name);
}

struct stacks *hostile_stacks(const struct stacks_dims *dims)
{
	struct build t = { .b = stacks_builder_new(dims), .time = 1000000 };

	t.clock = stacks_builder_event(t.b, "cpu-clock", 0);
	t.sw = stacks_builder_event(t.b, "sched:sched_switch", 1);
	t.probe = stacks_builder_event(t.b, "probe:it's\"a<b", 2);
	t.threads[0] = stacks_builder_thread(t.b, 100, 100, HOSTILE_NAME);
	t.threads[1] = stacks_builder_thread(t.b, 100, 101, "a b;c\n\xff");
	t.threads[2] = stacks_builder_thread(t.b, 0, 0, "swapper");
	add_all(&t);
	stacks_builder_time(t.b, 1001000, t.time, 1001000, t.time, 1);
	return stacks_builder_finish(t.b);
}

int hostile_write(const char *name, const struct export_opts *opts, struct strbuf *written)
{
	const struct export_ops *ops = export_find(name);
	struct err err = { 0 };
	struct export_out *o;
	struct stacks *s;
	int ret, closed;

	if (!ops)
		return -ENOENT;
	s = hostile_stacks(&ops->dims);
	strbuf_reset(written);
	o = export_memory(written);
	ret = ops->write(s, opts, o, &err);
	closed = export_close(o, &err);
	stacks_free(s);
	return ret ? ret : closed;
}
