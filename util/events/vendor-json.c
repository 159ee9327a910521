// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parser of one JSON file of events or metrics: an array of objects with the members that the
 * tables below list; all values are strings. Unknown members are ignored, because vendors add some
 * with every version. Numbers are checked, so the resulting terms are well-formed.
 */
#include "base/compat.h"
#include "events/vendor-internal.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <ctype.h>
#include <errno.h>

#define NAME_MAX_LEN 256

/* An entry, and the one that it refers to, which provides missing members. */
struct entry {
	const struct json_value *own, *std;
	const char *file;
};

static const char *get(const struct entry *e, const char *key)
{
	const char *s = json_get_str(e->own, key);

	return s || !e->std ? s : json_get_str(e->std, key);
}

static int bad(const struct entry *e, struct err *err, const char *what, const char *key,
	       const char *value)
{
	return err_set(err, -EINVAL, "%s:%u: %s '%s' of %s", e->file, e->own->line, what, value,
		       key);
}

/* Copy a text into the table; NULL stays NULL. */
static const char *keep(struct vendor_table *t, const char *s)
{
	return s && *s ? arena_strdup(&t->arena, s) : NULL;
}

/* Copy a description without its full stop, like the descriptions of other events. */
static const char *keep_desc(struct vendor_table *t, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	while (n && (s[n - 1] == '.' || isspace((unsigned char)s[n - 1])))
		n--;
	return n ? arena_strndup(&t->arena, s, n) : NULL;
}

static bool is_set(const struct entry *e, const char *key)
{
	const char *s = get(e, key);

	return s && *s && strcmp(s, "0");
}

/* --- terms -------------------------------------------------------------------- */

/* Members that correspond to one field of the event's encoding. */
static const struct field {
	const char *member, *term;
} fields[] = {
	{ "UMask", "umask" },
	{ "CounterMask", "cmask" },
	{ "Invert", "inv" },
	{ "AnyThread", "any" },
	{ "EdgeDetect", "edge" },
	{ "PortMask", "ch_mask" },
	{ "FCMask", "fc_mask" },
	{ "NodeType", "type" },
	{ "RdWrMask", "rdwrmask" },
	{ "EnAllCores", "enallcores" },
	{ "EnAllSlices", "enallslices" },
	{ "SliceId", "sliceid" },
	{ "ThreadMask", "threadmask" },
};

/* The names of the terms for the registers in MSRIndex. */
static const struct {
	u64 index;
	const char *term;
} msrs[] = {
	{ 0x3f6, "ldlat" },
	{ 0x1a6, "offcore_rsp" },
	{ 0x1a7, "offcore_rsp" },
	{ 0x3f7, "frontend" },
};

/*
 * Intel's fixed counters, with the kernel's encoding, because the vendor's files do not contain
 * one.
 */
static const struct {
	const char *name;
	u64 event, umask;
} fixed[] = {
	{ "inst_retired.any", 0xc0, 0 },      { "cpu_clk_unhalted.thread", 0x3c, 0 },
	{ "cpu_clk_unhalted.core", 0x3c, 0 }, { "cpu_clk_unhalted.ref", 0, 3 },
	{ "cpu_clk_unhalted.ref_tsc", 0, 3 }, { "topdown.slots", 0, 4 },
};

/* Read a number, or the first one of a list ("0x1a6,0x1a7"); 0 when the member is missing. */
static int number(const struct entry *e, const char *key, u64 *v, struct err *err)
{
	const char *s = get(e, key);
	char *end;

	*v = 0;
	if (!s || !*s)
		return 0;
	errno = 0;
	if (isdigit((unsigned char)*s))
		*v = strtoull(s, &end, 0);
	else
		return bad(e, err, "no number in", key, s);
	end += strspn(end, " ");
	return errno || (*end && *end != ',') ? bad(e, err, "no number in", key, s) : 0;
}

