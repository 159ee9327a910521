/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions tell where data came from, as a record of Arm SPE says it, in the form of
 * perf_mem_data_src. */
#ifndef PERF_AUXSAMPLES_SPE_SOURCE_H
#define PERF_AUXSAMPLES_SPE_SOURCE_H

#include "aux/spe-record.h"

/**
 * spe_numbers_sources - tell whether the data sources of a processor have the meaning that Arm
 * gives them for its Neoverse cores.
 * @cpuid: the feature CPUID of the recording, MIDR_EL1 as a number; NULL: unknown
 */
bool spe_numbers_sources(const char *cpuid);

/**
 * spe_data_src - return the data source of an access to memory, 0 for other operations.
 * @numbered: see spe_numbers_sources(); otherwise the events of the record tell it
 */
u64 spe_data_src(const struct spe_record *r, bool numbered);

#endif
