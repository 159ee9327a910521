// SPDX-License-Identifier: GPL-2.0-or-later
/* Deal with jitdump files in commands that resolve addresses. */
#include "base/compat.h"

#include "recording/jit.h"

#include "base/notice.h"
#include "session/session.h"
#include "jit/jitdump.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static enum jitdump_times times_of(const void *ctx)
{
	const struct session *s = ctx;
	size_t i;

	if (!s->has_time)
		return JITDUMP_NO_TIMES;
	for (i = 0; i < s->evlist.nr; i++) {
		const struct perf_event_attr *a = &s->evlist.evsels[i]->attr;

		if (a->use_clockid && a->clockid == CLOCK_MONOTONIC)
			return JITDUMP_SAME_CLOCK;
	}
	return JITDUMP_OTHER_CLOCK;
}

void jitdump_conf(struct jitdump_conf *conf, const struct session *s, const struct symfs *symfs,
		  bool force)
{
	struct stat st;

	*conf = (struct jitdump_conf){
		.symfs = *symfs,
		.force = force,
		.uid = fstat(s->file->fd, &st) ? geteuid() : st.st_uid,
		.times = times_of,
		.ctx = s,
	};
}

struct jitdumps *follow_jitdumps(struct machine *m, const struct session *s,
				 const struct symfs *symfs, bool force)
{
	struct jitdump_conf conf;

	jitdump_conf(&conf, s, symfs, force);
	return jitdumps_follow(m, &conf);
}

void end_jitdumps(struct jitdumps *j, const struct notices *notices)
{
	const char *text = j ? jitdumps_problems(j) : "";

	if (*text)
		notice(notices, "Warning:\n%s", text);
	jitdumps_free(j);
}
