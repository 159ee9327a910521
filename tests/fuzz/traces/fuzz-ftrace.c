// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is pages of the kernel's tracing ring for two CPUs: their events become lines, the
 * function graph, JSON and sums. */
#include "base/compat.h"

#include "ftracerun/run-internal.h"
#include "ftracetext/profile.h"

#include <stdlib.h>

#define PAGE 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COMMON                                                                                     \
	"field:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                       \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char *const formats[] = {
	"name: funcgraph_entry\nID: 11\nformat:\n\t" COMMON
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long args[];\toffset:24;\tsize:0;\tsigned:0;\n"
	"\nprint fmt: \"%ps\", (void *)REC->func\n",
	"name: funcgraph_exit\nID: 10\nformat:\n\t" COMMON
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long retval;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long calltime;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long rettime;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"%ps\", (void *)REC->func\n",
	"name: kernel_stack\nID: 4\nformat:\n\t" COMMON
	"\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n"
	"\nprint fmt: \"%ps\", (void *)REC->caller[0]\n",
	"name: print\nID: 5\nformat:\n\t" COMMON
	"\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n"
	"\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n",
};

static void show(struct ftext *t, struct fmerge *m, int how, struct strbuf *out)
{
	const struct fgraph_show show = { .nr_cpus = 2, .tasks = how & 1, .times = true };
	struct fgraph *g = fgraph_new(t, &show);
	struct fprofile *p = fprofile_new(how & 1);
	struct fmerge_event ev;
	struct fgraph_exit x;

	while (fmerge_next(m, ~0ull, &ev)) {
		if (fgraph_is_exit(g, &ev.ev, &x))
			fprofile_add(p, &x);
		ftext_line(t, &ev, out);
		ftext_json(t, &ev, out);
		fgraph_line(g, m, &ev, out);
	}
	fprofile_put(p, t, "total", how & 1, out);
	fprofile_free(p);
	fgraph_free(g);
}

/* The whole input is one event of the tracer blk, too. */
static void show_block(const uint8_t *data, size_t size)
{
	const struct fmerge_event ev = { { 5, data, (u32)size }, 0, false, 0 };
	struct run r = { .blk_type = 14 };
	struct strbuf out = STRBUF_INIT;

	if (frun_block_event(&r, 14, &ev, false, &out) != (out.len > 0))
		abort();
	(void)frun_block_event(&r, 14, &ev, true, &out);
	strbuf_release(&out);
	ftext_release(&r.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fpage_layout layout = { 8, 8, 16, PAGE, size && data[0] & 2 };
	struct ftext t = { .migrate = true };
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };
	struct fmerge *m;

	t.formats = tracefmt_new(false, sizeof(long));
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!tracefmt_add(t.formats, "ftrace", formats[i], strlen(formats[i]), &err))
			abort();
	strbuf_add(&out, data, size);
	task_names_read(&t.names, strbuf_str(&out));
	(void)fpage_layout_parse(&layout, strbuf_str(&out), false, &err);
	layout = (struct fpage_layout){ 8, 8, 16, PAGE, size && data[0] & 2 };
	m = fmerge_new(&layout, 2, NULL, NULL);
	for (size_t at = 0; at < size; at += PAGE)
		fmerge_put(m, at / PAGE & 1, data + at, MIN((size_t)PAGE, size - at));
	show(&t, m, size ? data[0] : 0, &out);
	show_block(data, size);
	fmerge_free(m);
	tracefmt_free(t.formats);
	ftext_release(&t);
	strbuf_release(&out);
	return 0;
}
