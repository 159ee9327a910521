// SPDX-License-Identifier: GPL-2.0-or-later
/* perf kvm stat report prints a table of what guests were left for in a recording. */
#include "base/compat.h"
#include "cmd/kvm/kvm.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"

void kvm_settle(struct kvm_command *c, const char *const usage[], const struct option *options)
{
	struct err err = { 0 };

	if ((c->what && kvm_what_parse(&c->show, c->what, &err)) ||
	    (c->key && kvm_key_parse(&c->show, c->key, &err)))
		usage_with_options_msg(usage, options, "%s", err.msg);
	c->show.pids = c->source.pids;
	c->show.verbose = c->source.verbose = c->front.verbose;
}

static int write_table(void *ctx, struct analysis *a, struct err *err)
{
	const struct kvm_command *c = ctx;
	struct strbuf text = STRBUF_INIT, notes = STRBUF_INIT;
	struct kvm_table *t = kvm_table_new(&c->show, a, NULL, err);
	int ret = t ? kvm_table_run(t, err) : -1;

	if (!ret) {
		if (!c->plain)
			setup_pager();
		kvm_table_put(t, &text);
		print_text(&text);
		kvm_table_put_notes(t, &notes);
		fputs(strbuf_str(&notes), stderr);
	}
	strbuf_release(&notes);
	kvm_table_free(t);
	return ret;
}

int kvm_report(struct kvm_command *c, int argc, const char **argv)
{
	static const char *const usage[] = { "perf kvm stat report [<options>]", NULL };
	const struct option options[] = {
		KVM_TABLE_OPTIONS(c),
		INPUT_OPTIONS(&c->source),
		HEATMAP_OPTION(&c->show.heatmap, "times"),
		OPT_STRING('p', "pid", &c->source.pids, "pid",
			   "analyze events only for given process id(s)"),
		OPT_BOOLEAN(0, "stdio", &c->plain, "Print without a pager"),
		OPT_END(),
	};

	c->source.input = kvm_front_file(&c->front);
	if (parse_options(argc, argv, options, usage, 0))
		usage_with_options(usage, options);
	kvm_settle(c, usage, options);
	source_defaults(&c->source);
	return analyse_recording(&c->source, write_table, c);
}
