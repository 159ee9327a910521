// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The requested metrics. Their expressions are parsed and bound to the machine, and the metrics
 * they refer to are put before them. The values are computed from the counts of their events.
 */
#include "base/compat.h"
#include "metric/metric-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>

#define STEPS_MAX 4096  /* the most metrics that one may refer to in all */
#define DEPTH_MAX 64    /* the most metrics that refer to each other in a chain */
#define PLACES_MAX 1024 /* the most chips or cores that one metric may be for */

/* The files here say how many places a '?' may stand for. */
#define PLACES "/sys/bus/event_source/devices/hv_24x7/interface/"

/* A metric that is being put together. */
struct builder {
	struct metric_set *set;
	const struct metric_env *env;
	struct err *err;
	const struct vendor_metric *def;
	const char *name;
	u32 place;                 /* the value of '?' in expressions */
	struct metric_step *steps; /* owned */
	size_t nr_steps, cap_steps;
	const char **ids; /* owned */
	size_t nr_ids, cap_ids;
	/* the current chain of references, from the metric itself on */
	const struct vendor_metric *chain[DEPTH_MAX];
	int depth;
};

/* Slots of steps are counted from here until the number of ids is known. */
#define STEP_SLOT 0x80000000u

static int bad_expr(struct builder *b, const struct vendor_metric *m, const char *text,
		    const struct expr_error *e)
{
	char place[512] = "";

	if (m->file)
		snprintf(place, sizeof(place), "%s:%u: ", m->file, m->line);
	return err_set(b->err, -EINVAL, "%smetric %s: %s, at byte %zu, '%.40s'", place, m->name,
		       e->text, e->at, text + e->at);
}

static u32 id_slot(struct builder *b, const char *name)
{
	for (size_t i = 0; i < b->nr_ids; i++)
		if (!strcmp(b->ids[i], name))
			return (u32)i;
	VEC_GROW(b->ids, b->nr_ids + 1, b->cap_ids);
	b->ids[b->nr_ids++] = name;
	return (u32)b->nr_ids - 1;
}

static int add_step(struct builder *b, const struct vendor_metric *m, const char *text, u32 *step);

/*
 * Return the metric that a name in an expression of @m refers to; case matters. On processors with
 * several kinds of cores, one for the same kind is preferred.
 */
static const struct vendor_metric *referred(struct builder *b, const struct vendor_metric *m,
					    const char *name)
{
	const struct vendor_table *t = b->env->table;
	const struct vendor_metric *r = metric_find(t, name), *end, *any = NULL;

	if (!r || !r->file)
		return r && !strcmp(r->name, name) ? r : NULL;
	end = t->metrics + t->nr_metrics;
	for (; r < end && !strcasecmp(r->name, name); r++) {
		if (strcmp(r->name, name))
			continue;
		if (!m->pmu || !r->pmu || !strcmp(r->pmu, m->pmu))
			return r;
		any = any ? any : r;
	}
	return any;
}

/*
 * Return the slot of a name: that of a metric computed before, of a metric that is added now, or of
 * an event.
 */
static int find_slot(struct builder *b, const struct vendor_metric *m, const char *name, u32 *slot)
{
	const struct vendor_metric *r = referred(b, m, name);
	int rc;

	*slot = r ? 0 : id_slot(b, name);
	if (!r)
		return 0;
	for (size_t i = 0; i < b->nr_steps; i++) {
		if (b->steps[i].def == r) {
			*slot = STEP_SLOT + (u32)i;
			return 0;
		}
	}
	for (int i = 0; i < b->depth; i++) {
		if (b->chain[i] != r)
			continue;
		/* an event may have the same name as the metric that shows it */
		if (i == b->depth - 1) {
			*slot = id_slot(b, name);
			return 0;
		}
		return err_set(b->err, -ELOOP, "metric %s refers to itself, through %s", r->name,
			       m->name);
	}
	rc = add_step(b, r, r->expr, slot);
	*slot += STEP_SLOT;
	return rc;
}

/* Return the expression with the number of the place for each '?'. */
static const char *at_place(struct builder *b, const char *text)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out;

	if (!strchr(text, '?'))
		return text;
	for (const char *p = text; *p; p++) {
		if (*p == '?')
			strbuf_addf(&sb, "%u", b->place);
		else
			strbuf_addch(&sb, *p);
	}
	out = arena_strdup(&b->set->arena, strbuf_str(&sb));
	strbuf_release(&sb);
	return out;
}

