// SPDX-License-Identifier: GPL-2.0-or-later
/* Print counts in formats for programs: CSV and lines of JSON. */
#include "base/compat.h"
#include "stattext/stattext.h"

#include "codec/json.h"

#include <math.h>

static const struct stat_metric *metric_of(const struct stat_row *row)
{
	return row->nr_metrics ? &row->metrics[0] : NULL;
}

/* --- CSV --- */

static void csv_start(const struct stat_row *row, const char *sep, struct strbuf *out)
{
	enum aggr_mode mode = row->result->ids->mode;

	if (row->view->summary)
		strbuf_addf(out, "%16s%s", "summary", sep);
	else if (row->view->interval)
		strbuf_addf(out, "%6" PRIu64 ".%09" PRIu64 "%s", row->time / 1000000000,
			    row->time % 1000000000, sep);
	if (mode == AGGR_GLOBAL)
		return;
	stat_row_id(row, out);
	strbuf_addstr(out, sep);
	if (mode != AGGR_NONE && mode != AGGR_THREAD)
		strbuf_addf(out, "%u%s", stat_row_cpus(row), sep);
}

/* Append the number of a metric without its unit. */
static void put_number(const struct stat_metric *m, struct strbuf *out)
{
	struct strbuf sb = STRBUF_INIT;
	const char *s;

	stat_metric_text(m, &sb);
	s = strbuf_str(&sb) + strspn(strbuf_str(&sb), " ");
	strbuf_add(out, s, strcspn(s, " %"));
	strbuf_release(&sb);
}

static void csv_metric(const struct stat_metric *m, const char *sep, struct strbuf *out)
{
	if (m)
		put_number(m, out);
	strbuf_addf(out, "%s%s", sep, m ? m->unit : "");
}

/* Return the number of fields of an id. */
static u32 id_fields(enum aggr_mode mode)
{
	return mode == AGGR_GLOBAL ? 0 : mode == AGGR_NONE || mode == AGGR_THREAD ? 1 : 2;
}

/*
 * Metrics after the first one have lines of their own, on which fields that would repeat are empty.
 * Nodes have always had one field less there.
 */
static void csv_more(const struct stat_row *row, const char *sep, struct strbuf *out)
{
	enum aggr_mode mode = row->result->ids->mode;
	u32 empty = 4 + id_fields(mode) - (mode == AGGR_NODE) + (row->evsel->cgroup ? 1 : 0);

	for (size_t i = 1; i < row->nr_metrics; i++) {
		strbuf_addch(out, '\n');
		csv_start(row, sep, out);
		for (u32 k = 0; k < empty; k++)
			strbuf_addstr(out, sep);
		csv_metric(&row->metrics[i], sep, out);
	}
}

static void csv_row(const struct stat_row *row, struct strbuf *out)
{
	const char *sep = row->view->sep;

	csv_start(row, sep, out);
	if (!row->counted)
		strbuf_addstr(out, row->unsupported ? "<not supported>" : "<not counted>");
	else
		strbuf_addf(out, "%.*f", stat_row_digits(row), row->shown);
	strbuf_addf(out, "%s%s%s", sep, row->evsel->unit ? row->evsel->unit : "", sep);
	strbuf_addname(out, row->evsel->name);
	if (row->evsel->cgroup) {
		strbuf_addstr(out, sep);
		strbuf_addname(out, row->evsel->cgroup);
	}
	strbuf_addstr(out, sep);
	if (row->view->several)
		strbuf_addf(out, "%.2f%%%s", row->value->spread, sep);
	strbuf_addf(out, "%" PRIu64 "%s%.2f%s", row->value->running, sep, stat_row_running(row),
		    sep);
	csv_metric(metric_of(row), sep, out);
	csv_more(row, sep, out);
	strbuf_addch(out, '\n');
}

static void csv_only_heading(const struct stat_view *v, const struct stat_result *r,
			     struct strbuf *out)
{
	static const char *const of[AGGR_NR] = {
		[AGGR_NONE] = "cpu",        [AGGR_CORE] = "core", [AGGR_CACHE] = "cache",
		[AGGR_CLUSTER] = "cluster", [AGGR_DIE] = "die",   [AGGR_SOCKET] = "socket",
		[AGGR_NODE] = "node",
	};
	enum aggr_mode mode = r->ids->mode;

	if (v->summary || v->interval)
		strbuf_addf(out, "%s%s", v->interval ? " time" : "", v->sep);
	if (of[mode])
		strbuf_addf(out, "%s%s", of[mode], v->sep);
	if (id_fields(mode) == 2)
		strbuf_addf(out, "cpus%s", v->sep);
	for (size_t i = 0; i < v->nr_columns; i++)
		strbuf_addf(out, "%s%s", v->columns[i].name, v->sep);
	strbuf_addch(out, '\n');
}

