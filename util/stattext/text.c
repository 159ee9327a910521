// SPDX-License-Identifier: GPL-2.0-or-later
/* Print counts for people. */
#include "base/compat.h"
#include "stattext/stattext.h"

#include <math.h>

#define VALUE_WIDTH 18
#define NAME_WIDTH 32    /* width of names of events that were counted */
#define NO_NAME_WIDTH 25 /* width of names of others */
#define METRIC_WIDTH 35
#define MORE_INDENT 49
#define COLUMN_WIDTH 20 /* with metric_only, if the name is not wider */

/* Widths of the aggregation ids; 0 where there is neither an id nor a number of CPUs. */
static const u8 id_width[AGGR_NR] = {
	[AGGR_CORE] = 16, [AGGR_CACHE] = 20, [AGGR_CLUSTER] = 20,
	[AGGR_DIE] = 13,  [AGGR_SOCKET] = 7, [AGGR_NODE] = 7,
};

static void put_id(const struct stat_row *row, struct strbuf *out)
{
	enum aggr_mode mode = row->result->ids->mode;
	size_t at = out->len;

	if (mode == AGGR_GLOBAL)
		return;
	if (mode == AGGR_THREAD) {
		const struct stat_thread *t =
			&row->view->threads[row->result->ids->ids[row->id].thread];

		strbuf_addf(out, "%16s-%-8d ", t->comm, t->tid);
		return;
	}
	stat_row_id(row, out);
	if (mode == AGGR_NONE) {
		strbuf_pad(out, at + 10);
		strbuf_addch(out, ' ');
		return;
	}
	strbuf_pad(out, at + id_width[mode]);
	strbuf_addf(out, "%4u ", stat_row_cpus(row));
}

void stat_put_grouped(const char *digits, const char *thousands, struct strbuf *out)
{
	size_t len = strspn(digits, "-0123456789"), sign = *digits == '-';

	for (size_t i = 0; i < len; i++) {
		if (i > sign && (len - i) % 3 == 0)
			strbuf_addstr(out, thousands);
		strbuf_addch(out, digits[i]);
	}
	strbuf_addstr(out, digits + len);
}

static void put_value(const struct stat_row *row, struct strbuf *out)
{
	const struct stat_view *v = row->view;
	struct strbuf sb = STRBUF_INIT, number = STRBUF_INIT;

	if (!row->counted) {
		strbuf_addstr(&sb, row->unsupported ? "<not supported>" : "<not counted>");
	} else {
		strbuf_addf(&number, "%.*f", stat_row_digits(row), row->shown);
		stat_put_grouped(strbuf_str(&number), v->thousands ? v->thousands : "", &sb);
	}
	strbuf_addf(out, "%*s ", VALUE_WIDTH, strbuf_str(&sb));
	strbuf_release(&number);
	strbuf_release(&sb);
}

static void put_name(const struct stat_row *row, struct strbuf *out)
{
	size_t at;

	strbuf_addf(out, "%-*s ", (int)row->view->unit_width,
		    row->evsel->unit ? row->evsel->unit : "");
	at = out->len;
	strbuf_addname(out, row->evsel->name);
	strbuf_pad(out, at + (row->counted ? NAME_WIDTH : NO_NAME_WIDTH));
	if (row->evsel->cgroup) {
		strbuf_addch(out, ' ');
		strbuf_addname(out, row->evsel->cgroup);
	}
}

static const char *alarm_color(const struct stat_row *row, enum stat_alarm alarm)
{
	static const char *const colors[] = { [ALARM_NONE] = "",
					      [ALARM_LOW] = "\033[33m",
					      [ALARM_MEDIUM] = "\033[35m",
					      [ALARM_HIGH] = "\033[31m" };

	return row->view->color ? colors[alarm] : "";
}

static void put_metric(const struct stat_row *row, const struct stat_metric *m, struct strbuf *out)
{
	const char *color = alarm_color(row, m->alarm), *reset = *color ? COLOR_RESET : "";
	/* bytes that take no place on a screen */
	size_t at = out->len + strlen(color) + strlen(reset);

	strbuf_addstr(out, " # ");
	strbuf_addstr(out, color);
	stat_metric_text(m, out);
	strbuf_addstr(out, reset);
	strbuf_addf(out, " %s", m->unit);
	strbuf_pad(out, at + METRIC_WIDTH);
}

static void put_noise(const struct stat_row *row, struct strbuf *out)
{
	if (row->result->runs > 1 && row->result->ids->mode == AGGR_GLOBAL &&
	    row->value->spread != 0)
		strbuf_addf(out, "  ( +-%6.2f%% )", row->value->spread);
	if (row->value->running != row->value->enabled)
		strbuf_addf(out, "  (%.2f%%)", stat_row_running(row));
}

