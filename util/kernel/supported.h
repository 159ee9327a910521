/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does this machine count an event? */
#ifndef PERF_KERNEL_SUPPORTED_H
#define PERF_KERNEL_SUPPORTED_H

#include "base/compat.h"

/**
 * event_supported - can an event of attr.type @type and attr.config @config be opened on this
 * process, at least for what it does in user mode?
 */
bool event_supported(u32 type, u64 config);

#endif
