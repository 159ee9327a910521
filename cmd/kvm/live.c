// SPDX-License-Identifier: GPL-2.0-or-later
/* perf kvm stat live prints a table of what guests are left for, anew each second. */
#include "base/compat.h"
#include "cmd/kvm/kvm.h"

#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"

#include "cli/terminal.h"

#include <time.h>
#include <unistd.h>

struct live {
	struct kvm_command *c;
	struct kvm_table *table;
	struct terminal terminal; /* used unless --stdio is given */
	unsigned int seconds;     /* between two of them */
	/* for the recorder, as given */
	bool all_cpus;
	const char *pages, *map_timeout;
};

/* ---- what is shown ---- */

/* Print the time and the table of what came since the last one. Return: false: nobody reads it. */
static bool show(void *ctx, struct analysis *a)
{
	struct live *l = ctx;
	struct strbuf text = STRBUF_INIT;
	struct timespec now;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strbuf_addf(&text, "%s%02d:%02d:%02d.%06ld", l->terminal.on ? CLEAR_SCREEN : "", tm.tm_hour,
		    tm.tm_min, tm.tm_sec, now.tv_nsec / 1000);
	kvm_table_put(l->table, &text);
	print_text(&text);
	kvm_table_clear(l->table);
	return !fflush(stdout);
}

static void tell_slow(const char *line)
{
	fputs(line, stdout);
}

static bool goes_on(void *ctx)
{
	struct live *l = ctx;

	return !l->terminal.raw || !terminal_key(&l->terminal, 'q');
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct live *l = ctx;
	struct strbuf notes = STRBUF_INIT;
	int ret = -1;

	l->table = kvm_table_new(&l->c->show, a, tell_slow, err);
	if (!l->table)
		return ret;
	if (!l->c->plain && terminal_open(&l->terminal, STDOUT_FILENO))
		terminal_enter(&l->terminal);
	ret = kvm_table_run(l->table, err);
	if (l->terminal.on)
		terminal_close(&l->terminal);
	if (!ret) {
		show(l, a);
		kvm_table_put_notes(l->table, &notes);
		fputs(strbuf_str(&notes), stderr);
	}
	strbuf_release(&notes);
	kvm_table_free(l->table);
	return ret;
}

/* ---- the command line ---- */

static void add_value(struct verb_args *a, const char *option, const char *value)
{
	if (!value)
		return;
	verb_args_add(a, option);
	verb_args_add(a, value);
}

static int run(struct live *l, const char *const usage[])
{
	const struct sysroot here = { 0 };
	const char *no_more[] = { "live", NULL };
	const struct live_work live = {
		.usage = usage,
		.source = &l->c->source,
		.refresh_ms = l->seconds * 1000,
		.work = work,
		.show = show,
		.goes_on = goes_on,
		.ctx = l,
	};
	struct verb_args a;

	kvm_record_args(&a, &here, NULL, 1, no_more);
	if (!l->c->show.pids)
		verb_args_add(&a, "-a");
	add_value(&a, "-p", l->c->show.pids);
	add_value(&a, "-m", l->pages);
	add_value(&a, "--proc-map-timeout", l->map_timeout);
	return analyse_live(&live, &a);
}

int kvm_live(struct kvm_command *c, int argc, const char **argv)
{
	static const char *const usage[] = { "perf kvm stat live [<options>]", NULL };
	struct live l = { .c = c, .seconds = 1 };
	const struct option options[] = {
		KVM_TABLE_OPTIONS(c),
		OPT_STRING('p', "pid", &c->source.pids, "pid",
			   "record events on existing process id"),
		OPT_BOOLEAN('a', "all-cpus", &l.all_cpus, "system-wide collection from all CPUs"),
		OPT_UINTEGER('d', "display", &l.seconds, "time in seconds between display updates"),
		OPT_STRING('m', "mmap-pages", &l.pages, "pages", "number of mmap data pages"),
		OPT_UINTEGER(0, "duration", &c->show.duration,
			     "show events other than HLT (x86 only) or Wait state (s390 only) that "
			     "take longer than duration usecs"),
		OPT_STRING(0, "proc-map-timeout", &l.map_timeout, "n",
			   "per thread proc mmap processing timeout in ms"),
		OPT_BOOLEAN(0, "stdio", &c->plain, "Print one table below the other"),
		OPT_END(),
	};

	if (parse_options(argc, argv, options, usage, 0))
		usage_with_options(usage, options);
	kvm_settle(c, usage, options);
	if (!l.seconds || l.seconds > 86400)
		usage_with_options_msg(usage, options, "-d: from 1 second to a day");
	if (l.all_cpus && c->source.pids)
		usage_with_options_msg(usage, options, "-a is about all processes, and -p is not");
	source_defaults(&c->source);
	return run(&l, usage);
}
