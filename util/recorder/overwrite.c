// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record --overwrite: nothing is written until a snapshot is asked for. Then the rings stand
 * still while what they hold is copied out, oldest first.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include <errno.h>

static int pause_rings(struct record *r, bool pause, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < r->rings.nr; i++) {
		if (!r->rings.v[i].backward)
			continue;
		rc = rc ? rc : ring_pause(&r->rings.v[i], pause);
	}
	return rc ? err_set(err, rc, "failed to hold a ring buffer that is overwritten: %s",
			    err_str(rc))
		  : 0;
}

int record_read_overwritten(struct record *r, struct err *err)
{
	struct strbuf data = STRBUF_INIT;
	struct iovec iov;
	size_t nr = 0;
	int rc;

	/* with --overwrite all of them, else those of events with that term */
	while (nr < r->rings.nr && !r->rings.v[nr].backward)
		nr++;
	if (nr == r->rings.nr)
		return 0;
	rc = pause_rings(r, true, err);
	for (size_t i = 0; !rc && i < r->rings.nr; i++)
		if (r->rings.v[i].backward)
			ring_read_backward(&r->rings.v[i], &data);
	if (!rc)
		rc = pause_rings(r, false, err);
	iov = (struct iovec){ data.buf, data.len };
	if (!rc && data.len)
		rc = record_write_events(r, &iov, 1, err);
	strbuf_release(&data);
	return rc;
}
