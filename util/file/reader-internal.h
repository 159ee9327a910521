/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the files of the reader. */
#ifndef PERF_FILE_READER_INTERNAL_H
#define PERF_FILE_READER_INTERNAL_H

#include "file/reader.h"

/**
 * feature_decode - decode the body of one feature into env and attrs. Return: 0, or -EINVAL when it
 * is damaged.
 */
int feature_decode(struct perf_file *f, u32 bit, const void *body, size_t size);

/**
 * directory_enter - replace @f->fd, which is a directory, by its file "data", and map its files
 * data.N. Return: 0 or a negative errno.
 */
int directory_enter(struct perf_file *f, struct err *err);
/** parts_release - unmap and free what directory_enter() mapped. */
void parts_release(struct perf_file *f);

/** pipe_reader_new - read records from @fd, which is borrowed and @offset bytes into the stream. */
struct pipe_reader *pipe_reader_new(int fd, u64 offset);
/**
 * pipe_reader_over - read the records in @len bytes of memory, which are borrowed. The first record
 * is at @offset of the file.
 */
struct pipe_reader *pipe_reader_over(u8 *bytes, size_t len, u64 offset);
/** pipe_reader_free - free the reader. */
void pipe_reader_free(struct pipe_reader *r);

#endif
