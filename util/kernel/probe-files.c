// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kernel/probe-files.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "events/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <unistd.h>

#define LINE_MAX_BYTES 4096 /* the kernel takes no longer line */

static const char *const names[] = {
	[PROBE_FILE_KERNEL] = "kprobe_events",
	[PROBE_FILE_USER] = "uprobe_events",
};

int probe_file_read(const struct sysroot *sr, enum probe_file which, struct strbuf *out)
{
	return sysroot_read(sr, out, "%s/%s", tracefs_path(sr), names[which]);
}

int probe_file_refused(const struct sysroot *sr, enum probe_file which, int code, struct err *err)
{
	const char *root = tracefs_path(sr);
	bool user = which == PROBE_FILE_USER;

	if (code == -ENOENT)
		return err_set(err, code,
			       "%s/%s does not exist.\nPlease rebuild kernel with "
			       "CONFIG_%cPROBE_EVENTS=y.",
			       root, names[which], user ? 'U' : 'K');
	if (code == -EPERM && sysroot_lockdown(sr) != LOCKDOWN_NONE)
		return err_set(err, code,
			       "%s/%s cannot be written: the kernel is locked down "
			       "(/sys/kernel/security/lockdown), which forbids %s.",
			       root, names[which], user ? "reading its memory" : "kprobes");
	return err_set(err, code, "cannot open %s/%s: %s%s", root, names[which], err_str(code),
		       code == -EACCES || code == -EPERM ? "; probes are made by root" : "");
}

int probe_file_open(const struct sysroot *sr, enum probe_file which, struct err *err)
{
	char *path = sysroot_path(sr, "%s/%s", tracefs_path(sr), names[which]);
	int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC), code = -errno;

	free(path);
	if (fd < 0)
		return probe_file_refused(sr, which, code, err);
	while (flock(fd, LOCK_EX) && errno == EINTR)
		;
	return fd;
}

static bool is_line(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			return false;
	return len && len < LINE_MAX_BYTES;
}

int probe_file_put(int fd, const char *line)
{
	size_t len = strlen(line);
	ssize_t n;

	if (!is_line(line, len))
		return -EINVAL;
	n = write(fd, line, len);
	if (n < 0)
		return -errno;
	return n == (ssize_t)len ? 0 : -EIO;
}

/* Return the mount namespace of a process; 0: this one. */
static int open_namespace(const struct sysroot *sr, u32 pid)
{
	return pid ? sysroot_open(sr, "/proc/%u/ns/mnt", pid)
		   : sysroot_open(sr, "/proc/self/ns/mnt");
}

int probe_file_put_for(const struct sysroot *sr, u32 pid, int fd, const char *line)
{
	int own = pid ? open_namespace(sr, 0) : -1, theirs = pid ? open_namespace(sr, pid) : -1,
	    rc = 0;

	if (pid && (own < 0 || theirs < 0))
		rc = MIN(own, theirs);
	else if (pid && setns(theirs, CLONE_NEWNS))
		rc = -errno;
	if (!rc)
		rc = probe_file_put(fd, line);
	if (own >= 0 && theirs >= 0 && setns(own, CLONE_NEWNS) && !rc)
		rc = -errno;
	if (own >= 0)
		close(own);
	if (theirs >= 0)
		close(theirs);
	return rc;
}

/* The last entry of the log is three lines: "[time] trace_uprobe: error: REASON", the command, and
 * a mark below its place. */
void probe_file_why(const struct sysroot *sr, struct strbuf *out)
{
	static const char mark[] = "probe: error: ";
	struct strbuf log = STRBUF_INIT;
	const char *p, *last = NULL;

	if (sysroot_read(sr, &log, "%s/error_log", tracefs_path(sr)))
		return;
	for (p = strstr(strbuf_str(&log), mark); p; p = strstr(last, mark))
		last = p + strlen(mark);
	if (last) {
		while (*last == ' ' || *last == '\n')
			last++;
		strbuf_addf(out, "%.*s", (int)strcspn(last, "\n"), last);
	}
	strbuf_release(&log);
}

bool probe_kernel_knows(const struct sysroot *sr, const char *text)
{
	struct strbuf readme = STRBUF_INIT;
	bool knows = !sysroot_read(sr, &readme, "%s/README", tracefs_path(sr)) &&
		     strstr(strbuf_str(&readme), text);

	strbuf_release(&readme);
	return knows;
}

/* A line of the list is "0xSTART-0xEND<tab>NAME". */
bool probe_file_forbids(const struct sysroot *sr, const char *name)
{
	struct strbuf list = STRBUF_INIT;
	size_t len = strlen(name);
	bool found = false;
	const char *p;

	(void)sysroot_read(sr, &list, "/sys/kernel/debug/kprobes/blacklist");
	for (p = strbuf_str(&list); *p && !found; p += strcspn(p, "\n"), p += *p == '\n') {
		size_t at = strcspn(p, "\t\n");

		found = p[at] == '\t' && !strncmp(p + at + 1, name, len) &&
			strchr("\n", p[at + 1 + len]);
	}
	strbuf_release(&list);
	return found;
}

/* ---- probes for one run ---- */

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