static int add_step(struct builder *b, const struct vendor_metric *m, const char *text, u32 *step)
{
	const struct expr_env env = { metric_literal, metric_has_event, metric_cpuid_matches,
				      (void *)b->env };
	struct metric_step s = { .def = text == m->expr ? m : NULL };
	struct expr_error e;
	int rc = 0;

	if (b->depth == DEPTH_MAX || b->nr_steps >= STEPS_MAX)
		return err_set(b->err, -E2BIG, "metric %s refers to too many others", b->def->name);
	text = at_place(b, text);
	if (expr_parse(&b->set->arena, text, &s.expr, &e) ||
	    expr_bind(&b->set->arena, &s.expr, &env, &e))
		return bad_expr(b, m, text, &e);
	b->chain[b->depth++] = m;
	s.slots = arena_alloc(&b->set->arena, s.expr.nr_ids * sizeof(*s.slots));
	for (u32 i = 0; i < s.expr.nr_ids && !rc; i++)
		rc = find_slot(b, m, s.expr.ids[i], &s.slots[i]);
	b->depth--;
	VEC_GROW(b->steps, b->nr_steps + 1, b->cap_steps);
	b->steps[b->nr_steps] = s;
	*step = (u32)b->nr_steps++;
	return rc;
}

/* Parse "100%": a factor and the resulting unit. */
static void read_unit(struct metric *m, const char *text)
{
	char *end = (char *)text;

	m->factor = 1;
	m->unit = "";
	if (!text)
		return;
	m->factor = strtod(text, &end);
	if (end == text)
		m->factor = 1;
	m->unit = end;
}

/* Add the finished metric to the set. */
static void finish(struct builder *b, u32 value_step, s32 threshold_step)
{
	struct arena *a = &b->set->arena;
	struct metric m = { .def = b->def,
			    .name = b->name,
			    .value_step = value_step,
			    .threshold_step = threshold_step };

	read_unit(&m, b->def->unit);
	m.nr_ids = (u32)b->nr_ids;
	m.ids = arena_alloc(a, b->nr_ids * sizeof(*m.ids));
	m.uses = arena_alloc(a, b->nr_ids * sizeof(*m.uses));
	memset(m.uses, 0, b->nr_ids * sizeof(*m.uses));
	if (b->nr_ids)
		memcpy(m.ids, b->ids, b->nr_ids * sizeof(*m.ids));
	m.nr_steps = (u32)b->nr_steps;
	m.steps = arena_alloc(a, b->nr_steps * sizeof(*m.steps));
	memcpy(m.steps, b->steps, b->nr_steps * sizeof(*m.steps));
	for (u32 i = 0; i < m.nr_steps; i++)
		for (u32 j = 0; j < m.steps[i].expr.nr_ids; j++)
			if (m.steps[i].slots[j] >= STEP_SLOT)
				m.steps[i].slots[j] += m.nr_ids - STEP_SLOT;
	VEC_GROW(b->set->v, b->set->nr + 1, b->set->cap);
	b->set->v[b->set->nr++] = m;
}

/* Return the number of places of the metric, or 0 when its expression has no '?'. */
static u32 count_places(const struct vendor_metric *def, const struct metric_env *env)
{
	const char *of = def->aggregation && !strcmp(def->aggregation, "PerCore") ? "coresperchip"
										  : "sockets";
	u64 n;

	if (!strchr(def->expr, '?'))
		return 0;
	if (sysroot_read_u64(env->parse->sr, &n, PLACES "%s", of) || !n)
		return 1;
	return (u32)MIN(n, (u64)PLACES_MAX);
}

static int add_one(struct builder *b, const struct metric_options *o)
{
	const struct vendor_metric *def = b->def;
	u32 value_step, threshold_step = 0;
	bool threshold = def->threshold && !o->no_threshold;
	int rc = add_step(b, def, def->expr, &value_step);

	if (!rc && threshold)
		rc = add_step(b, def, def->threshold, &threshold_step);
	if (!rc)
		finish(b, value_step, threshold ? (s32)threshold_step : -1);
	free(b->steps);
	free(b->ids);
	return rc;
}

/* Add a metric; one with a '?' is added once for each place. */
static int add_metric(struct metric_set *set, const struct vendor_metric *def,
		      const struct metric_env *env, const struct metric_options *o, struct err *err)
{
	u32 places = count_places(def, env);
	int rc = 0;

	for (size_t i = 0; i < set->nr; i++)
		if (set->v[i].def == def)
			return 0;
	for (u32 i = 0; i < MAX(places, 1U) && !rc; i++) {
		struct builder b = { .set = set, .env = env, .err = err, .def = def };

		b.place = i;
		b.name = def->name;
		if (places) {
			char *name = xasprintf("%s_%u", def->name, i);

			b.name = arena_strdup(&set->arena, name);
			free(name);
		}
		rc = add_one(&b, o);
	}
	return rc;
}

