// SPDX-License-Identifier: GPL-2.0-or-later
/* Move what is in the rings into the output, as spans of their mappings. Rings that are overwritten
 * are read when a snapshot is asked for. */
#include "base/compat.h"
#include "recorder/output.h"

int drain_rings(struct rings *rings, const struct ring_sink *to, size_t thread, u64 least,
		bool *left, struct err *err)
{
	bool any = false;

	for (size_t i = 0; i < rings->nr; i++) {
		struct ring *ring = &rings->v[i];
		struct iovec iov[2];
		u64 head;
		int nr, rc;

		/* what is overwritten is read at the end, into the common file */
		if (ring->backward || (to->owner ? to->owner[i] : 0) != thread)
			continue;
		nr = ring_spans(ring, iov, &head);
		if (!nr)
			continue;
		if (head - ring->tail < MIN(least, (u64)ring->size / 4)) {
			if (left)
				*left = true;
			continue;
		}
		if (to->near)
			nearness_follow(to->near, ring->cpu);
		rc = to->write(to->ctx, i, iov, nr, err);
		if (rc)
			return rc;
		ring_consume(ring, head);
		any = true;
	}
	if (any)
		write_back_note(to->write_back);
	return any;
}

static int pause_rings(struct rings *rings, bool pause, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < rings->nr; i++) {
		if (!rings->v[i].backward)
			continue;
		rc = rc ? rc : ring_pause(&rings->v[i], pause);
	}
	return rc ? err_set(err, rc, "failed to hold a ring buffer that is overwritten: %s",
			    err_str(rc))
		  : 0;
}

int drain_overwritten(struct rings *rings, struct strbuf *out, struct err *err)
{
	size_t nr = 0;
	int rc;

	/* with --overwrite all of them, else those of events with that term */
	while (nr < rings->nr && !rings->v[nr].backward)
		nr++;
	if (nr == rings->nr)
		return 0;
	rc = pause_rings(rings, true, err);
	for (size_t i = 0; !rc && i < rings->nr; i++)
		if (rings->v[i].backward)
			ring_read_backward(&rings->v[i], out);
	return rc ? rc : pause_rings(rings, false, err);
}