static int add_msr(const struct entry *e, struct strbuf *out, struct err *err)
{
	u64 index, value;
	int rc = number(e, "MSRIndex", &index, err);

	if (!rc)
		rc = number(e, "MSRValue", &value, err);
	if (rc || !index)
		return rc;
	for (size_t i = 0; i < ARRAY_SIZE(msrs); i++)
		if (msrs[i].index == index)
			strbuf_addf(out, ",%s=0x%" PRIx64, msrs[i].term, value);
	return 0;
}

/* Add the value of Filter, which consists of terms. */
static int add_filter(const struct entry *e, struct strbuf *out, struct err *err)
{
	const char *s = get(e, "Filter");

	if (!s || !*s || !strcmp(s, "na"))
		return 0;
	for (const char *p = s; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_=,", *p))
			return bad(e, err, "no terms in", "Filter", s);
	strbuf_addf(out, ",%s", s);
	return 0;
}

static int add_code(const struct entry *e, const char *name, struct strbuf *out, struct err *err)
{
	u64 event, extsel, v;
	int rc;

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
		if (strcmp(fixed[i].name, name))
			continue;
		strbuf_addf(out, "event=0x%" PRIx64, fixed[i].event);
		if (fixed[i].umask)
			strbuf_addf(out, ",umask=0x%" PRIx64, fixed[i].umask);
		return 0;
	}
	if (get(e, "ConfigCode")) {
		rc = number(e, "ConfigCode", &v, err);
		strbuf_addf(out, "config=0x%" PRIx64, v);
	} else {
		rc = number(e, "EventCode", &event, err);
		if (!rc)
			rc = number(e, "ExtSel", &extsel, err);
		if (!rc)
			strbuf_addf(out, "event=0x%" PRIx64, extsel ? event | 1 << 21 : event);
	}
	for (size_t i = 0; i < ARRAY_SIZE(fields) && !rc; i++) {
		rc = number(e, fields[i].member, &v, err);
		if (!rc && v)
			strbuf_addf(out, ",%s=0x%" PRIx64, fields[i].term, v);
	}
	return rc;
}

static int make_terms(const struct entry *e, const char *name, struct strbuf *out, struct err *err)
{
	u64 period;
	int rc = add_code(e, name, out, err);

	if (!rc)
		rc = add_msr(e, out, err);
	if (!rc)
		rc = add_filter(e, out, err);
	if (!rc)
		rc = number(e, "SampleAfterValue", &period, err);
	if (!rc && period)
		strbuf_addf(out, ",period=%" PRIu64, period);
	return rc;
}

/* --- events ------------------------------------------------------------------- */

/* The vendors' names of the parts of their processors, where sysfs uses other names. */
static const struct {
	const char *unit, *pmu;
} units[] = {
	{ "CBO", "uncore_cbox" },   { "SBO", "uncore_sbox" },       { "QPI LL", "uncore_qpi" },
	{ "UPI LL", "uncore_upi" }, { "iMPH-U", "uncore_arb" },     { "CPU-M-CF", "cpum_cf" },
	{ "CPU-M-SF", "cpum_sf" },  { "PAI-CRYPTO", "pai_crypto" }, { "PAI-EXT", "pai_ext" },
	{ "L3PMC", "amd_l3" },      { "DFPMC", "amd_df" },          { "UMCPMC", "amd_umc" },
	{ "core", "cpu" },          { "default_core", "cpu" },
};

static const char *unit_pmu(struct vendor_table *t, const char *unit)
{
	bool upper = false;
	char *name, *p;

	if (!unit || !*unit)
		return "cpu";
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].unit, unit))
			return units[i].pmu;
	for (const char *s = unit; *s; s++)
		upper = upper || isupper((unsigned char)*s);
	p = name = arena_alloc(&t->arena, strlen(unit) + sizeof("uncore_"));
	if (upper) {
		memcpy(p, "uncore_", strlen("uncore_"));
		p += strlen("uncore_");
	}
	for (; *unit; unit++)
		*p++ = isalnum((unsigned char)*unit) || *unit == ','
			       ? (char)tolower((unsigned char)*unit)
			       : '_';
	*p = 0;
	return name;
}

