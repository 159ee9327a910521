/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the reader half of the room. */
#ifndef PERF_FILE_READER_INTERNAL_H
#define PERF_FILE_READER_INTERNAL_H

#include "file/reader.h"

/** feature_decode - read the body of one feature into env and attrs. Return: 0, -EINVAL when
 * damaged. */
int feature_decode(struct perf_file *f, u32 bit, const void *body, size_t size);

/** directory_enter - @f->fd is a directory: make it its file "data", map its data.N. Return: 0 or
 * -errno. */
int directory_enter(struct perf_file *f, struct err *err);
/** parts_release - unmap and free what directory_enter() mapped. */
void parts_release(struct perf_file *f);

/** pipe_reader_new - read records from @fd (borrowed), which is @offset bytes into the stream. */
struct pipe_reader *pipe_reader_new(int fd, u64 offset);
/** pipe_reader_over - read the records in @len bytes (borrowed) that are in memory; the first one
 * is at @offset of the file. */
struct pipe_reader *pipe_reader_over(u8 *bytes, size_t len, u64 offset);
void pipe_reader_free(struct pipe_reader *r);

#endif
