// SPDX-License-Identifier: GPL-2.0-or-later
/* Keep the probes for markers of programs, as they have to be taken back on every way out. */
#include "base/compat.h"
#include "cmd/common/sdt.h"

#include "cmd/common/settings.h"
#include "recorder/sdt-probes.h"

#include <unistd.h>

static struct sdt_probes probes;

bool sdt_probes_made(void)
{
	return probes.set.nr > 0;
}

void sdt_probes_end(void)
{
	sdt_probes_remove(&probes);
}

void sdt_probe_on_demand(struct parse_env *env)
{
	probes.sysroot = env->sr;
	probes.cache_dir = buildid_cache_dir();
	probes.owner = getpid();
	env->probe = sdt_probes_make;
	env->probe_ctx = &probes;
	atexit(sdt_probes_end);
}