/* Return the name of the file without ".json" and with blanks for dashes. */
static const char *topic_of(struct vendor_table *t, const char *file)
{
	const char *base = strrchr(file, '/');
	const char *end;
	char *s;

	base = base ? base + 1 : file;
	end = strrchr(base, '.');
	s = arena_strndup(&t->arena, base, end ? (size_t)(end - base) : strlen(base));
	for (char *p = s; *p; p++)
		if (*p == '-')
			*p = ' ';
	return s;
}

/* Parse "64Bytes" or "6.103515625E-5MiB": a factor and the resulting unit. */
static void scale_unit(struct vendor_table *t, const char *s, struct vendor_event *ev)
{
	char *end;

	if (!s)
		return;
	ev->scale = strtod(s, &end);
	if (end == s)
		ev->scale = 1;
	ev->unit = keep(t, end);
}

static int take_name(const struct entry *e, const char *key, const char *name, struct err *err)
{
	size_t n = strlen(name);

	for (const char *p = name; *p; p++)
		if (!isgraph((unsigned char)*p) || strchr(",/{}'\"", *p))
			return bad(e, err, "not a name that can be typed:", key, name);
	return !n || n > NAME_MAX_LEN ? bad(e, err, "no usable name:", key, name) : 0;
}

static int add_event(struct vendor_loader *ld, const struct entry *e, const char *name,
		     const char *topic, struct err *err)
{
	struct vendor_table *t = ld->t;
	const char *brief = get(e, "BriefDescription"), *public = get(e, "PublicDescription");
	struct vendor_event ev = { .topic = topic };
	struct strbuf terms = STRBUF_INIT;
	char *lower;
	int rc = take_name(e, "EventName", name, err);

	if (rc)
		return rc;
	ev.compat = keep(t, get(e, "Compat"));
	if (ev.compat && !vendor_has_compat(ld, ev.compat))
		return 0;
	ev.name = lower = arena_strdup(&t->arena, name);
	for (; *lower; lower++)
		*lower = (char)tolower((unsigned char)*lower);
	rc = make_terms(e, ev.name, &terms, err);
	if (!rc) {
		ev.terms = arena_strdup(&t->arena, strbuf_str(&terms));
		ev.pmu = unit_pmu(t, get(e, "Unit"));
		ev.desc = keep_desc(t, brief ? brief : public);
		ev.long_desc = keep_desc(t, public);
		scale_unit(t, get(e, "ScaleUnit"), &ev);
		ev.per_pkg = is_set(e, "PerPkg");
		ev.deprecated = is_set(e, "Deprecated");
		VEC_GROW(t->events, t->nr_events + 1, t->cap_events);
		t->events[t->nr_events++] = ev;
	}
	strbuf_release(&terms);
	return rc;
}

/* --- metrics ------------------------------------------------------------------ */

static int add_metric(struct vendor_loader *ld, const struct entry *e, const char *expr,
		      struct err *err)
{
	struct vendor_table *t = ld->t;
	const char *name = get(e, "MetricName"), *compat = get(e, "Compat");
	struct vendor_metric m = { .line = e->own->line };
	int rc;

