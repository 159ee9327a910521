// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "convert/fields.h"

#include <stddef.h>

#define MEMBER(m) sizeof(((struct sample *)0)->m), .at = offsetof(struct sample, m)

static const struct convert_field fields[] = {
	{ PERF_SAMPLE_IP, "perf_ip", NULL, MEMBER(ip), .hex = true },
	{ PERF_SAMPLE_TID, "perf_tid", NULL, MEMBER(tid), .sign = true },
	{ PERF_SAMPLE_TID, "perf_pid", NULL, MEMBER(pid), .sign = true },
	{ PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, "perf_id", NULL, MEMBER(id) },
	{ PERF_SAMPLE_STREAM_ID, "perf_stream_id", "stream_id", MEMBER(stream_id) },
	{ PERF_SAMPLE_PERIOD, "perf_period", "period", MEMBER(period) },
	{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "perf_weight", "weight", MEMBER(weight) },
	{ PERF_SAMPLE_WEIGHT_STRUCT, "perf_ins_lat", "ins_lat", MEMBER(ins_lat) },
	{ PERF_SAMPLE_WEIGHT_STRUCT, "perf_p_stage_cyc", "p_stage_cyc", MEMBER(p_stage_cyc) },
	{ PERF_SAMPLE_DATA_SRC, "perf_data_src", "data_src", MEMBER(data_src) },
	{ PERF_SAMPLE_TRANSACTION, "perf_transaction", "transaction", MEMBER(transaction) },
	{ PERF_SAMPLE_ADDR, "perf_addr", "addr", MEMBER(addr), .hex = true },
	{ PERF_SAMPLE_PHYS_ADDR, "perf_phys_addr", "phys_addr", MEMBER(phys_addr), .hex = true },
	{ PERF_SAMPLE_CGROUP, "perf_cgroup", "cgroup", MEMBER(cgroup) },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, "perf_data_page_size", "data_page_size",
	  MEMBER(data_page_size) },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, "perf_code_page_size", "code_page_size",
	  MEMBER(code_page_size) },
};

const struct convert_field *convert_fields(size_t *nr)
{
	*nr = ARRAY_SIZE(fields);
	return fields;
}
