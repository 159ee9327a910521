// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines for tracefs' uprobe_events. Source of the format: the kernel's
 * Documentation/trace/uprobetracer.rst.
 */
#include "base/compat.h"
#include "kernel/sdt-probe.h"

#include "base/alloc.h"
#include "kernel/probe-files.h"

#include <errno.h>
#include <unistd.h>

static int put_line(const struct sysroot *sr, const char *line)
{
	int fd = probe_file_open(sr, PROBE_FILE_USER, NULL), rc;

	if (fd < 0)
		return fd;
	rc = probe_file_put(fd, line);
	close(fd);
	return rc;
}

static bool is_made(const struct probe_set *p, const char *name, size_t len)
{
	for (const char *s = strbuf_str(&p->made); *s; s += strcspn(s, "\n") + 1)
		if (strcspn(s, "\n") == len && !memcmp(s, name, len))
			return true;
	return false;
}

int probe_add(struct probe_set *p, const struct sysroot *sr, const char *line, struct err *err)
{
	const char *name = strchr(line, ':');
	size_t len = name ? strcspn(name + 1, " ") : 0;
	int rc = len ? put_line(sr, line) : -EINVAL;

	if (rc == -EACCES || rc == -EPERM)
		return err_set(err, rc,
			       "no permission to make the probe %.*s: "
			       "run as root, or make it first with perf probe",
			       (int)len, name + 1);
	if (rc == -ENOENT)
		return err_set(
			err, -ENXIO,
			"the probe %.*s cannot be made: the kernel has no uprobe_events, or its file is gone",
			(int)len, name + 1);
	/* the kernel returns one of these when the arguments differ */
	if (rc == -EINVAL || rc == -EBUSY)
		rc = -EEXIST;
	if (rc)
		return rc == -EEXIST ? rc
				     : err_set(err, rc, "the probe %.*s cannot be made: %s",
					       (int)len, name ? name + 1 : "", err_str(rc));
	if (!is_made(p, name + 1, len)) {
		strbuf_add(&p->made, name + 1, len);
		strbuf_addch(&p->made, '\n');
		p->nr++;
	}
	return 0;
}

void probe_remove_all(struct probe_set *p, const struct sysroot *sr)
{
	for (const char *s = strbuf_str(&p->made); *s;) {
		size_t len = strcspn(s, "\n");
		char *line = xasprintf("-:%.*s", (int)len, s);

		put_line(sr, line);
		free(line);
		s += len + 1;
	}
	strbuf_release(&p->made);
	p->nr = 0;
}
