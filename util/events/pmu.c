// SPDX-License-Identifier: GPL-2.0-or-later
/* Read what sysfs has of each PMU. Unreadable and malformed files are left out. */
#include "base/compat.h"
#include "events/pmu.h"

#include "arch/arch.h"
#include "base/alloc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <strings.h>

#define PMU_DIR "/sys/bus/event_source/devices"

static bool is_text(const char *s)
{
	for (; *s; s++)
		if (iscntrl((unsigned char)*s))
			return false;
	return true;
}

/* Return the first line of a file without surrounding blanks, or NULL. The caller frees it. */
static char *read_line(const struct sysroot *sr, const char *pmu, const char *dir, const char *file,
		       const char *suffix)
{
	struct strbuf sb = STRBUF_INIT;
	char *s = NULL;

	if (!sysroot_read(sr, &sb, PMU_DIR "/%s/%s%s%s", pmu, dir, file, suffix) && sb.len) {
		const char *p = sb.buf + strspn(sb.buf, " \t");
		size_t len = strcspn(p, "\n");

		while (len && isspace((unsigned char)p[len - 1]))
			len--;
		s = len ? xstrndup(p, len) : NULL;
	}
	strbuf_release(&sb);
	return s;
}

static bool line_exists(const struct sysroot *sr, const char *pmu, const char *dir,
			const char *file, const char *suffix)
{
	char *s = read_line(sr, pmu, dir, file, suffix);
	bool there = s != NULL;

	free(s);
	return there;
}

/* --- the list ------------------------------------------------------------- */

/* Tell whether the list stands for all CPUs of the machine. */
static bool all_cpus(const struct sysroot *sr, const char *cpus)
{
	static const char *const all[] = { "online", "present", "possible" };
	bool same = false;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct strbuf sb = STRBUF_INIT;

		if (!sysroot_read(sr, &sb, "/sys/devices/system/cpu/%s", all[i]))
			same |= strcspn(strbuf_str(&sb), "\n") == strlen(cpus) &&
				!strncmp(strbuf_str(&sb), cpus, strlen(cpus));
		strbuf_release(&sb);
	}
	return same;
}

static void scan_one(struct pmus *p, const struct sysroot *sr, const char *name)
{
	char *cpus, *precise;
	struct pmu *pmu;
	u64 type;

	if (sysroot_read_u64(sr, &type, PMU_DIR "/%s/type", name))
		return;
	VEC_GROW(p->v, p->nr + 1, p->cap);
	pmu = &p->v[p->nr++];
	memset(pmu, 0, sizeof(*pmu));
	pmu->name = xstrdup(name);
	pmu->type = (u32)type;
	/* "cpumask" exists outside the cores, "cpus" for one of several kinds of cores */
	cpus = read_line(sr, name, "", "cpus", "");
	pmu->core = cpus || arch_core_pmu(name);
	if (cpus && all_cpus(sr, cpus)) {
		/* it is the only kind of cores */
		free(cpus);
		cpus = NULL;
	}
	pmu->cpumask = read_line(sr, name, "", "cpumask", "");
	if (!pmu->cpumask)
		pmu->cpumask = cpus;
	else
		free(cpus);
	precise = read_line(sr, name, "caps/", "max_precise", "");
	pmu->max_precise = precise ? (s32)strtol(precise, NULL, 10) : -1;
	free(precise);
}

int pmus_scan(struct pmus *p, const struct sysroot *sr)
{
	struct dirent *d;
	char *path;
	DIR *dir;
	int rc;

	if (p->scanned)
		return 0;
	path = sysroot_path(sr, "%s", PMU_DIR);
	dir = opendir(path);
	rc = dir ? 0 : -errno;
	free(path);
	if (!dir)
		return rc;
	p->scanned = true;
	while ((d = readdir(dir)))
		if (d->d_name[0] != '.' && is_text(d->d_name))
			scan_one(p, sr, d->d_name);
	closedir(dir);
	return 0;
}

static void pmu_release(struct pmu *pmu)
{
	for (size_t i = 0; i < pmu->nr_formats; i++)
		free(pmu->formats[i].name);
	for (size_t i = 0; i < pmu->nr_aliases; i++) {
		free(pmu->aliases[i].name);
		free(pmu->aliases[i].terms);
		free(pmu->aliases[i].unit);
	}
	free(pmu->formats);
	free(pmu->aliases);
	free(pmu->name);
	free(pmu->cpumask);
}

void pmus_release(struct pmus *p)
{
	for (size_t i = 0; i < p->nr; i++)
		pmu_release(&p->v[i]);
	free(p->v);
	memset(p, 0, sizeof(*p));
}

struct pmu *pmus_find(const struct pmus *p, const char *name)
{
	for (size_t i = 0; i < p->nr; i++)
		if (!strcmp(p->v[i].name, name))
			return &p->v[i];
	return NULL;
}

/* --- one PMU -------------------------------------------------------------- */

