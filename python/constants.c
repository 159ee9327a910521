// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers of linux/perf_event.h by the names they have there, without "PERF_". */
#include "python/module.h"

#include "wire/event.h"

#define CONSTANTS(X)                                                                               \
	X(TYPE_HARDWARE)                                                                           \
	X(TYPE_SOFTWARE)                                                                           \
	X(TYPE_TRACEPOINT)                                                                         \
	X(TYPE_HW_CACHE)                                                                           \
	X(TYPE_RAW)                                                                                \
	X(TYPE_BREAKPOINT)                                                                         \
	X(COUNT_HW_CPU_CYCLES)                                                                     \
	X(COUNT_HW_INSTRUCTIONS)                                                                   \
	X(COUNT_HW_CACHE_REFERENCES)                                                               \
	X(COUNT_HW_CACHE_MISSES)                                                                   \
	X(COUNT_HW_BRANCH_INSTRUCTIONS)                                                            \
	X(COUNT_HW_BRANCH_MISSES)                                                                  \
	X(COUNT_HW_BUS_CYCLES)                                                                     \
	X(COUNT_HW_STALLED_CYCLES_FRONTEND)                                                        \
	X(COUNT_HW_STALLED_CYCLES_BACKEND)                                                         \
	X(COUNT_HW_REF_CPU_CYCLES)                                                                 \
	X(COUNT_HW_CACHE_L1D)                                                                      \
	X(COUNT_HW_CACHE_L1I)                                                                      \
	X(COUNT_HW_CACHE_LL)                                                                       \
	X(COUNT_HW_CACHE_DTLB)                                                                     \
	X(COUNT_HW_CACHE_ITLB)                                                                     \
	X(COUNT_HW_CACHE_BPU)                                                                      \
	X(COUNT_HW_CACHE_NODE)                                                                     \
	X(COUNT_HW_CACHE_OP_READ)                                                                  \
	X(COUNT_HW_CACHE_OP_WRITE)                                                                 \
	X(COUNT_HW_CACHE_OP_PREFETCH)                                                              \
	X(COUNT_HW_CACHE_RESULT_ACCESS)                                                            \
	X(COUNT_HW_CACHE_RESULT_MISS)                                                              \
	X(COUNT_SW_CPU_CLOCK)                                                                      \
	X(COUNT_SW_TASK_CLOCK)                                                                     \
	X(COUNT_SW_PAGE_FAULTS)                                                                    \
	X(COUNT_SW_CONTEXT_SWITCHES)                                                               \
	X(COUNT_SW_CPU_MIGRATIONS)                                                                 \
	X(COUNT_SW_PAGE_FAULTS_MIN)                                                                \
	X(COUNT_SW_PAGE_FAULTS_MAJ)                                                                \
	X(COUNT_SW_ALIGNMENT_FAULTS)                                                               \
	X(COUNT_SW_EMULATION_FAULTS)                                                               \
	X(COUNT_SW_DUMMY)                                                                          \
	X(COUNT_SW_BPF_OUTPUT)                                                                     \
	X(COUNT_SW_CGROUP_SWITCHES)                                                                \
	X(SAMPLE_IP)                                                                               \
	X(SAMPLE_TID)                                                                              \
	X(SAMPLE_TIME)                                                                             \
	X(SAMPLE_ADDR)                                                                             \
	X(SAMPLE_READ)                                                                             \
	X(SAMPLE_CALLCHAIN)                                                                        \
	X(SAMPLE_ID)                                                                               \
	X(SAMPLE_CPU)                                                                              \
	X(SAMPLE_PERIOD)                                                                           \
	X(SAMPLE_STREAM_ID)                                                                        \
	X(SAMPLE_RAW)                                                                              \
	X(SAMPLE_IDENTIFIER)                                                                       \
	X(FORMAT_TOTAL_TIME_ENABLED)                                                               \
	X(FORMAT_TOTAL_TIME_RUNNING)                                                               \
	X(FORMAT_ID)                                                                               \
	X(FORMAT_GROUP)                                                                            \
	X(RECORD_MMAP)                                                                             \
	X(RECORD_LOST)                                                                             \
	X(RECORD_COMM)                                                                             \
	X(RECORD_EXIT)                                                                             \
	X(RECORD_THROTTLE)                                                                         \
	X(RECORD_UNTHROTTLE)                                                                       \
	X(RECORD_FORK)                                                                             \
	X(RECORD_READ)                                                                             \
	X(RECORD_SAMPLE)                                                                           \
	X(RECORD_MMAP2)                                                                            \
	X(RECORD_AUX)                                                                              \
	X(RECORD_ITRACE_START)                                                                     \
	X(RECORD_LOST_SAMPLES)                                                                     \
	X(RECORD_SWITCH)                                                                           \
	X(RECORD_SWITCH_CPU_WIDE)                                                                  \
	X(RECORD_MISC_SWITCH_OUT)

bool pm_constants(PyObject *module)
{
	static const struct {
		const char *name;
		long value;
	} table[] = {
#define CONSTANT(name) { #name, PERF_##name },
		CONSTANTS(CONSTANT)
#undef CONSTANT
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (PyModule_AddIntConstant(module, table[i].name, table[i].value))
			return false;
	return true;
}
