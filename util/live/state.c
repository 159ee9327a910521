// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a session with live events needs in addition to their records: the state before them, and
 * the machine.
 */
#include "base/compat.h"
#include "live/live.h"

#include "file/feature.h"
#include "kernel/synth.h"

int live_before(const struct live_state *st, struct strbuf *out, struct err *err)
{
	struct synth s = {
		.sysroot = st->sysroot,
		.layout = st->layout,
		.mmap_data = st->mmap_data,
		.namespaces = st->namespaces,
		.workers = st->workers,
		.map_limit_ns = (u64)st->map_limit_ms * 1000000,
		.out = out,
	};
	int rc;

	synth_kernel(&s);
	if (st->cgroups)
		synth_cgroups(&s);
	if (st->tids && st->tids->nr) {
		synth_threads(&s, st->tids);
		return 0;
	}
	rc = synth_all(&s);
	return rc ? err_set(err, rc, "failed to read /proc, which tells what runs: %s", err_str(rc))
		  : 0;
}

void live_describe(struct perf_file *f, const struct sysroot *sr)
{
	static const u32 bits[] = {
		HEADER_HOSTNAME, HEADER_OSRELEASE, HEADER_ARCH,         HEADER_NRCPUS,
		HEADER_CPUDESC,  HEADER_CPUID,     HEADER_CPU_TOPOLOGY, HEADER_NUMA_TOPOLOGY,
	};
	struct strbuf body = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		strbuf_reset(&body);
		if (!feature_host(sr, bits[i], &body))
			perf_file_add_feature(f, bits[i], body.buf, body.len);
	}
	strbuf_release(&body);
}
