// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why the kernel refuses a tracepoint filter. Through perf the kernel only says "invalid argument",
 * but a filter file of tracefs contains the text with a caret and the reason. A separate trace
 * instance is used, so that traces of others are not filtered meanwhile.
 */
#include "base/compat.h"
#include "kernel/open.h"

#include "base/alloc.h"
#include "events/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ask(const char *file, const char *filter)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	bool refused = fd >= 0 && write(fd, filter, strlen(filter)) < 0;

	if (fd >= 0)
		close(fd);
	return refused;
}

void filter_why(const struct sysroot *sr, const char *tracepoint, const char *filter,
		struct strbuf *out)
{
	const char *tracefs = tracefs_path(sr), *colon = strchr(tracepoint, ':');
	char *instance = sysroot_path(sr, "%s/instances/perf-%d", tracefs, (int)getpid());
	struct strbuf text = STRBUF_INIT;
	char *file;

	if (!colon || mkdir(instance, 0700)) {
		free(instance);
		return;
	}
	file = xasprintf("%s/events/%.*s/%s/filter", instance, (int)(colon - tracepoint),
			 tracepoint, colon + 1);
	if (ask(file, filter) &&
	    !sysroot_read(sr, &text, "%s/instances/perf-%d/events/%.*s/%s/filter", tracefs,
			  (int)getpid(), (int)(colon - tracepoint), tracepoint, colon + 1) &&
	    strncmp(strbuf_str(&text), "none", 4)) {
		while (text.len && text.buf[text.len - 1] == '\n')
			text.buf[--text.len] = 0;
		strbuf_addf(out, "The kernel says:\n%s", strbuf_str(&text));
	}
	strbuf_release(&text);
	rmdir(instance);
	free(instance);
	free(file);
}
