/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tell whether this machine can count an event. */
#ifndef PERF_KERNEL_SUPPORTED_H
#define PERF_KERNEL_SUPPORTED_H

#include "base/compat.h"

/**
 * event_supported - tell whether an event with attr.type @type and attr.config @config can be
 * opened on this process, at least for user mode.
 */
bool event_supported(u32 type, u64 config);

#endif