static void csv_only_row(const struct stat_row *row, struct strbuf *out)
{
	csv_start(row, row->view->sep, out);
	for (size_t i = 0; i < row->nr_metrics; i++) {
		put_number(&row->metrics[i], out);
		strbuf_addstr(out, row->view->sep);
	}
	strbuf_addch(out, '\n');
}

const struct stat_ops stat_csv_ops = { .row = csv_row,
				       .only_heading = csv_only_heading,
				       .only_row = csv_only_row };

/* --- JSON --- */

static void json_id(const struct stat_row *row, struct strbuf *out)
{
	static const char *const key[AGGR_NR] = {
		[AGGR_NONE] = "cpu",        [AGGR_CORE] = "core",     [AGGR_CACHE] = "cache",
		[AGGR_CLUSTER] = "cluster", [AGGR_DIE] = "die",       [AGGR_SOCKET] = "socket",
		[AGGR_NODE] = "node",       [AGGR_THREAD] = "thread",
	};
	enum aggr_mode mode = row->result->ids->mode;
	struct strbuf sb = STRBUF_INIT;

	if (mode == AGGR_GLOBAL)
		return;
	stat_row_id(row, &sb);
	strbuf_addf(out, "\"%s\" : ", stat_row_percore(row) ? "core" : key[mode]);
	json_string(out, strbuf_str(&sb) +
				 (mode == AGGR_NONE && !stat_row_percore(row) ? strlen("CPU") : 0));
	strbuf_addstr(out, ", ");
	if (mode != AGGR_NONE && mode != AGGR_THREAD)
		strbuf_addf(out, "\"aggregate-number\" : %u, ", stat_row_cpus(row));
	strbuf_release(&sb);
}

/* Begin the object of a row with its time and its aggregation id. */
static void json_start(const struct stat_row *row, struct strbuf *out)
{
	strbuf_addch(out, '{');
	if (row->view->interval)
		strbuf_addf(out, "\"interval\" : %" PRIu64 ".%09" PRIu64 ", ",
			    row->time / 1000000000, row->time % 1000000000);
	json_id(row, out);
}

static void json_metric(double value, const char *unit, struct strbuf *out)
{
	if (isinf(value) || isnan(value))
		strbuf_addstr(out, "\"metric-value\" : null");
	else
		strbuf_addf(out, "\"metric-value\" : %f", value);
	strbuf_addstr(out, ", \"metric-unit\" : ");
	json_string(out, unit);
	strbuf_addstr(out, "}\n");
}

/* Return the unit of a row without a metric. */
static const char *nothing_beside(const struct stat_row *row)
{
	const struct perf_event_attr *a = &row->evsel->attr;

	if (!row->counted)
		return "";
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES ? "Ghz"
										      : "(null)";
}

static void json_row(const struct stat_row *row, struct strbuf *out)
{
	const struct stat_metric *m = metric_of(row);

	json_start(row, out);
	strbuf_addstr(out, "\"counter-value\" : ");
	if (row->counted)
		strbuf_addf(out, "\"%f\"", row->shown);
	else
		strbuf_addf(out, "\"%s\"", row->unsupported ? "<not supported>" : "<not counted>");
	strbuf_addstr(out, ", \"unit\" : ");
	json_string(out, row->evsel->unit ? row->evsel->unit : "");
	strbuf_addstr(out, ", \"event\" : ");
	json_string(out, row->evsel->name);
	if (row->evsel->cgroup) {
		strbuf_addstr(out, ", \"cgroup\" : ");
		json_string(out, row->evsel->cgroup);
	}
	if (row->view->several)
		strbuf_addf(out, ", \"variance\" : %.2f", row->value->spread);
	strbuf_addf(out, ", \"event-runtime\" : %" PRIu64 ", \"pcnt-running\" : %.2f, ",
		    row->value->running, stat_row_running(row));
	json_metric(m ? m->value : 0.0, m ? m->unit : nothing_beside(row), out);
	for (size_t i = 1; i < row->nr_metrics; i++) {
		json_start(row, out);
		json_metric(row->metrics[i].value, row->metrics[i].unit, out);
	}
}

static void json_only_row(const struct stat_row *row, struct strbuf *out)
{
	json_start(row, out);
	for (size_t i = 0; i < row->nr_metrics; i++) {
		json_string(out, row->view->columns[i].name);
		strbuf_addstr(out, " : \"");
		put_number(&row->metrics[i], out);
		strbuf_addstr(out, "\", ");
	}
	/* there is no comma after the last member */
	if (out->len >= 2 && !strcmp(out->buf + out->len - 2, ", ")) {
		out->len -= 2;
		out->buf[out->len] = 0;
	}
	strbuf_addstr(out, "}\n");
}

const struct stat_ops stat_json_ops = { .row = json_row, .only_row = json_only_row };