/* --- names ---------------------------------------------------------------------- */

struct pick {
	struct metric_set *set;
	const struct metric_env *env;
	const struct metric_options *o;
	struct err *err;
	const char *name; /* name of a metric or of a group */
	size_t len;
	bool group; /* match members of the group; otherwise metrics with the name */
	bool found;
};

static int pick_metric(void *ctx, const struct vendor_metric *m)
{
	struct pick *p = ctx;
	bool all = p->len == 3 && !strncasecmp(p->name, "all", 3);

	if (!p->group) {
		if (strlen(m->name) != p->len || strncasecmp(m->name, p->name, p->len))
			return 0;
		p->found = true;
		return add_metric(p->set, m, p->env, p->o, p->err);
	}
	if (!all && !metric_in_group(m, p->name, p->len))
		return 0;
	p->found = true;
	if (!metric_usable(m, p->env))
		p->set->skipped++;
	else
		return add_metric(p->set, m, p->env, p->o, p->err);
	return 0;
}

int metric_set_add(struct metric_set *set, const char *names, const struct metric_env *env,
		   const struct metric_options *o, struct err *err)
{
	for (const char *p = names;; p++) {
		struct pick pick = { set, env, o, err, p, strcspn(p, ",") };
		size_t nr = set->nr, skipped = set->skipped;
		int rc = metric_each(env->table, pick_metric, &pick);

		if (!rc && !pick.found) {
			pick.group = true;
			rc = metric_each(env->table, pick_metric, &pick);
		}
		if (rc)
			return rc;
		if (!pick.found)
			return err_set(err, -ENOENT, "Cannot find metric or group `%.*s'",
				       (int)MIN(pick.len, (size_t)200), p);
		if (set->nr == nr && set->skipped > skipped)
			return err_set(
				err, -ENOENT,
				"this machine has the events of no metric of the group `%.*s'",
				(int)MIN(pick.len, (size_t)200), p);
		p += pick.len;
		if (!*p)
			return 0;
	}
}

bool metric_usable(const struct vendor_metric *m, const struct metric_env *env)
{
	const struct metric_options o = { .no_threshold = true };
	struct metric_set set = { 0 };
	bool yes = !add_metric(&set, m, env, &o, NULL);
	double v;

	for (u32 i = 0; yes && i < set.v[0].nr_ids; i++)
		yes = metric_has_event((void *)env, set.v[0].ids[i]);
	/* a literal that this machine cannot provide is unknown as well */
	if (yes && expr_constant(&set.v[0].steps[set.v[0].value_step].expr, &v))
		yes = !isnan(v);
	metric_set_release(&set);
	return yes;
}

void metric_set_release(struct metric_set *set)
{
	free(set->v);
	arena_release(&set->arena);
	memset(set, 0, sizeof(*set));
}

/* --- values --------------------------------------------------------------------- */

double metric_value(const struct metric *m, metric_value_fn value, void *ctx, bool *alarm)
{
	u32 nr = m->nr_ids + m->nr_steps, most = 0;
	double *values = xcalloc(nr, sizeof(*values)), *in, result;
	u32 *sources = xcalloc(nr, sizeof(*sources)), *counted;

	for (u32 i = 0; i < m->nr_ids; i++)
		values[i] = value(ctx, &m->uses[i], &sources[i]);
	for (u32 i = 0; i < m->nr_steps; i++)
		most = MAX(most, m->steps[i].expr.nr_ids);
	in = xcalloc(most + 1, sizeof(*in));
	counted = xcalloc(most + 1, sizeof(*counted));
	for (u32 i = 0; i < m->nr_steps; i++) {
		const struct metric_step *s = &m->steps[i];
		const struct expr_input input = { in, counted };

		for (u32 j = 0; j < s->expr.nr_ids; j++) {
			in[j] = values[s->slots[j]];
			counted[j] = sources[s->slots[j]];
		}
		values[m->nr_ids + i] = expr_eval(&s->expr, &input);
	}
	result = values[m->nr_ids + m->value_step];
	if (alarm) {
		double t = m->threshold_step < 0 ? 0 : values[m->nr_ids + (u32)m->threshold_step];

		*alarm = !isnan(t) && t != 0;
	}
	free(values);
	free(sources);
	free(in);
	free(counted);
	return result;
}
