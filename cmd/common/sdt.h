/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions serve -e sdt_PROVIDER:NAME: markers of programs in the build-id cache are probed
 * for one run. */
#ifndef PERF_CMD_COMMON_SDT_H
#define PERF_CMD_COMMON_SDT_H

#include "events/parse.h"

/** sdt_probe_on_demand - have @env make such probes; they are removed when perf exits. */
void sdt_probe_on_demand(struct parse_env *env);
/** sdt_probes_made - tell whether there are any now. They can only be removed when nobody has them
 * open. */
bool sdt_probes_made(void);
/** sdt_probes_end - remove them before an end that does not go through exit(). */
void sdt_probes_end(void);

#endif
