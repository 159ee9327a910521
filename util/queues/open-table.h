/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests and works that are on their way, found by what events tell of them. */
#ifndef PERF_QUEUES_OPEN_TABLE_H
#define PERF_QUEUES_OPEN_TABLE_H

#include "base/compat.h"

enum open_what { OPEN_NOTHING, OPEN_WAITING, OPEN_EXECUTED, OPEN_REQUEST, OPEN_BIO };

struct open_key {
	enum open_what what;
	u32 dev; /* of a request or bio; otherwise 0 */
	u64 id;  /* the first sector of a request or bio, the address of a work */
};

struct open_item {
	struct open_key key;
	u32 queue, task;
	u64 since;   /* ns */
	u32 sectors; /* of a request, which are not complete so far */
};

/* It starts zeroed. */
struct open_table {
	struct open_item *slots; /* owned; free ones are OPEN_NOTHING */
	size_t nr, mask;         /* mask: slots - 1; 0: there are none */
};

/** open_table_find - return the item of a key, or NULL. It is valid until the next call of another
 * function. */
struct open_item *open_table_find(const struct open_table *t, const struct open_key *key);
/** open_table_add - add an item whose key has none so far. @item: copied */
void open_table_add(struct open_table *t, const struct open_item *item);
/** open_table_remove - remove an item that open_table_find() has returned. */
void open_table_remove(struct open_table *t, struct open_item *item);
/** open_table_clear - remove all items, and free the memory. */
void open_table_clear(struct open_table *t);

#endif
