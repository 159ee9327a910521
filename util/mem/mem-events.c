// SPDX-License-Identifier: GPL-2.0-or-later
/* Find events on memory accesses in sysfs: Documentation/ABI/testing/sysfs-bus-event_source-*. */
#include "base/compat.h"

#include "mem/mem-events.h"

#include "base/alloc.h"
#include "events/pmu.h"

#include <errno.h>

/* ---- what a PMU can do ---- */

static void __printf(4, 5)
	add_event(struct mem_events *e, const char *name, u32 ops, const char *fmt, ...)
{
	struct strbuf spec = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&spec, fmt, ap);
	va_end(ap);
	VEC_GROW(e->v, e->nr + 1, e->cap);
	e->v[e->nr++] = (struct mem_event){ name, ops, strbuf_detach(&spec) };
}

/* Events of cores: with a least latency on Intel, and precise there; without on POWER. Some cores
 * of Intel need mem-loads-aux as the leader of a group. */
static void add_core(struct mem_events *e, const struct pmu *p, u32 ldlat)
{
	bool latency = pmu_format_find(p, "ldlat");
	const char *precise = latency ? "P" : "";

	if (pmu_alias_find(p, "mem-loads")) {
		if (latency && pmu_alias_find(p, "mem-loads-aux"))
			add_event(e, "ldlat-loads", MEM_LOADS,
				  "{%s/mem-loads-aux/,%s/mem-loads,ldlat=%u/}:P", p->name, p->name,
				  ldlat);
		else if (latency)
			add_event(e, "ldlat-loads", MEM_LOADS, "%s/mem-loads,ldlat=%u/P", p->name,
				  ldlat);
		else
			add_event(e, "ldlat-loads", MEM_LOADS, "%s/mem-loads/", p->name);
	}
	if (pmu_alias_find(p, "mem-stores"))
		add_event(e, "ldlat-stores", MEM_STORES, "%s/mem-stores/%s", p->name, precise);
}

static void add_spe(struct mem_events *e, const struct pmu *p, u32 ldlat)
{
	static const char common[] = "ts_enable=1,pa_enable=1";

	add_event(e, "spe-load", MEM_LOADS, "%s/%s,load_filter=1,store_filter=0,min_latency=%u/",
		  p->name, common, ldlat);
	add_event(e, "spe-store", MEM_STORES, "%s/%s,load_filter=0,store_filter=1/", p->name,
		  common);
	add_event(e, "spe-ldst", MEM_BOTH, "%s/%s,load_filter=1,store_filter=1,min_latency=%u/",
		  p->name, common, ldlat);
}

static void add_ibs(struct mem_events *e, const struct pmu *p, u32 asked)
{
	if (asked && pmu_format_find(p, "ldlat"))
		add_event(e, "mem-ldst", MEM_BOTH, "%s/ldlat=%u/", p->name, asked);
	else
		add_event(e, "mem-ldst", MEM_BOTH, "%s//", p->name);
}

void mem_events_find(struct mem_events *e, const struct sysroot *sr, u32 ldlat)
{
	struct pmus pmus = { 0 };

	if (pmus_scan(&pmus, sr))
		return;
	for (size_t i = 0; i < pmus.nr; i++) {
		struct pmu *p = &pmus.v[i];

		if (p->core || !strcmp(p->name, "ibs_op"))
			pmu_load(p, sr);
		if (!strncmp(p->name, "arm_spe_", 8))
			add_spe(e, p, ldlat ? ldlat : MEM_LDLAT);
		else if (!strcmp(p->name, "ibs_op"))
			add_ibs(e, p, ldlat);
		else if (p->core)
			add_core(e, p, ldlat ? ldlat : MEM_LDLAT);
	}
	pmus_release(&pmus);
}

void mem_events_release(struct mem_events *e)
{
	for (size_t i = 0; i < e->nr; i++)
		free(e->v[i].spec);
	free(e->v);
	*e = (struct mem_events){ 0 };
}

/* ---- the list ---- */

