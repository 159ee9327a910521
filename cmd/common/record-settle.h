/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of perf record are settled: one may follow from others. */
#ifndef PERF_CMD_COMMON_RECORD_SETTLE_H
#define PERF_CMD_COMMON_RECORD_SETTLE_H

#include "cmd/common/record-front.h"

/** record_defaults - the configuration's defaults, before the options are read. */
void record_defaults(struct record_front *f);
/** record_settle_target - of several kinds of target take one, and say so. Return: 0, or -1 when
 * control groups are asked for and it is not the whole system. */
int record_settle_target(struct record_front *f);
/** record_settle - combine what the options say, and refuse what does not go together. Return: 0,
 * or an exit status when it has said what is wrong. */
int record_settle(struct record_front *f, const char *const usage[], const struct option *table);

#endif
