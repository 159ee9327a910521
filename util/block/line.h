/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the line of an event, in the layout of blkparse, which is that of the kernel, too. */
#ifndef PERF_BLOCK_LINE_H
#define PERF_BLOCK_LINE_H

#include "base/strbuf.h"
#include "block/event.h"

/** block_put_device - append the numbers of a device, "  8,0  ". */
void block_put_device(u32 dev, struct strbuf *out);
/** block_put_action - append letters of an action and of an operation, each with a blank behind. */
void block_put_action(const char *action, const char *rwbs, struct strbuf *out);
/** block_rwbs - return the letters of the operation of an event; plugs are about none. */
const char *block_rwbs(const struct block_event *ev);
/** block_put_comm - append the name of the task, or "unknown". */
void block_put_comm(const struct block_event *ev, struct strbuf *out);
/**
 * block_put_rest - append what follows the letters: sectors, the task or the error.
 * @elapsed: ns since the step before, which are shown; NULL: they are not
 */
void block_put_rest(const struct block_event *ev, const u64 *elapsed, struct strbuf *out);

#endif