static const struct {
	const char *name, *place, *machines;
} kinds[] = {
	{ "ldlat-loads", "cpu*/events/mem-loads", "Intel and POWER" },
	{ "ldlat-stores", "cpu*/events/mem-stores", "Intel and POWER" },
	{ "mem-ldst", "ibs_op", "AMD" },
	{ "spe-load", "arm_spe_*", "Arm with SPE" },
	{ "spe-store", "arm_spe_*", "Arm with SPE" },
	{ "spe-ldst", "arm_spe_*", "Arm with SPE" },
};

void mem_events_list(const struct mem_events *e, bool verbose, struct strbuf *out)
{
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		bool any = false;

		for (size_t i = 0; i < e->nr; i++) {
			if (strcmp(e->v[i].name, kinds[k].name))
				continue;
			any = true;
			strbuf_addf(out, "%-13s%-40s : available\n", kinds[k].name, e->v[i].spec);
		}
		if (any)
			continue;
		strbuf_addf(out, "%-13s%-40s : not here", kinds[k].name, "-");
		if (verbose)
			strbuf_addf(out, ", as there is no /sys/bus/event_source/devices/%s",
				    kinds[k].place);
		strbuf_addf(out, " (%s)\n", kinds[k].machines);
	}
}

/* ---- the choice ---- */

static const char none[] =
	"failed: memory events not supported\n"
	"This machine has no PMU that samples memory accesses (\"-e list\" says what was looked "
	"for). Virtual machines seldom have one; bare-metal instances of clouds do.";

static void take(const struct mem_event *event, struct verb_args *a, u32 *ops)
{
	verb_args_add(a, "-e");
	verb_args_own(a, xstrdup(event->spec));
	*ops |= event->ops;
}

/* Take the events that have @name in theirs. Return: whether there was one. */
static bool take_named(const struct mem_events *e, const char *name, size_t len,
		       struct verb_args *a, u32 *ops)
{
	bool any = false;

	for (size_t i = 0; i < e->nr; i++) {
		if (!memmem(e->v[i].name, strlen(e->v[i].name), name, len))
			continue;
		take(&e->v[i], a, ops);
		any = true;
	}
	return any;
}

static int choose_named(const struct mem_events *e, const char *names, struct verb_args *a,
			u32 *ops, struct err *err)
{
	for (const char *s = names; *s; s += strspn(s, ",")) {
		size_t len = strcspn(s, ",");

		if (len && !take_named(e, s, len, a, ops))
			return err_set(err, -EINVAL,
				       "failed: event '%.*s' not found, use '-e list' to get list "
				       "of available events",
				       (int)len, s);
		s += len;
	}
	return 0;
}

/* Tell whether the event is the one to take of its PMU: an event that samples just what is asked
 * for, or one that samples more where there is no such event. */
static bool suits(const struct mem_events *e, const struct mem_event *event, u32 ops)
{
	bool exact = false, both = false;

	for (size_t i = 0; i < e->nr; i++) {
		exact |= !strncmp(e->v[i].name, event->name, 4) && e->v[i].ops == ops;
		both |= !strncmp(e->v[i].name, event->name, 4) && e->v[i].ops == MEM_BOTH;
	}
	if (exact)
		return event->ops == ops;
	if (both)
		return event->ops == MEM_BOTH;
	return event->ops & ops;
}

int mem_events_choose(const struct mem_events *e, const struct mem_choice *c, struct verb_args *a,
		      u32 *ops, struct err *err)
{
	*ops = 0;
	if (!e->nr)
		return err_set(err, -ENODEV, "%s", none);
	if (c->names)
		return choose_named(e, c->names, a, ops, err);
	for (size_t i = 0; i < e->nr; i++)
		if (suits(e, &e->v[i], c->ops))
			take(&e->v[i], a, ops);
	if (*ops)
		return 0;
	return err_set(err, -ENODEV,
		       "failed: no event of this machine samples %s (\"-e list\" "
		       "says what it has)",
		       c->ops == MEM_STORES ? "stores" : "loads");
}
