// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The facts about the machine that expressions use: "#smt_on", has_event(), strcmp_cpuid_str().
 * They come from /proc and /sys.
 */
#include "base/compat.h"
#include "metric/metric-internal.h"

#include "base/alloc.h"
#include "arch/cpuid.h"
#include "arch/cpuinfo.h"
#include "base/int-list.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>

#define CPU_DIR "/sys/devices/system/cpu"
#define PMU_DIR "/sys/bus/event_source/devices"

/* --- topology ------------------------------------------------------------------- */

/* Return the number of CPUs in a file with a list like "0-3,7". */
static double cpus_of(const struct sysroot *sr, const char *file)
{
	struct strbuf sb = STRBUF_INIT;
	struct int_list cpus = { 0 };
	double nr = NAN;

	if (!sysroot_read(sr, &sb, CPU_DIR "/%s", file) &&
	    !cpu_list_parse(&cpus, strbuf_str(&sb)) && cpus.nr)
		nr = (double)cpus.nr;
	int_list_release(&cpus);
	strbuf_release(&sb);
	return nr;
}

/*
 * Count the CPUs that are the first ones in the list of @file, which is the number of such units.
 */
static double count_firsts(const struct sysroot *sr, const char *file, const char *older)
{
	char *path = sysroot_path(sr, CPU_DIR);
	DIR *d = opendir(path);
	struct dirent *de;
	double nr = 0;

	free(path);
	while (d && (de = readdir(d))) {
		struct strbuf sb = STRBUF_INIT;
		char *end;
		unsigned long cpu;

		if (strncmp(de->d_name, "cpu", 3) || de->d_name[3] < '0' || de->d_name[3] > '9')
			continue;
		cpu = strtoul(de->d_name + 3, &end, 10);
		if (!*end && (!sysroot_read(sr, &sb, CPU_DIR "/%s/topology/%s", de->d_name, file) ||
			      !sysroot_read(sr, &sb, CPU_DIR "/%s/topology/%s", de->d_name, older)))
			nr += strtoul(strbuf_str(&sb), NULL, 10) == cpu;
		strbuf_release(&sb);
	}
	if (d)
		closedir(d);
	return nr ? nr : NAN;
}

static double num_cores(const struct sysroot *sr)
{
	return count_firsts(sr, "core_cpus_list", "thread_siblings_list");
}

static double num_packages(const struct sysroot *sr)
{
	return count_firsts(sr, "package_cpus_list", "core_siblings_list");
}

/* Return the number of dies. Kernels before 5.3 do not provide it; then a package was a die. */
static double num_dies(const struct sysroot *sr)
{
	return count_firsts(sr, "die_cpus_list", "core_siblings_list");
}

static double num_cpus(const struct sysroot *sr)
{
	return cpus_of(sr, "present");
}

static double num_cpus_online(const struct sysroot *sr)
{
	return cpus_of(sr, "online");
}

static double smt_on(const struct sysroot *sr)
{
	u64 v;

	if (!sysroot_read_u64(sr, &v, CPU_DIR "/smt/active"))
		return v != 0;
	return num_cores(sr) < num_cpus_online(sr);
}

/* --- the rest of the literals ---------------------------------------------------- */

/* Return the number of operations that fit in a cycle, or NAN. Only PMUs of arm64 tell it. */
static double slots(const struct sysroot *sr)
{
	char *path = sysroot_path(sr, PMU_DIR);
	DIR *d = opendir(path);
	struct dirent *de;
	u64 v = 0;

	free(path);
	while (d && !v && (de = readdir(d))) {
		struct strbuf sb = STRBUF_INIT;

		if (de->d_name[0] != '.' &&
		    !sysroot_read(sr, &sb, PMU_DIR "/%s/caps/slots", de->d_name))
			v = strtoull(strbuf_str(&sb), NULL, 0);
		strbuf_release(&sb);
	}
	if (d)
		closedir(d);
	return v ? (double)v : NAN;
}

static double has_pmem(const struct sysroot *sr)
{
	char *path = sysroot_path(sr, "/sys/firmware/acpi/tables/NFIT");
	FILE *f = fopen(path, "re");

	free(path);
	if (f)
		fclose(f);
	return f != NULL;
}

/* Return the frequency in Hz from the kernel, or else from the name of the processor. */
static double system_tsc_freq(const struct sysroot *sr)
{
	struct strbuf sb = STRBUF_INIT;
	double hz = NAN;
	char *model, *at;
	u64 khz;

	if (!sysroot_read_u64(sr, &khz, CPU_DIR "/cpu0/tsc_freq_khz"))
		return 1e3 * (double)khz;
	if (sysroot_read(sr, &sb, "/proc/cpuinfo")) {
		strbuf_release(&sb);
		return NAN;
	}
	model = cpuinfo_value(strbuf_str(&sb), "model name");
	at = model ? strstr(model, "@ ") : NULL;
	if (at) {
		hz = strtod(at + 2, &at);
		hz = !strncmp(at, "GHz", 3) ? 1e9 * hz : !strncmp(at, "MHz", 3) ? 1e6 * hz : NAN;
	}
	free(model);
	strbuf_release(&sb);
	return hz;
}

static const struct {
	const char *name;
	double (*value)(const struct sysroot *sr);
} literals[] = {
	{ "has_pmem", has_pmem },
	{ "num_cores", num_cores },
	{ "num_cpus", num_cpus },
	{ "num_cpus_online", num_cpus_online },
	{ "num_dies", num_dies },
	{ "num_packages", num_packages },
	{ "slots", slots },
	{ "smt_on", smt_on },
	{ "system_tsc_freq", system_tsc_freq },
};

int metric_fact(const struct sysroot *sr, const char *name, double *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(literals); i++) {
		if (strcasecmp(name, literals[i].name))
			continue;
		*value = literals[i].value(sr);
		return 0;
	}
	return -ENOENT;
}

bool metric_core_wide(const struct sysroot *sr, bool all_cpus)
{
	return all_cpus || smt_on(sr) == 0;
}

int metric_literal(void *ctx, const char *name, double *value)
{
	const struct metric_env *env = ctx;

	if (strcasecmp(name, "core_wide"))
		return metric_fact(env->parse->sr, name, value);
	*value = metric_core_wide(env->parse->sr, env->core_wide);
	return 0;
}

/* --- functions ------------------------------------------------------------------- */

bool metric_has_event(void *ctx, const char *event)
{
	const struct metric_env *env = ctx;
	struct evlist l = { 0 };
	struct parse_error pe;
	bool yes = !parse_events(&l, event, env->parse, &pe);

	evlist_release(&l);
	return yes;
}

bool metric_cpuid_matches(void *ctx, const char *pattern)
{
	const struct metric_env *env = ctx;
	int is = env->cpuid ? cpuid_compare(pattern, env->cpuid) : 0;

	return is < 0 ? vendor_cpuid_matches(pattern, env->cpuid) : is;
}
