// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The only user of libpfm4. The library keeps its state in static data. It is loaded with dlopen()
 * because its tables need 40 000 relocations, which would slow down the start of every other
 * command.
 */
#include "base/compat.h"

#ifdef HAVE_LIBPFM4
#include "events/libpfm.h"

#include "base/alloc.h"
#include "base/library.h"
#include "events/pmu.h"

#include <ctype.h>
#include <errno.h>
/* pfmlib_perf_event.h is not used because it defines a perf_event_attr of its own. */
#include <perfmon/pfmlib.h>

#define LIBRARY "libpfm.so.4"
#define MAX_PMUS 64      /* PMUs of one machine */
#define MAX_MEMBERS 1024 /* events of one text */
#define MAX_NAME 512

/* The argument of pfm_get_os_event_encoding(3) for perf events. */
struct encode_arg {
	struct perf_event_attr *attr;
	char **fstr;
	size_t size;
	int idx, cpu, flags, pad;
};

struct libpfm {
	void *dl;
	int (*initialize)(void);
	const char *(*strerror)(int code);
	int (*get_pmu_info)(pfm_pmu_t pmu, pfm_pmu_info_t *out);
	int (*get_event_next)(int idx);
	int (*get_event_info)(int idx, pfm_os_t os, pfm_event_info_t *out);
	int (*get_event_attr_info)(int eidx, int aidx, pfm_os_t os, pfm_event_attr_info_t *out);
	int (*encode)(const char *str, int plm, pfm_os_t os, void *arg);
	pfm_pmu_info_t pmus[MAX_PMUS]; /* the hardware PMUs that were found */
	size_t nr_pmus;
};

/* --- the library ---------------------------------------------------------------- */

static bool find_functions(struct libpfm *p)
{
	const struct {
		void **to, *function;
	} functions[] = {
		{ (void **)&p->initialize, LIBRARY_FIND(p->dl, pfm_initialize) },
		{ (void **)&p->strerror, LIBRARY_FIND(p->dl, pfm_strerror) },
		{ (void **)&p->get_pmu_info, LIBRARY_FIND(p->dl, pfm_get_pmu_info) },
		{ (void **)&p->get_event_next, LIBRARY_FIND(p->dl, pfm_get_event_next) },
		{ (void **)&p->get_event_info, LIBRARY_FIND(p->dl, pfm_get_event_info) },
		{ (void **)&p->get_event_attr_info, LIBRARY_FIND(p->dl, pfm_get_event_attr_info) },
		{ (void **)&p->encode, LIBRARY_FIND(p->dl, pfm_get_os_event_encoding) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		*functions[i].to = functions[i].function;
		if (!functions[i].function)
			return false;
	}
	return true;
}

static void find_pmus(struct libpfm *p)
{
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX && p->nr_pmus < MAX_PMUS; i++) {
		pfm_pmu_info_t *info = &p->pmus[p->nr_pmus];

		memset(info, 0, sizeof(*info));
		info->size = sizeof(*info);
		if (!p->get_pmu_info((pfm_pmu_t)i, info) && info->is_present &&
		    info->type != PFM_PMU_TYPE_OS_GENERIC)
			p->nr_pmus++;
	}
}

int libpfm_open(struct libpfm **out, struct err *err)
{
	struct libpfm *p = xzalloc(sizeof(*p));
	int rc;

	*out = NULL;
	p->dl = LIBRARY_LOAD(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!p->dl || !find_functions(p)) {
		rc = err_set(err, -ENOTSUP, "libpfm4 is not usable: %s", dlerror());
	} else {
		rc = p->initialize();
		if (rc)
			rc = err_set(err, -EIO, "libpfm4 cannot be used here: %s", p->strerror(rc));
	}
	if (rc) {
		if (p->dl)
			LIBRARY_DROP(p->dl);
		free(p);
		return rc;
	}
	find_pmus(p);
	*out = p;
	return 0;
}

void libpfm_close(struct libpfm *p)
{
	if (!p)
		return;
	/* the state of the library belongs to the process and stays, in case others have it open */
	LIBRARY_DROP(p->dl);
	free(p);
}

/*
 * Look up an encoding. @cpu: the CPU of a cpu= modifier, else -1. Return: PFM_SUCCESS or another
 * code of the library.
 */
