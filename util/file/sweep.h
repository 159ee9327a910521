/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Behind files that are being written at a high rate: a thread starts writing their pages to disk
 * early and gives those back that are there. So a large recording neither pushes what others use
 * out of memory nor takes ever new pages, which is most of what writing costs; and the disk is not
 * left with all of it at the end.
 */
#ifndef PERF_FILE_SWEEP_H
#define PERF_FILE_SWEEP_H

#include "file/writer.h"

struct sweep;

/** sweep_new - nothing is watched yet. */
struct sweep *sweep_new(void);
/** sweep_add - go behind @w, if it is a file; it has to stay open until sweep_free(). */
void sweep_add(struct sweep *s, const struct file_writer *w);
/** sweep_note - some of them may have grown. Cheap; by any thread; NULL is fine. */
void sweep_note(struct sweep *s);
/** sweep_free - end the thread; NULL is fine. */
void sweep_free(struct sweep *s);

#endif
