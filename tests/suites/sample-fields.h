/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of a sample that are numbers: which bits of sample_type they come with. */
#ifndef PERF_TESTS_SAMPLE_FIELDS_H
#define PERF_TESTS_SAMPLE_FIELDS_H

#define SAMPLE_FIXED_FIELDS(F)                                                                     \
	F(PERF_SAMPLE_IP, ip)                                                                      \
	F(PERF_SAMPLE_TID, pid)                                                                    \
	F(PERF_SAMPLE_TID, tid)                                                                    \
	F(PERF_SAMPLE_TIME, time)                                                                  \
	F(PERF_SAMPLE_ADDR, addr)                                                                  \
	F(PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, id)                                             \
	F(PERF_SAMPLE_STREAM_ID, stream_id)                                                        \
	F(PERF_SAMPLE_CPU, cpu)                                                                    \
	F(PERF_SAMPLE_PERIOD, period)                                                              \
	F(PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, weight)                                  \
	F(PERF_SAMPLE_WEIGHT_STRUCT, ins_lat)                                                      \
	F(PERF_SAMPLE_WEIGHT_STRUCT, p_stage_cyc)                                                  \
	F(PERF_SAMPLE_DATA_SRC, data_src)                                                          \
	F(PERF_SAMPLE_TRANSACTION, transaction)                                                    \
	F(PERF_SAMPLE_PHYS_ADDR, phys_addr)                                                        \
	F(PERF_SAMPLE_CGROUP, cgroup)                                                              \
	F(PERF_SAMPLE_DATA_PAGE_SIZE, data_page_size)                                              \
	F(PERF_SAMPLE_CODE_PAGE_SIZE, code_page_size)

#endif