/* Parse "config1:0-7,32" into word and bits. Return: 0, -EINVAL. */
static int pmu_format_parse(const char *text, struct pmu_format *f)
{
	static const char *const words[PMU_CONFIG_WORDS] = { "config", "config1", "config2",
							     "config3" };
	const char *p = strchr(text, ':');
	size_t len = p ? (size_t)(p - text) : 0;

	f->bits = 0;
	if (!p)
		return -EINVAL;
	for (f->word = 0; f->word < PMU_CONFIG_WORDS; f->word++)
		if (strlen(words[f->word]) == len && !memcmp(words[f->word], text, len))
			break;
	do {
		char *end;
		unsigned long lo, hi;

		if (!isdigit((unsigned char)p[1]))
			return -EINVAL;
		lo = hi = strtoul(p + 1, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			hi = strtoul(end + 1, &end, 10);
		if (hi < lo || hi > 63)
			return -EINVAL;
		for (; lo <= hi; lo++)
			f->bits |= 1ULL << lo;
		p = end;
	} while (*p == ',');
	return *p && *p != '\n' ? -EINVAL : 0;
}

static void add_format(struct pmu *pmu, const struct sysroot *sr, const char *name)
{
	char *text = read_line(sr, pmu->name, "format/", name, "");
	struct pmu_format f;

	if (text && !pmu_format_parse(text, &f)) {
		f.name = xstrdup(name);
		VEC_GROW(pmu->formats, pmu->nr_formats + 1, pmu->cap_formats);
		pmu->formats[pmu->nr_formats++] = f;
	}
	free(text);
}

static bool ends_in(const char *s, const char *suffix)
{
	size_t len = strlen(s), n = strlen(suffix);

	return len > n && !strcmp(s + len - n, suffix);
}

static void add_alias(struct pmu *pmu, const struct sysroot *sr, const char *name)
{
	static const char dir[] = "events/";
	struct pmu_alias a = { 0 };
	char *scale;

	if (ends_in(name, ".unit") || ends_in(name, ".scale") || ends_in(name, ".snapshot") ||
	    ends_in(name, ".per-pkg"))
		return;
	a.terms = read_line(sr, pmu->name, dir, name, "");
	if (!a.terms)
		return;
	a.name = xstrdup(name);
	a.unit = read_line(sr, pmu->name, dir, name, ".unit");
	scale = read_line(sr, pmu->name, dir, name, ".scale");
	a.scale = scale ? strtod(scale, NULL) : 0;
	free(scale);
	a.snapshot = line_exists(sr, pmu->name, dir, name, ".snapshot");
	a.per_pkg = line_exists(sr, pmu->name, dir, name, ".per-pkg");
	VEC_GROW(pmu->aliases, pmu->nr_aliases + 1, pmu->cap_aliases);
	pmu->aliases[pmu->nr_aliases++] = a;
}

static void each_file(struct pmu *pmu, const struct sysroot *sr, const char *folder,
		      void (*add)(struct pmu *, const struct sysroot *, const char *))
{
	char *path = sysroot_path(sr, PMU_DIR "/%s/%s", pmu->name, folder);
	DIR *dir = opendir(path);
	struct dirent *d;

	free(path);
	if (!dir)
		return;
	while ((d = readdir(dir)))
		if (d->d_name[0] != '.' && is_text(d->d_name))
			add(pmu, sr, d->d_name);
	closedir(dir);
}

static int by_format_name(const void *a, const void *b)
{
	return strcmp(((const struct pmu_format *)a)->name, ((const struct pmu_format *)b)->name);
}

static int by_alias_name(const void *a, const void *b)
{
	return strcmp(((const struct pmu_alias *)a)->name, ((const struct pmu_alias *)b)->name);
}

void pmu_load(struct pmu *pmu, const struct sysroot *sr)
{
	if (pmu->loaded)
		return;
	pmu->loaded = true;
	each_file(pmu, sr, "format", add_format);
	each_file(pmu, sr, "events", add_alias);
	if (pmu->nr_formats)
		qsort(pmu->formats, pmu->nr_formats, sizeof(*pmu->formats), by_format_name);
	if (pmu->nr_aliases)
		qsort(pmu->aliases, pmu->nr_aliases, sizeof(*pmu->aliases), by_alias_name);
}

const struct pmu_format *pmu_format_find(const struct pmu *pmu, const char *name)
{
	struct pmu_format key = { .name = (char *)name };

	return pmu->nr_formats
		       ? bsearch(&key, pmu->formats, pmu->nr_formats, sizeof(key), by_format_name)
		       : NULL;
}

const struct pmu_alias *pmu_alias_find(const struct pmu *pmu, const char *name)
{
	struct pmu_alias key = { .name = (char *)name };
	const struct pmu_alias *a = pmu->nr_aliases ? bsearch(&key, pmu->aliases, pmu->nr_aliases,
							      sizeof(key), by_alias_name)
						    : NULL;

	for (size_t i = 0; !a && i < pmu->nr_aliases; i++)
		if (!strcasecmp(pmu->aliases[i].name, name))
			a = &pmu->aliases[i];
	return a;
}

/* --- names with numbers behind -------------------------------------------- */

/*
 * Tell whether @s is a suffix that a word may leave out: "_0", "0", or a hexadecimal address, as
 * some PMUs of Arm have.
 */
static bool is_number(const char *s)
{
	bool bar = *s == '_';
	size_t dec, hex;

	s += bar;
	dec = strspn(s, "0123456789");
	hex = strspn(s, "0123456789abcdef");
	return !s[dec] || (bar && !s[hex] && hex > 2);
}

static bool name_matches(const char *name, const char *word, bool glob)
{
	size_t len = strlen(word);

	if (glob)
		return !fnmatch(word, name, 0);
	return len && !strncmp(name, word, len) && is_number(name + len);
}

const char *pmu_short_name(const char *name)
{
	static const char uncore[] = "uncore_";

	return strncmp(name, uncore, sizeof(uncore) - 1) ? name : name + sizeof(uncore) - 1;
}

bool pmu_matches(const char *name, const char *word)
{
	bool glob = strpbrk(word, "*?[") != NULL;

	return name_matches(name, word, glob) || name_matches(pmu_short_name(name), word, glob);
}
