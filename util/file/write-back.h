/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write-back for files that are written at a high rate. A thread starts early to write their pages
 * to disk, and releases pages that were written. So a large recording neither displaces the memory
 * of other programs nor needs new pages all the time, which is most of the cost of writing, and at
 * the end only little is left to be written to disk.
 */
#ifndef PERF_FILE_WRITE_BACK_H
#define PERF_FILE_WRITE_BACK_H

#include "file/writer.h"

struct write_back;

/** write_back_new - start write-back for no files yet. */
struct write_back *write_back_new(void);
/** write_back_add - include @w, if it is a file. It has to stay open until write_back_free(). */
void write_back_add(struct write_back *s, const struct file_writer *w);
/**
 * write_back_note - report that some of the files may have grown. The call is cheap, any thread may
 * make it, and @s may be NULL.
 */
void write_back_note(struct write_back *s);
/** write_back_free - end the thread and free it; @s may be NULL. */
void write_back_free(struct write_back *s);

#endif
