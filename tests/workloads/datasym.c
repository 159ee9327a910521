// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

/* The two places that are touched lie in different cache lines. */
extern volatile u8 buf1[128];
__attribute__((visibility("default"), aligned(64))) volatile u8 buf1[128];

void datasym_loop(void);

WORKLOAD_FN void datasym_loop(void)
{
	WORKLOAD_FRAME();
	while (!workload_stop) {
		buf1[0]++;
		buf1[64] = (u8)(buf1[64] + buf1[0]);
	}
}

int wl_datasym(int argc, const char **argv)
{
	if (workload_timer(workload_arg(argc, argv, 0), 1))
		return 1;
	datasym_loop();
	return 0;
}
