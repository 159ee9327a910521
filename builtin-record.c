// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: sample events of a command, of processes or of the whole system into a file. */
#include "base/compat.h"
#include "builtin.h"
#include "cmd/common/record-front.h"
#include "cmd/common/signals.h"

static const char *const record_usage[] = {
	"perf record [<options>] [<command>]",
	"perf record [<options>] -- <command> [<options>]",
	NULL,
};

static struct record_front rec = RECORD_FRONT(&rec);
static const struct option options[] = { RECORD_OPTIONS(&rec),
					 OPT_GONE('f', "force",
						  "-f is gone: what is in the way is overwritten, "
						  "after perf.data was kept as perf.data.old"),
					 OPT_END() };

int cmd_record(int argc, const char **argv)
{
	int status;

	rec.advise = true;
	status = record_front_run(&rec, argc, argv, options, record_usage, NULL, NULL);

	if (rec.result.signal)
		end_by_signal(rec.result.signal);
	return status;
}
