/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the files that print records. */
#ifndef PERF_DUMP_RECORD_INTERNAL_H
#define PERF_DUMP_RECORD_INTERNAL_H

#include "dump/record-text.h"

/* Appends the contents of records of one type after their name. Return: 0, or -EINVAL when the
 * record is not valid. */
typedef int record_put(const void *rec, size_t size, const struct record_about *about,
		       struct strbuf *out);

/* record-aux.c: hardware traces */
record_put put_aux, put_itrace_start, put_aux_hw_id, put_auxtrace_info, put_auxtrace,
	put_auxtrace_error;
/* record-user.c */
record_put put_id_index, put_thread_map, put_cpu_map, put_event_update, put_time_conv,
	put_stat_config, put_stat, put_stat_round, put_bpf_metadata, put_schedstat_cpu,
	put_schedstat_domain;

#endif
