// SPDX-License-Identifier: GPL-2.0-or-later
/* Make lists of CPUs and threads from options, /sys and /proc. */
#include "base/compat.h"
#include "kernel/target.h"

#include "base/alloc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <unistd.h>

int cpu_list_online(const struct sysroot *sr, struct int_list *out, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(sr, &sb, "/sys/devices/system/cpu/online");

	if (!rc)
		rc = cpu_list_parse(out, strbuf_str(&sb));
	strbuf_release(&sb);
	if (rc || !out->nr) {
		/*
		 * Without sysfs, for example in a container, CPUs are assumed to be numbered from 0
		 * on.
		 */
		long n = sysconf(_SC_NPROCESSORS_ONLN);

		out->nr = 0;
		if (n < 1)
			return err_set(
				err, rc,
				"cannot tell which CPUs are online: /sys/devices/system/cpu/online: %s",
				err_str(rc));
		for (int i = 0; i < n; i++)
			int_list_add(out, i);
	}
	return 0;
}

int cpu_list_target(const struct sysroot *sr, const char *text, struct int_list *out,
		    struct err *err)
{
	struct int_list online = { 0 };
	int rc = cpu_list_parse(out, text);

	if (rc || !out->nr)
		return err_set(err, -EINVAL,
			       "invalid CPU list '%s': give numbers and ranges, as in -C 0,2-3",
			       text);
	rc = cpu_list_online(sr, &online, err);
	for (size_t i = 0; !rc && i < out->nr; i++)
		if (!int_list_has(&online, out->v[i]))
			rc = err_set(err, -ENODEV,
				     "CPU %d is not online: see /sys/devices/system/cpu/online",
				     out->v[i]);
	int_list_release(&online);
	return rc;
}

