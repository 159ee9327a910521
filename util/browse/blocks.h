/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_BROWSE_BLOCKS_H
#define PERF_BROWSE_BLOCKS_H

#include "browse/profile.h"

/** browse_blocks - show the blocks of branch stacks of a profile until they are left. Return: as
 * view_run() */
int browse_blocks(struct ui *ui, struct browsed_profile *p);

#endif
