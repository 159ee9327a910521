/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters by lists of names from the command line: -S and --dsos select samples, --stop-bt selects
 * the frames at which chains end.
 */
#ifndef PERF_SAMPLETEXT_PLACE_FILTER_H
#define PERF_SAMPLETEXT_PLACE_FILTER_H

#include "base/name-list.h"
#include "resolve/resolve.h"

/* The lists. They start zeroed. */
struct place_filter {
	struct name_list symbols, dsos, stops;
	u64 *addrs; /* owned, sorted; the names in symbols that are hexadecimal numbers */
	size_t nr_addrs;
	u64 range; /* bytes from each address that are included; 0: that address alone */
};

/**
 * place_filter_symbols - parse the argument of -S: names of symbols and hexadecimal addresses.
 * Return: 0, or a negative errno and a sentence.
 */
int place_filter_symbols(struct place_filter *f, const char *text, struct err *err);
void place_filter_release(struct place_filter *f);

/** place_filter_any - tell whether samples are selected by their address. */
static inline bool place_filter_any(const struct place_filter *f)
{
	return f->symbols.set || f->dsos.set;
}

/* Conditions whose result is the same for all addresses of a symbol. */
enum { PLACE_DSO = 1, PLACE_SYMBOL = 2, PLACE_STOP = 4 };
/**
 * place_filter_names - return the PLACE_* conditions that the names of the location fulfil.
 * Thread-safe.
 */
unsigned int place_filter_names(const struct place_filter *f, const struct location *l);
/** place_filter_addr - tell whether -S selects the address. Thread-safe. */
bool place_filter_addr(const struct place_filter *f, u64 ip);

#endif
