/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of this machine in the event picker. */
#ifndef PERF_BROWSE_EVENTS_H
#define PERF_BROWSE_EVENTS_H

#include "base/arena.h"
#include "listtext/listing.h"
#include "ui/views/pick.h"

/* Events that can be recorded. */
struct offered_events {
	struct listing *listing; /* borrowed; it has the events */
	struct pick_item *items; /* owned */
	size_t nr, cap;
	struct arena strings;
};

/**
 * offer_events - gather the events that listing_show() would list and `perf record -e` takes.
 * offered_events_release() frees them.
 * @l: is borrowed until then; its notices receive what listing_show() has to say
 * @words: as of listing_show()
 */
void offer_events(struct offered_events *o, struct listing *l, const char *const *words, size_t nr);
void offered_events_release(struct offered_events *o);

/**
 * browse_events - let users choose some of the events.
 * @command: receives the command line that records them
 * Return: false: they left without.
 */
bool browse_events(struct ui *ui, struct offered_events *o, struct strbuf *command);

#endif
