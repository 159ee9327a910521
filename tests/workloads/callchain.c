// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

void callchain_1(void);
void callchain_2(void);
void callchain_3(void);
void callchain_4(void);
void callchain_5(void);

static volatile u64 callchain_sum;

/*
 * The same amount of work on every level: level N of 5 has (6 - N) fifths of the time with its
 * children. Each step waits for the one before, in registers, so that where the compiler happens
 * to put a loop makes no difference to its speed.
 */
#define SPIN()                                                                                     \
	do {                                                                                       \
		u64 x = callchain_sum;                                                             \
                                                                                                   \
		WORKLOAD_FRAME();                                                                  \
		for (int i = 0; i < 10000; i++)                                                    \
			x = x * 6364136223846793005ULL + 1442695040888963407ULL;                   \
		callchain_sum = x;                                                                 \
	} while (0)

WORKLOAD_FN void callchain_5(void)
{
	SPIN();
}

WORKLOAD_FN void callchain_4(void)
{
	callchain_5();
	SPIN();
}

WORKLOAD_FN void callchain_3(void)
{
	callchain_4();
	SPIN();
}

WORKLOAD_FN void callchain_2(void)
{
	callchain_3();
	SPIN();
}

WORKLOAD_FN void callchain_1(void)
{
	callchain_2();
	SPIN();
}

int wl_callchain(int argc, const char **argv)
{
	if (workload_timer(workload_arg(argc, argv, 0), 1))
		return 1;
	while (!workload_stop)
		callchain_1();
	return 0;
}