	/* an event with an additional value that has no name */
	if (!name)
		name = get(e, "EventName");
	rc = take_name(e, "MetricName", name ? name : "", err);
	if (rc || (compat && !vendor_has_compat(ld, compat)))
		return rc;
	m.name = keep(t, name);
	m.expr = keep(t, expr);
	m.groups = keep(t, get(e, "MetricGroup"));
	m.desc = keep_desc(t, get(e, "BriefDescription"));
	m.long_desc = keep_desc(t, get(e, "PublicDescription"));
	m.unit = keep(t, get(e, "ScaleUnit"));
	m.threshold = keep(t, get(e, "MetricThreshold"));
	m.constraint = keep(t, get(e, "MetricConstraint"));
	m.aggregation = keep(t, get(e, "AggregationMode"));
	m.default_group = keep(t, get(e, "DefaultMetricgroupName"));
	m.pmu = get(e, "Unit") ? unit_pmu(t, get(e, "Unit")) : NULL;
	m.compat = keep(t, compat);
	m.deprecated = is_set(e, "Deprecated");
	m.file = keep(t, e->file);
	if (!m.expr)
		return bad(e, err, "no expression:", "MetricExpr", "");
	VEC_GROW(t->metrics, t->nr_metrics + 1, t->cap_metrics);
	t->metrics[t->nr_metrics++] = m;
	return 0;
}

/* Add the groups of metricgroups.json, an object that maps groups to descriptions. */
static void add_groups(struct vendor_table *t, const struct json_value *object)
{
	for (const struct json_value *m = object->first; m; m = m->next) {
		if (!m->str)
			continue;
		VEC_GROW(t->groups, t->nr_groups + 1, t->cap_groups);
		t->groups[t->nr_groups++] = (struct vendor_group){
			arena_strdup(&t->arena, m->key),
			keep_desc(t, m->str),
		};
	}
}

/* --- files -------------------------------------------------------------------- */

int vendor_std_add(struct vendor_loader *ld, const char *text, size_t len, const char *file,
		   struct err *err)
{
	struct vendor_std *std = &ld->std;
	const struct json_value *all = json_parse(&std->arena, text, len, file, err);

	if (!all)
		return -EINVAL;
	if (all->type != JSON_ARRAY)
		return 0;
	for (const struct json_value *o = all->first; o; o = o->next) {
		const char *event = json_get_str(o, "EventName");
		const char *metric = json_get_str(o, "MetricName");

		if (!event && !metric)
			continue;
		VEC_GROW(std->v, std->nr + 1, std->cap);
		std->v[std->nr].name = event ? event : metric;
		std->v[std->nr++].entry = o;
	}
	return 0;
}

static int find_std(const struct vendor_loader *ld, struct entry *e, struct err *err)
{
	const char *name = json_get_str(e->own, "ArchStdEvent");

	e->std = NULL;
	if (!name)
		return 0;
	for (size_t i = 0; i < ld->std.nr; i++) {
		if (strcasecmp(ld->std.v[i].name, name))
			continue;
		e->std = ld->std.v[i].entry;
		return 0;
	}
	return err_set(err, -EINVAL,
		       "%s:%u: ArchStdEvent '%s' is in none of the files beside mapfile.csv: copy "
		       "them too",
		       e->file, e->own->line, name);
}

int vendor_json_add(struct vendor_loader *ld, const char *text, size_t len, const char *file,
		    struct err *err)
{
	struct arena arena = { 0 };
	const struct json_value *all = json_parse(&arena, text, len, file, err);
	const char *topic = topic_of(ld->t, file);
	struct entry e = { .file = file };
	int rc = all ? 0 : -EINVAL;

	if (all && all->type == JSON_OBJECT)
		add_groups(ld->t, all);
	else if (all && all->type != JSON_ARRAY)
		rc = err_set(err, -EINVAL, "%s: neither a list of events nor of groups", file);
	for (e.own = all && all->type == JSON_ARRAY ? all->first : NULL; e.own && !rc;
	     e.own = e.own->next) {
		const char *event, *expr;

		rc = find_std(ld, &e, err);
		if (rc)
			break;
		event = get(&e, "EventName");
		expr = get(&e, "MetricExpr");
		/* an entry that only has a metric needs no event */
		if (event && (!expr || get(&e, "EventCode") || get(&e, "ConfigCode")))
			rc = add_event(ld, &e, event, topic, err);
		if (!rc && expr)
			rc = add_metric(ld, &e, expr, err);
	}
	arena_release(&arena);
	return rc;
}
