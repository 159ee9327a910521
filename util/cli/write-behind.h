/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long output is written by a thread of its own, so that the text behind it is made meanwhile: a
 * file takes a quarter of the time that it takes to make lines and to write them.
 */
#ifndef PERF_CLI_WRITE_BEHIND_H
#define PERF_CLI_WRITE_BEHIND_H

#include "base/compat.h"

struct write_behind;

/**
 * write_behind_new - begin to write to @fd, which stays the caller's.
 * @workers: with 1, or when no thread can be created, each piece is written at once
 */
struct write_behind *write_behind_new(int fd, int workers);
/**
 * write_behind_put - append a piece of text, which is copied. The call waits when more than
 * 2 MiB are not yet written. One thread calls it.
 * Return: 0, or the negative errno of a write that failed, after which nothing more is written.
 */
int write_behind_put(struct write_behind *w, const char *text, size_t len);
/** write_behind_settle - wait until all is written. Return: as write_behind_put(). */
int write_behind_settle(struct write_behind *w);
/** write_behind_free - write what is left, and end the thread. Return: as write_behind_put(). */
int write_behind_free(struct write_behind *w);

#endif