static void put_time(const struct stat_row *row, struct strbuf *out)
{
	if (row->view->interval)
		strbuf_addf(out, "%6" PRIu64 ".%09" PRIu64 " ", row->time / 1000000000,
			    row->time % 1000000000);
}

/* Append the blanks under what is the same as in the line above, up to near the first metric. */
static void more_line(const struct stat_row *row, struct strbuf *out)
{
	strbuf_addch(out, '\n');
	put_time(row, out);
	put_id(row, out);
	strbuf_pad(out, out->len + (row->result->ids->mode == AGGR_NONE ? MORE_INDENT + 8
									: MORE_INDENT));
}

static void text_row(const struct stat_row *row, struct strbuf *out)
{
	put_time(row, out);
	put_id(row, out);
	put_value(row, out);
	put_name(row, out);
	if (!row->nr_metrics)
		strbuf_pad(out, out->len + METRIC_WIDTH);
	for (size_t i = 0; i < row->nr_metrics; i++) {
		if (i) {
			more_line(row, out);
		}
		put_metric(row, &row->metrics[i], out);
		if (!i && row->counted)
			put_noise(row, out);
	}
	if (!row->nr_metrics)
		put_noise(row, out);
	strbuf_addch(out, '\n');
}

static void text_heading(const struct stat_view *v, const struct stat_result *r, struct strbuf *out)
{
	static const char *const of[AGGR_NR] = {
		[AGGR_GLOBAL] = "            counts",
		[AGGR_NONE] = "CPU                    counts",
		[AGGR_CORE] = "core            cpus             counts",
		[AGGR_CACHE] = "cache               cpus             counts",
		[AGGR_CLUSTER] = "cluster             cpus             counts",
		[AGGR_DIE] = "die          cpus             counts",
		[AGGR_SOCKET] = "socket cpus             counts",
		[AGGR_NODE] = "node   cpus             counts",
		[AGGR_THREAD] = "            comm-pid                  counts",
	};

	strbuf_addf(out, "#           time %s %*s events\n", of[r->ids->mode], (int)v->unit_width,
		    "unit");
}

/* --- metrics only --- */

static int column_width(const struct stat_column *c)
{
	size_t len = strlen(c->name);

	return (int)(len < COLUMN_WIDTH ? COLUMN_WIDTH : len + 1);
}

static void text_only_heading(const struct stat_view *v, const struct stat_result *r,
			      struct strbuf *out)
{
	static const char *const of[AGGR_NR] = {
		[AGGR_GLOBAL] = "",
		[AGGR_NONE] = "CPU",
		[AGGR_CORE] = "core            cpus",
		[AGGR_CACHE] = "cache               cpus",
		[AGGR_CLUSTER] = "cluster             cpus",
		[AGGR_DIE] = "die          cpus",
		[AGGR_SOCKET] = "socket cpus",
		[AGGR_NODE] = "node   cpus",
		[AGGR_THREAD] = "",
	};
	static const u8 width[AGGR_NR] = {
		[AGGR_NONE] = 11, [AGGR_CORE] = 21,   [AGGR_CACHE] = 25, [AGGR_CLUSTER] = 25,
		[AGGR_DIE] = 18,  [AGGR_SOCKET] = 12, [AGGR_NODE] = 12,
	};
	enum aggr_mode mode = r->ids->mode;
	size_t at;

	if (v->interval)
		strbuf_addstr(out, "#           time ");
	at = out->len;
	strbuf_addstr(out, v->interval ? of[mode] : "");
	strbuf_pad(out, at + width[mode]);
	for (size_t i = 0; i < v->nr_columns; i++)
		strbuf_addf(out, "%*s ", column_width(&v->columns[i]), v->columns[i].name);
	strbuf_addch(out, '\n');
}

static void text_only_row(const struct stat_row *row, struct strbuf *out)
{
	struct strbuf sb = STRBUF_INIT;

	put_time(row, out);
	put_id(row, out);
	for (size_t i = 0; i < row->nr_metrics; i++) {
		const char *color = alarm_color(row, row->metrics[i].alarm);

		strbuf_reset(&sb);
		stat_metric_text(&row->metrics[i], &sb);
		strbuf_addf(out, "%s%*s%s ", color, column_width(&row->view->columns[i]),
			    strbuf_str(&sb), *color ? COLOR_RESET : "");
	}
	strbuf_addch(out, '\n');
	strbuf_release(&sb);
}

const struct stat_ops stat_text_ops = { .heading = text_heading,
					.row = text_row,
					.only_heading = text_only_heading,
					.only_row = text_only_row };
