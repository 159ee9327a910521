// SPDX-License-Identifier: GPL-2.0-or-later
/* CPU and thread lists from options, /sys and /proc. */
#include "base/compat.h"
#include "kernel/target.h"

#include "base/alloc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#define CPU_MAX 65536 /* far above CONFIG_NR_CPUS; keeps a mistyped range from eating memory */

void int_list_add(struct int_list *l, int v)
{
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr++] = v;
}

void int_list_release(struct int_list *l)
{
	free(l->v);
	memset(l, 0, sizeof(*l));
}

static int cmp_int(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

static void sort_unique(struct int_list *l)
{
	size_t n = 0;

	if (!l->nr)
		return;
	qsort(l->v, l->nr, sizeof(*l->v), cmp_int);
	for (size_t i = 0; i < l->nr; i++)
		if (!n || l->v[n - 1] != l->v[i])
			l->v[n++] = l->v[i];
	l->nr = n;
}

static int parse_number(const char **p, long max, long *out)
{
	char *end;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	errno = 0;
	*out = strtol(*p, &end, 10);
	if (errno || *out > max)
		return -EINVAL;
	*p = end;
	return 0;
}

int cpu_list_parse(struct int_list *out, const char *p)
{
	while (*p && *p != '\n') {
		long first, last;

		if (parse_number(&p, CPU_MAX, &first))
			return -EINVAL;
		last = first;
		if (*p == '-') {
			p++;
			if (parse_number(&p, CPU_MAX, &last) || last < first)
				return -EINVAL;
		}
		for (long c = first; c <= last; c++)
			int_list_add(out, (int)c);
		if (*p == ',' && p[1])
			p++;
		else if (*p && *p != '\n')
			return -EINVAL;
	}
	sort_unique(out);
	return 0;
}

int cpu_list_online(const struct sysroot *sr, struct int_list *out, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(sr, &sb, "/sys/devices/system/cpu/online");

	if (!rc)
		rc = cpu_list_parse(out, strbuf_str(&sb));
	strbuf_release(&sb);
	if (rc || !out->nr) {
		/* No sysfs (a container, say): the processors are numbered from 0 without holes,
		 * most likely. */
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
		if (!bsearch(&out->v[i], online.v, online.nr, sizeof(int), cmp_int))
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

		if (!parse_number(&p, INT_MAX, &tid) && !*p)
			int_list_add(out, (int)tid);
	}
	closedir(dir);
	return 0;
}

static int parse_ids(const char *text, const char *what, struct int_list *out, struct err *err)
{
	const char *p = text;
	long id;

	for (;;) {
		if (parse_number(&p, INT_MAX, &id) || id == 0 || (*p && *p != ','))
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
	int rc = parse_ids(text, "process id", &pids, err);

	for (size_t i = 0; !rc && i < pids.nr; i++) {
		rc = add_tasks(sr, pids.v[i], out);
		if (rc)
			err_set(err, rc, "cannot record process %d: %s", pids.v[i], err_str(rc));
	}
	int_list_release(&pids);
	sort_unique(out);
	return rc;
}

int thread_list_tids(const struct sysroot *sr, const char *text, struct int_list *out,
		     struct err *err)
{
	int rc = parse_ids(text, "thread id", out, err);

	sort_unique(out);
	for (size_t i = 0; !rc && i < out->nr; i++) {
		char *path = sysroot_path(sr, "/proc/%d/status", out->v[i]);

		if (access(path, F_OK))
			rc = err_set(err, -ESRCH, "cannot record thread %d: %s", out->v[i],
				     err_str(-ESRCH));
		free(path);
	}
	return rc;
}
