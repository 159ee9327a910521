// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Header features about PMUs: their numbers, their capabilities, and the CPUs they count on. All
 * are in the order in which the kernel lists them.
 */
#include "base/compat.h"
#include "file/feature-internal.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>

/* Open a directory below @sr, as opendir() does. */
static DIR *open_dir(const struct sysroot *sr, const char *path)
{
	char *full = sysroot_path(sr, "%s", path);
	DIR *dir = opendir(full);

	free(full);
	return dir;
}

/* Return the next entry that is not hidden, or NULL at the end. */
static const char *next_entry(DIR *dir)
{
	struct dirent *d;

	do
		d = readdir(dir);
	while (d && d->d_name[0] == '.');
	return d ? d->d_name : NULL;
}

static void set_count(struct strbuf *out, size_t at, u32 nr)
{
	memcpy(out->buf + at, &nr, sizeof(nr));
}

/* Appends entries about one PMU. Return: their number. */
typedef u32 put_pmu(const struct sysroot *sr, const char *pmu, struct strbuf *out);

static int put_all(const struct sysroot *sr, struct strbuf *out, put_pmu *each, u32 *nr)
{
	DIR *dir = open_dir(sr, PMU_DIR);
	const char *pmu;

	if (!dir)
		return -errno;
	while ((pmu = next_entry(dir)))
		*nr += each(sr, pmu, out);
	closedir(dir);
	return 0;
}

/*
 * Append a section that begins with the number of its entries: what @each returns for every PMU,
 * followed by what @then appends; both may be NULL.
 */
static int counted_pmus(const struct sysroot *sr, struct strbuf *out, put_pmu *each, put_pmu *then,
			u32 *nr)
{
	size_t at = out->len;
	int rc;

	*nr = 0;
	feature_u32(out, 0);
	rc = put_all(sr, out, each, nr);
	if (!rc && then)
		rc = put_all(sr, out, then, nr);
	set_count(out, at, *nr);
	return rc;
}

static u32 put_mapping(const struct sysroot *sr, const char *pmu, struct strbuf *out)
{
	u64 type;

	if (sysroot_read_u64(sr, &type, PMU_DIR "/%s/type", pmu))
		return 0;
	feature_u32(out, (u32)type);
	feature_string(out, pmu);
	return 1;
}

int host_pmus(const struct sysroot *sr, struct strbuf *out)
{
	u32 nr;

	return counted_pmus(sr, out, put_mapping, NULL, &nr);
}

/* Append "nr, nr x {name, value}" of one PMU. Return: nr. */
static u32 put_caps(const struct sysroot *sr, const char *pmu, struct strbuf *out)
{
	char *path = xasprintf(PMU_DIR "/%s/caps", pmu);
	DIR *dir = open_dir(sr, path);
	size_t at = out->len;
	const char *name;
	u32 nr = 0;

	feature_u32(out, 0);
	while (dir && (name = next_entry(dir))) {
		char *value = feature_line(sr, path, -1, name);

		if (value) {
			feature_string(out, name);
			feature_string(out, value);
			nr++;
		}
		free(value);
	}
	if (dir)
		closedir(dir);
	free(path);
	set_count(out, at, nr);
	return nr;
}

int host_cpu_pmu_caps(const struct sysroot *sr, struct strbuf *out)
{
	return put_caps(sr, "cpu", out) ? 0 : -ENOENT;
}

/*
 * On a hybrid machine each kind of core has a PMU, cpu_core and cpu_atom. Return: the CPUs it
 * counts on, which the caller frees; NULL when it is not of that kind.
 */
static char *hybrid_cpus(const struct sysroot *sr, const char *pmu)
{
	char *path, *cpus;

	if (strncmp(pmu, "cpu_", 4))
		return NULL;
	path = xasprintf(PMU_DIR "/%s", pmu);
	cpus = feature_line(sr, path, -1, "cpus");
	free(path);
	if (cpus && !*cpus) {
		free(cpus);
		cpus = NULL;
	}
	return cpus;
}

static u32 put_pmu_caps(const struct sysroot *sr, const char *pmu, struct strbuf *out)
{
	size_t at = out->len;

	if (!strcmp(pmu, "cpu") || !put_caps(sr, pmu, out)) {
		out->len = at;
		return 0;
	}
	feature_string(out, pmu);
	return 1;
}

static u32 put_hybrid_caps(const struct sysroot *sr, const char *pmu, struct strbuf *out)
{
	char *cpus = hybrid_cpus(sr, pmu);
	u32 n = cpus ? put_pmu_caps(sr, pmu, out) : 0;

	free(cpus);
	return n;
}

static u32 put_other_caps(const struct sysroot *sr, const char *pmu, struct strbuf *out)
{
	char *cpus = hybrid_cpus(sr, pmu);
	u32 n = cpus ? 0 : put_pmu_caps(sr, pmu, out);

	free(cpus);
	return n;
}

int host_pmu_caps(const struct sysroot *sr, struct strbuf *out)
{
	u32 nr;
	int rc = counted_pmus(sr, out, put_hybrid_caps, put_other_caps, &nr);

	/* without PMUs there are no capabilities */
	return rc == -ENOENT ? 0 : rc;
}

static u32 put_hybrid(const struct sysroot *sr, const char *pmu, struct strbuf *out)
{
	char *cpus = hybrid_cpus(sr, pmu);

	if (!cpus)
		return 0;
	feature_string(out, pmu);
	feature_string(out, cpus);
	free(cpus);
	return 1;
}

int host_hybrid(const struct sysroot *sr, struct strbuf *out)
{
	u32 nr;
	int rc = counted_pmus(sr, out, put_hybrid, NULL, &nr);

	return rc ? rc : nr ? 0 : -ENOENT;
}
