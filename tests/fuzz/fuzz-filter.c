// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Both languages of --filter: parsing ends, errors point into the text, comparisons lead forward
 * only, and what they become is a program whose jumps all arrive.
 */
#include "base/compat.h"
#include "bpf/filter-internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char format[] = "name: e\nID: 1\nformat:\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			     "\tfield:u64 n;\toffset:24;\tsize:8;\tsigned:0;\n"
			     "\tfield:const char * p;\toffset:32;\tsize:8;\tsigned:0;\n"
			     "\tfield:__data_loc cpumask_t m;\toffset:40;\tsize:4;\tsigned:0;\n\n"
			     "print fmt: \"%d\", REC->n\n";

static void check_error(const struct filter_error *fe, const char *text)
{
	struct strbuf out = STRBUF_INIT;

	if (fe->at > strlen(text) || !fe->text[0])
		abort();
	filter_error_format(fe, text, &out);
	strbuf_release(&out);
}

static void check_program(const struct compiled_filter *f)
{
	const struct sysroot nowhere = { "/nonexistent" };
	struct bpf_filter_where w = { .filled = f->nr & 1, .data = 8, .flags = f->nr & 2 ? 0 : -1 };
	struct bpf_filter_node nodes[FILTER_NODES_MAX];
	struct bpf_code code = { 0 };

	/* a cgroup is not there, an older kernel does not show all fields */
	if (bpf_filter_lower(nodes, f, &w, f->nr & 4 ? PERF_SAMPLE_WEIGHT_STRUCT : 0, &nowhere,
			     NULL))
		return;
	bpf_filter_compile(&code, &w, nodes, f->nr, 3);
	if (bpf_link(&code) || code.nr > 4096)
		abort();
	bpf_code_release(&code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tracefmt *tf = tracefmt_new(false, 8);
	const struct tf_event *ev = tracefmt_add(tf, "s", format, sizeof(format) - 1, NULL);
	struct strbuf text = STRBUF_INIT;
	struct filter_error fe;
	struct compiled_filter f;

	strbuf_add(&text, data, size);
	if (tracefilter_check(strbuf_str(&text), ev, &fe))
		check_error(&fe, strbuf_str(&text));
	if (compiled_filter_parse(&f, strbuf_str(&text), &fe)) {
		check_error(&fe, strbuf_str(&text));
	} else {
		if (!f.nr || f.nr > FILTER_NODES_MAX)
			abort();
		for (size_t i = 0; i < f.nr; i++)
			if (f.nodes[i].yes <= i || f.nodes[i].no <= i ||
			    (f.nodes[i].yes >= f.nr && f.nodes[i].yes < FILTER_KEEP) ||
			    (f.nodes[i].no >= f.nr && f.nodes[i].no < FILTER_KEEP))
				abort();
		check_program(&f);
		compiled_filter_release(&f);
	}
	strbuf_release(&text);
	tracefmt_free(tf);
	return 0;
}
