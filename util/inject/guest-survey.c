// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "inject/guest-survey.h"

#include "inject/guest-time.h"

#include "base/alloc.h"

#include <ctype.h>

s64 vcpu_of_name(const char *comm)
{
	s64 n = 0;

	if (strncmp(comm, "CPU", 3))
		return -1;
	comm += 3;
	while (*comm == ' ')
		comm++;
	if (!isdigit((unsigned char)*comm))
		return -1;
	for (; isdigit((unsigned char)*comm); comm++)
		n = n * 10 + (*comm - '0');
	return n; /* a name has at most 15 characters */
}

struct guest_vcpu *guest_survey_vcpu(const struct guest_survey *sv, u32 vcpu)
{
	for (size_t i = 0; i < sv->nr_vcpus; i++)
		if (sv->vcpus[i].vcpu == vcpu)
			return &sv->vcpus[i];
	return NULL;
}

static void add_vcpu(struct guest_survey *sv, u32 vcpu, u32 tid)
{
	const struct guest_vcpu *known = guest_survey_vcpu(sv, vcpu);

	if (known) {
		if (known->tid != tid && !sv->ambiguous)
			sv->twice = vcpu;
		sv->ambiguous = sv->ambiguous || known->tid != tid;
		return;
	}
	VEC_GROW(sv->vcpus, sv->nr_vcpus + 1, sv->cap_vcpus);
	sv->vcpus[sv->nr_vcpus++] = (struct guest_vcpu){ .vcpu = vcpu, .tid = tid };
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct guest_survey *sv = ctx;
	struct rec_comm c;
	s64 vcpu;

	if (!sv->pid || ev->hdr->type != PERF_RECORD_COMM ||
	    rec_comm_decode(ev->hdr, ev->hdr->size, &c) || c.pid != sv->pid || ev->guest)
		return 0;
	vcpu = vcpu_of_name(c.comm);
	if (vcpu >= 0 && vcpu <= INT32_MAX)
		add_vcpu(sv, (u32)vcpu, c.tid);
	return 0;
}

static void note_cpus(struct guest_survey *sv, const wire_header *rec)
{
	struct rec_id_index x;

	if (rec->type != PERF_RECORD_ID_INDEX || rec_id_index_decode(rec, rec->size, &x))
		return;
	for (u64 i = 0; i < x.nr; i++)
		if ((s64)x.entries[4 * i + 2] >= 0 && x.entries[4 * i + 2] < INT32_MAX)
			map64_set(&sv->cpu_of, x.entries[4 * i], (u32)x.entries[4 * i + 2]);
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct guest_survey *sv = ctx;

	note_cpus(sv, ev->hdr);
	guest_clock_note(&sv->conv, ev->hdr);
	return 0;
}

int guest_survey(struct guest_survey *sv, struct session *s, struct err *err)
{
	static const struct session_sample_ops ops = {
		.state = { .state = on_state, .other = on_other },
	};

	return session_samples(s, &ops, sv, 1, err);
}

void guest_survey_release(struct guest_survey *sv)
{
	free(sv->vcpus);
	map64_release(&sv->cpu_of);
	*sv = (struct guest_survey){ 0 };
}