static int encode(struct libpfm *p, const char *name, struct perf_event_attr *attr, int *cpu)
{
	struct encode_arg arg = { .attr = attr, .size = sizeof(arg), .cpu = -1 };
	int rc;

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	rc = p->encode(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	*cpu = arg.cpu;
	attr->size = sizeof(*attr);
	return rc;
}

/* --- the library's own texts ------------------------------------------------------ */

static int parse_fault(struct parse_error *pe, const char *text, const char *at, int code,
		       const char *fmt, ...) __printf(5, 6);

static int parse_fault(struct parse_error *pe, const char *text, const char *at, int code,
		       const char *fmt, ...)
{
	va_list ap;

	pe->at = (size_t)(at - text);
	va_start(ap, fmt);
	vsnprintf(pe->text, sizeof(pe->text), fmt, ap);
	va_end(ap);
	return code;
}

/* Set the CPUs on which the PMU of the event counts, if these are not all. */
static void set_cpus(struct evsel *e, int cpu, const struct sysroot *sr)
{
	struct pmus pmus = { 0 };

	if (cpu >= 0) {
		e->cpumask = xasprintf("%d", cpu);
		return;
	}
	if (e->attr.type == PERF_TYPE_RAW || pmus_scan(&pmus, sr))
		return;
	for (size_t i = 0; i < pmus.nr; i++)
		if (pmus.v[i].type == e->attr.type && pmus.v[i].cpumask && !e->cpumask)
			e->cpumask = xstrdup(pmus.v[i].cpumask);
	pmus_release(&pmus);
}

static int parse_one(struct libpfm *p, struct evlist *l, const char *text, const char **at,
		     const struct sysroot *sr, struct parse_error *pe)
{
	size_t n = strcspn(*at, ",{}");
	struct perf_event_attr attr;
	char name[MAX_NAME];
	struct evsel *e;
	int rc, cpu;

	while (n && isspace((unsigned char)**at)) {
		(*at)++;
		n--;
	}
	if (!n || n >= sizeof(name) || l->nr >= MAX_MEMBERS)
		return parse_fault(pe, text, *at, -EINVAL,
				   n ? "too much for one list" : "an event is expected");
	memcpy(name, *at, n);
	name[n] = 0;
	while (n && isspace((unsigned char)name[n - 1]))
		name[--n] = 0;
	rc = encode(p, name, &attr, &cpu);
	if (rc)
		return parse_fault(pe, text, *at, rc == PFM_ERR_NOTFOUND ? -ENOENT : -EINVAL,
				   "libpfm4: %s", p->strerror(rc));
	e = evlist_add(l, &attr, name);
	e->terms.period_set = attr.sample_period && !attr.freq;
	e->terms.freq_set = attr.sample_period && attr.freq;
	/* modifiers of the command line are not appended */
	e->terms.named = true;
	set_cpus(e, cpu, sr);
	*at += strcspn(*at, ",{}");
	return 0;
}

static int parse_list(struct libpfm *p, struct evlist *l, const char *text,
		      const struct sysroot *sr, struct parse_error *pe)
{
	const char *at = text;
	size_t from = 0;
	bool group = false;

	for (;; at++) {
		int rc;

		at += strspn(at, " \t");
		if (*at == '{' && !group) {
			at++;
			group = true;
			from = l->nr;
		}
		rc = parse_one(p, l, text, &at, sr, pe);
		if (rc)
			return rc;
		if (*at == '}' && group) {
			at += 1 + strspn(at + 1, " \t");
			group = false;
			evlist_group(l, from, l->nr);
		}
		if (!*at)
			break;
		if (*at != ',')
			return parse_fault(pe, text, at, -EINVAL, "a comma is expected");
	}
	return group ? parse_fault(pe, text, at, -EINVAL, "the group is not closed") : 0;
}

int libpfm_parse(struct libpfm *p, struct evlist *l, const char *text, const struct sysroot *sr,
		 struct parse_error *pe)
{
	size_t nr = l->nr, last = l->last_item;
	int rc;

	memset(pe, 0, sizeof(*pe));
	rc = parse_list(p, l, text, sr, pe);
	if (rc)
		evlist_truncate(l, nr);
	l->last_item = rc ? last : nr;
	return rc;
}

/* --- names ------------------------------------------------------------------------ */

int libpfm_find(struct libpfm *p, const char *name, struct perf_event_attr *attr, struct err *err)
{
	const pfm_pmu_info_t *found = NULL;
	struct perf_event_attr a;
	char full[MAX_NAME];
	int cpu;

	if (strstr(name, "::") || strchr(name, ','))
		return -ENOENT;
	for (size_t i = 0; i < p->nr_pmus; i++) {
		int n = snprintf(full, sizeof(full), "%s::%s", p->pmus[i].name, name);

		if (n < 0 || (size_t)n >= sizeof(full) || encode(p, full, &a, &cpu))
			continue;
		if (found)
			return err_set(err, -EINVAL,
				       "both %s and %s have this event: use --pfm-events %s::%s",
				       found->name, p->pmus[i].name, found->name, name);
		found = &p->pmus[i];
		memset(attr, 0, sizeof(*attr));
		attr->size = sizeof(*attr);
		attr->type = a.type;
		attr->config = a.config;
		attr->config1 = a.config1;
		attr->config2 = a.config2;
		attr->precise_ip = a.precise_ip;
	}
	return found ? 0 : -ENOENT;
}

static char *lower(const char *s)
{
	char *copy = xstrdup(s ? s : "");

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

/* Call the callback for the masks of an event, or for the event when it has none. */
static int each_mask(struct libpfm *p, const pfm_event_info_t *info, struct libpfm_event *e,
		     int (*fn)(void *ctx, const struct libpfm_event *e), void *ctx)
{
	bool any = false;
	int rc = 0;

	for (int i = 0; i < info->nattrs && !rc; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };
		char *mask;

		if (p->get_event_attr_info(info->idx, i, PFM_OS_NONE, &attr) ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		any = true;
		e->mask = mask = lower(attr.name);
		e->desc = attr.desc;
		e->is_default = attr.is_dfl;
		rc = fn(ctx, e);
		free(mask);
	}
	if (any)
		return rc;
	e->mask = NULL;
	e->desc = info->desc;
	e->is_default = false;
	return fn(ctx, e);
}

int libpfm_each(struct libpfm *p, int (*fn)(void *ctx, const struct libpfm_event *e), void *ctx)
{
	int rc = 0;

	for (size_t i = 0; i < p->nr_pmus; i++) {
		for (int idx = p->pmus[i].first_event; idx >= 0 && !rc;
		     idx = p->get_event_next(idx)) {
			struct libpfm_event e = { .pmu = p->pmus[i].name };
			pfm_event_info_t info = { .size = sizeof(info) };
			char *name;

			if (p->get_event_info(idx, PFM_OS_NONE, &info))
				continue;
			e.name = name = lower(info.name);
			e.event_desc = info.desc;
			rc = each_mask(p, &info, &e, fn, ctx);
			free(name);
		}
	}
	return rc;
}

#endif
