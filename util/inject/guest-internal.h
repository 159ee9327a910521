/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of guest.h share this. */
#ifndef PERF_INJECT_GUEST_INTERNAL_H
#define PERF_INJECT_GUEST_INTERNAL_H

#include "inject/guest.h"

#include "inject/guest-feed.h"
#include "inject/guest-survey.h"
#include "inject/guest-time.h"

#include "base/intern.h"

/* An event of the guest as it is added to the output. */
struct guest_event {
	struct perf_event_attr attr;
	struct wire_layout layout;
	struct strbuf name;
	u64 *ids; /* owned; new ones */
};

/* An id of an event of the guest. */
struct guest_sid {
	u64 id; /* the new one */
	u32 event, vcpu;
};

struct guest {
	const struct guest_spec *spec; /* borrowed */
	struct session s;
	bool open;
	struct guest_survey survey; /* of the guest */
	struct guest_survey host;   /* of the host: its threads that run this guest */
	struct guest_clock clock;
	struct guest_event *events; /* owned; s.evlist.nr */
	struct guest_sid *sids;     /* owned */
	size_t nr_sids, cap_sids;
	struct map64 by_id; /* an id in the guest's recording -> index of @sids */
	struct strbuf rec;  /* of the thread that reads */
	struct guest_feed feed;
	struct intern seen; /* objects whose build-ids were looked for */
	bool indexed;       /* the ID_INDEX records were inserted */
};

struct inject_guests {
	struct guests_conf conf;
	struct guest *v; /* owned */
	size_t nr;
	struct writer_attr *events; /* owned; of all guests */
	size_t nr_events;
	struct strbuf rec; /* a record that is inserted */
};

/** guest_records - make the records of the output from those of a guest; what feed_start() takes.
 * @ctx: the struct guest */
int guest_records(void *ctx, struct guest_feed *feed, struct err *err);
/** guest_misc - return the misc of a record of a host as that of a guest. */
u16 guest_misc(u16 misc);

#endif
