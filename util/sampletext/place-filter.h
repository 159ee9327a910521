/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which places are meant by lists of names on the command line: -S and --dsos (samples that are
 * shown), --stop-bt (frames that chains end at).
 */
#ifndef PERF_SAMPLETEXT_PLACE_FILTER_H
#define PERF_SAMPLETEXT_PLACE_FILTER_H

#include "base/name-list.h"
#include "resolve/resolve.h"

/* Starts zeroed. */
struct place_filter {
	struct name_list symbols, dsos, stops;
	u64 *addrs; /* owned, sorted; of names in symbols that are hexadecimal numbers */
	size_t nr_addrs;
	u64 range; /* bytes that are meant from each of them on; 0: that address alone */
};

/** place_filter_symbols - -S: names of symbols, and addresses in hex. */
int place_filter_symbols(struct place_filter *f, const char *text, struct err *err);
void place_filter_release(struct place_filter *f);

/** place_filter_any - are samples chosen by where they are? */
static inline bool place_filter_any(const struct place_filter *f)
{
	return f->symbols.set || f->dsos.set;
}

/* Parts of the answer that are the same for all places of a symbol. */
enum { PLACE_DSO = 1, PLACE_SYMBOL = 2, PLACE_STOP = 4 };
/** place_filter_names - of PLACE_*, those that the names of the location fulfil. Thread-safe. */
unsigned int place_filter_names(const struct place_filter *f, const struct location *l);
/** place_filter_addr - is the address one that -S asks for? Thread-safe. */
bool place_filter_addr(const struct place_filter *f, u64 ip);

#endif