static int add_tasks(const struct sysroot *sr, int pid, struct int_list *out)
{
	char *path = sysroot_path(sr, "/proc/%d/task", pid);
	DIR *dir = opendir(path);
	struct dirent *d;

	free(path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : -errno;
	while ((d = readdir(dir))) {
		const char *p = d->d_name;
		long tid;

		if (!list_number(&p, INT_MAX, &tid) && !*p)
			int_list_add(out, (int)tid);
	}
	closedir(dir);
	return 0;
}

int id_list_parse(const char *text, const char *what, struct int_list *out, struct err *err)
{
	const char *p = text;
	long id;

	for (;;) {
		if (list_number(&p, INT_MAX, &id) || id == 0 || (*p && *p != ','))
			return err_set(err, -EINVAL,
				       "invalid %s list '%s': give numbers separated by commas",
				       what, text);
		int_list_add(out, (int)id);
		if (!*p)
			return 0;
		p++;
	}
}

int thread_list_pids(const struct sysroot *sr, const char *text, struct int_list *out,
		     struct err *err)
{
	struct int_list pids = { 0 };
	int rc = id_list_parse(text, "process id", &pids, err);

	for (size_t i = 0; !rc && i < pids.nr; i++) {
		rc = add_tasks(sr, pids.v[i], out);
		if (rc)
			err_set(err, rc, "process %d: %s", pids.v[i], err_str(rc));
	}
	int_list_release(&pids);
	int_list_sort(out);
	return rc;
}

int thread_list_tids(const struct sysroot *sr, const char *text, struct int_list *out,
		     struct err *err)
{
	int rc = id_list_parse(text, "thread id", out, err);

	int_list_sort(out);
	for (size_t i = 0; !rc && i < out->nr; i++) {
		char *path = sysroot_path(sr, "/proc/%d/status", out->v[i]);

		if (access(path, F_OK))
			rc = err_set(err, -ESRCH, "thread %d: %s", out->v[i], err_str(-ESRCH));
		free(path);
	}
	return rc;
}

#ifdef PERF_STATIC
/* A static program has no name services, which are shared libraries: the file has to do. */
static bool find_user(const char *name, unsigned int *uid)
{
	FILE *f = fopen("/etc/passwd", "re");
	const struct passwd *pw;
	bool found = false;

	if (!f)
		return false;
	while (!found && (pw = fgetpwent(f))) {
		found = !strcmp(pw->pw_name, name);
		*uid = pw->pw_uid;
	}
	fclose(f);
	return found;
}
#else
static bool find_user(const char *name, unsigned int *uid)
{
	const struct passwd *pw = getpwnam(name);

	if (pw)
		*uid = pw->pw_uid;
	return pw;
}
#endif

int user_parse(const char *text, unsigned int *uid, struct err *err)
{
	const char *p = text;
	long n;

	if (find_user(text, uid))
		return 0;
	if (list_number(&p, INT_MAX, &n) || *p)
		return err_set(err, -ENOENT, "Invalid User: %s", text);
	*uid = (unsigned int)n;
	return 0;
}

/*
 * Tell whether @uid is the effective user of a process. The owner of /proc/PID is not always that
 * user, for processes that must not be traced.
 */
static bool is_of_user(const struct sysroot *sr, int pid, unsigned int uid)
{
	struct strbuf sb = STRBUF_INIT;
	unsigned int euid;
	const char *p;
	bool is = false;

	if (!sysroot_read(sr, &sb, "/proc/%d/status", pid)) {
		p = strstr(strbuf_str(&sb), "\nUid:");
		is = p && sscanf(p + 5, "%*u %u", &euid) == 1 && euid == uid;
	}
	strbuf_release(&sb);
	return is;
}

/* List the processes of a user. @uid: -1: any */
static int list_processes(const struct sysroot *sr, s64 uid, struct int_list *out, struct err *err)
{
	char *path = sysroot_path(sr, "/proc");
	DIR *dir = opendir(path);
	int rc = dir ? 0 : -errno;
	struct dirent *d;

	free(path);
	if (!dir)
		return err_set(err, rc, "cannot list the processes in /proc: %s", err_str(rc));
	while ((d = readdir(dir))) {
		const char *p = d->d_name;
		long pid;

		/* processes that end meanwhile are left out */
		if (!list_number(&p, INT_MAX, &pid) && !*p &&
		    (uid < 0 || is_of_user(sr, (int)pid, (unsigned int)uid)))
			add_tasks(sr, (int)pid, out);
	}
	closedir(dir);
	int_list_sort(out);
	return 0;
}

int thread_list_uid(const struct sysroot *sr, unsigned int uid, struct int_list *out,
		    struct err *err)
{
	int rc = list_processes(sr, uid, out, err);

	if (rc || out->nr)
		return rc;
	return err_set(err, -ESRCH, "no process of the user %u is running", uid);
}

int thread_list_all(const struct sysroot *sr, struct int_list *out, struct err *err)
{
	return list_processes(sr, -1, out, err);
}

/* --- the options together ---------------------------------------------------- */

static void overriding(const struct notices *notes, const char *what)
{
	notice(notes, "Warning:\n%s\n", what);
}

bool target_tasks(const struct target *t)
{
	return t->pids || t->tids || t->uid;
}

bool target_system(const struct target *t)
{
	return (t->all_cpus || t->cpus) && !target_tasks(t);
}

void target_choose(struct target *t, bool command, const struct notices *notes)
{
	if (t->pids && t->tids)
		t->tids = NULL;
	if (t->pids || t->tids) {
		if (t->cpus)
			overriding(notes, "PID/TID switch overriding CPU");
		if (t->uid)
			overriding(notes, "PID/TID switch overriding UID");
		if (t->all_cpus)
			overriding(notes, "PID/TID switch overriding SYSTEM");
		t->uid = NULL;
	} else if (t->uid) {
		if (t->cpus)
			overriding(notes, "UID switch overriding CPU");
		if (t->all_cpus)
			overriding(notes, "UID switch overriding SYSTEM");
	} else {
		if (!command && !t->cpus)
			t->all_cpus = true;
		return;
	}
	t->all_cpus = false;
	t->cpus = NULL;
}

int target_threads(const struct target *t, const struct sysroot *sr, struct int_list *out,
		   struct err *err)
{
	unsigned int uid;

	if (t->pids)
		return thread_list_pids(sr, t->pids, out, err);
	if (t->tids)
		return thread_list_tids(sr, t->tids, out, err);
	if (t->uid)
		return user_parse(t->uid, &uid, err) ?: thread_list_uid(sr, uid, out, err);
	return 0;
}
