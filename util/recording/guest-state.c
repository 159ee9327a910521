// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of guests whose records are in the recording of their host. Each guest has processes of
 * its own, which must not be mixed up with those of the host, so each has a model of its own. The
 * host's model learns of a guest only where its kernel and its modules are, because samples of the
 * host that were taken in the guest's kernel need that.
 */
#include "base/compat.h"
#include "recording/recording.h"

#include "base/alloc.h"
#include "wire/encode.h"

/* Return the model of the guest that process @pid runs, which is made if need be. */
static struct machine *machine_of(struct guest_states *g, u32 pid)
{
	for (size_t i = 0; i < g->nr; i++)
		if (g->v[i].pid == pid)
			return g->v[i].machine;
	VEC_GROW(g->v, g->nr + 1, g->cap);
	g->v[g->nr] = (struct guest_state){ pid, machine_new() };
	return g->v[g->nr++].machine;
}

char *guest_object_name(const char *name, u16 misc, s32 pid)
{
	static const char kernel[] = "[kernel.kallsyms]";
	size_t len = sizeof(kernel) - 1;

	if ((misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_GUEST_KERNEL || pid <= 0 ||
	    strncmp(name, kernel, len))
		return xstrdup(name);
	return xasprintf("[guest.kernel.kallsyms.%d]%s", pid, name + len);
}

/* Map the kernel of a guest, or one of its modules, in the model of the host. */
static void map_for_host(struct machine *host, const struct session_event *ev)
{
	struct strbuf rec = STRBUF_INIT;
	struct rec_mmap m;
	char *name;

	if (rec_mmap_decode(ev->hdr, ev->hdr->size, &m))
		return;
	m.pid = ev->guest->pid;
	m.filename = name = guest_object_name(m.filename, ev->hdr->misc, (s32)m.pid);
	if (!enc_mmap2(&rec, ev->hdr->misc, &m, NULL, NULL))
		machine_apply(host, (const wire_header *)rec.buf, rec.len, ev->time, NULL);
	strbuf_release(&rec);
	free(name);
}

int guest_states_apply(struct guest_states *g, struct machine *host, const struct session_event *ev)
{
	u16 mode = ev->hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool map = ev->hdr->type == PERF_RECORD_MMAP || ev->hdr->type == PERF_RECORD_MMAP2;

	if (map && mode == PERF_RECORD_MISC_GUEST_KERNEL)
		map_for_host(host, ev);
	return machine_apply(machine_of(g, ev->guest->pid), ev->hdr, ev->hdr->size, ev->time, NULL);
}

const struct machine *recording_machine_of(const struct recording *r,
					   const struct session_event *ev)
{
	for (size_t i = 0; ev->guest && i < r->guests.nr; i++)
		if (r->guests.v[i].pid == ev->guest->pid)
			return r->guests.v[i].machine;
	return r->machine;
}

void guest_states_seal(struct guest_states *g)
{
	for (size_t i = 0; i < g->nr; i++)
		machine_seal(g->v[i].machine);
}

void guest_states_release(struct guest_states *g)
{
	for (size_t i = 0; i < g->nr; i++)
		machine_free(g->v[i].machine);
	free(g->v);
	*g = (struct guest_states){ 0 };
}
