// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Header features that describe this machine: the function for each, and how they read small files.
 */
#include "base/compat.h"
#include "file/feature-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <sys/utsname.h>

/* Return one line of a small file without its newline, or NULL. The caller frees it. */
char *feature_line(const struct sysroot *sr, const char *dir, int nr, const char *file)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = nr >= 0 ? sysroot_read(sr, &sb, "%s%d/%s", dir, nr, file)
			 : sysroot_read(sr, &sb, "%s/%s", dir, file);

	if (rc) {
		strbuf_release(&sb);
		return NULL;
	}
	if (sb.len)
		sb.buf[strcspn(sb.buf, "\n")] = 0;
	return strbuf_detach(&sb);
}

u32 feature_num(const struct sysroot *sr, const char *dir, int nr, const char *file)
{
	char *s = feature_line(sr, dir, nr, file);
	u32 v = s ? (u32)strtoul(s, NULL, 10) : 0;

	free(s);
	return v;
}

void feature_list(const struct sysroot *sr, const char *dir, const char *file, struct int_list *out)
{
	char *s = feature_line(sr, dir, -1, file);

	if (s)
		cpu_list_parse(out, s);
	free(s);
}

static int host_uname(enum header_feature bit, struct strbuf *out)
{
	struct utsname u;

	if (uname(&u))
		return -errno;
	feature_string(out, bit == HEADER_HOSTNAME    ? u.nodename
			    : bit == HEADER_OSRELEASE ? u.release
						      : u.machine);
	return 0;
}

int feature_host(const struct sysroot *sr, enum header_feature bit, struct strbuf *out)
{
	switch (bit) {
	case HEADER_HOSTNAME:
	case HEADER_OSRELEASE:
	case HEADER_ARCH:
		return host_uname(bit, out);
	case HEADER_NRCPUS:
		return host_nrcpus(sr, out);
	case HEADER_CPUDESC:
	case HEADER_CPUID:
		return host_cpuinfo(sr, bit, out);
	case HEADER_TOTAL_MEM:
		return host_total_mem(sr, out);
	case HEADER_CPU_TOPOLOGY:
		return host_cpu_topology(sr, out);
	case HEADER_NUMA_TOPOLOGY:
		return host_numa(sr, out);
	case HEADER_PMU_MAPPINGS:
		return host_pmus(sr, out);
	case HEADER_CACHE:
		return host_caches(sr, out);
	case HEADER_MEM_TOPOLOGY:
		return host_memory(sr, out);
	case HEADER_CPU_PMU_CAPS:
		return host_cpu_pmu_caps(sr, out);
	case HEADER_HYBRID_TOPOLOGY:
		return host_hybrid(sr, out);
	case HEADER_PMU_CAPS:
		return host_pmu_caps(sr, out);
	default:
		return -ENOENT;
	}
}
