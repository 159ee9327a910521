// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "daemon/show.h"

#include "codec/json.h"

#define SECOND 1000000000ULL

static u64 seconds(const struct daemon_shown *d, u64 since)
{
	return d->now > since ? (d->now - since) / SECOND : 0;
}

/* Return for how many seconds its process is there; 0 without one. */
static u64 up_seconds(const struct daemon_shown *d, const struct daemon_session *s)
{
	return s->pid ? seconds(d, s->started) : 0;
}

static const char *state_of(const struct daemon_session *s)
{
	switch (s->state) {
	case SESSION_RUNS:
		return s->over ? "over budget" : s->counts ? "running" : "between windows";
	case SESSION_WAITS:
		return "waiting";
	case SESSION_ENDS:
		return "ending";
	default:
		return "done";
	}
}

/* ---- lists ---- */

static void put_paths(const char *dir, const char *const *names, size_t nr, struct strbuf *out)
{
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(out, "  %s:%*s %s/%s\n", names[i], 7 - (int)strlen(names[i]), "", dir,
			    names[i]);
}

static void put_session(const struct daemon_shown *d, const struct daemon_session *s, bool verbose,
			struct strbuf *out)
{
	static const char *const files[] = { "output", "control", "ack" };

	if (s->pid)
		strbuf_addf(out, "[%d:%s] perf record %s\n", s->pid, s->config.name, s->config.run);
	else
		strbuf_addf(out, "[-:%s] perf record %s (%s)\n", s->config.name, s->config.run,
			    state_of(s));
	if (!verbose)
		return;
	strbuf_addf(out, "  base:    %s\n", s->dir);
	put_paths(s->dir, files, ARRAY_SIZE(files), out);
	strbuf_addf(out, "  up:      %" PRIu64 " minutes\n", up_seconds(d, s) / 60);
}

void show_list(const struct daemon_shown *d, bool verbose, struct strbuf *out)
{
	static const char *const files[] = { "output", "lock" };

	strbuf_addf(out, "[%d:daemon] base: %s\n", d->pid, d->base);
	if (verbose) {
		put_paths(d->base, files, ARRAY_SIZE(files), out);
		strbuf_addf(out, "  up:      %" PRIu64 " minutes\n", seconds(d, d->started) / 60);
	}
	for (size_t i = 0; i < d->nr; i++)
		put_session(d, d->sessions[i], verbose, out);
}

void show_fields(const struct daemon_shown *d, const char *sep, struct strbuf *out)
{
	strbuf_addf(out, "%d%sdaemon%s%s%s%s/output%s%s/lock%s%" PRIu64 "\n", d->pid, sep, sep,
		    d->base, sep, d->base, sep, d->base, sep, seconds(d, d->started) / 60);
	for (size_t i = 0; i < d->nr; i++) {
		const struct daemon_session *s = d->sessions[i];

		strbuf_addf(out, "%d%s%s%s%s%s%s", s->pid, sep, s->config.name, sep, s->config.run,
			    sep, s->dir);
		strbuf_addf(out, "%s%s/output%s%s/control%s%s/ack%s%" PRIu64 "\n", sep, s->dir, sep,
			    s->dir, sep, s->dir, sep, up_seconds(d, s) / 60);
	}
}

/* ---- states ---- */

void show_table(const struct daemon_shown *d, struct strbuf *out)
{
	strbuf_addf(out, "%8s  %-20s %-16s %10s %6s %8s %5s\n", "PID", "SESSION", "STATE", "UP (s)",
		    "DUMPS", "RESTARTS", "CPU%");
	for (size_t i = 0; i < d->nr; i++) {
		const struct daemon_session *s = d->sessions[i];

		strbuf_addf(out, "%8d  %-20s %-16s %10" PRIu64 " %6" PRIu64 " %8u %5.1f\n", s->pid,
			    s->config.name, state_of(s), up_seconds(d, s), s->dumps, s->failures,
			    s->cpu_share / 10.0);
	}
}

static void put_json_session(const struct daemon_shown *d, const struct daemon_session *s,
			     struct strbuf *out)
{
	strbuf_addstr(out, "{\"name\":");
	json_string(out, s->config.name);
	json_text_member(out, "run", s->config.run);
	json_text_member(out, "state", state_of(s));
	json_text_member(out, "directory", s->dir);
	strbuf_addf(out, ",\"pid\":%d,\"up_s\":%" PRIu64 ",\"dumps\":%" PRIu64, s->pid,
		    up_seconds(d, s), s->dumps);
	strbuf_addf(out, ",\"failures\":%u,\"status\":%d,\"cpu_percent\":%.1f}", s->failures,
		    s->status, s->cpu_share / 10.0);
}

void show_json(const struct daemon_shown *d, struct strbuf *out)
{
	strbuf_addf(out, "{\"pid\":%d,\"base\":", d->pid);
	json_string(out, d->base);
	strbuf_addf(out, ",\"up_s\":%" PRIu64 ",\"sessions\":[", seconds(d, d->started));
	for (size_t i = 0; i < d->nr; i++) {
		if (i)
			strbuf_addch(out, ',');
		put_json_session(d, d->sessions[i], out);
	}
	strbuf_addstr(out, "]}\n");
}

/* ---- metrics ---- */

static double up(const struct daemon_session *s)
{
	return s->state == SESSION_RUNS;
}

static double dumps(const struct daemon_session *s)
{
	return (double)s->dumps;
}

static double failures(const struct daemon_session *s)
{
	return s->failures;
}

static double cpu(const struct daemon_session *s)
{
	return s->cpu_share / 1000.0;
}

void show_metrics(const struct daemon_shown *d, struct strbuf *out)
{
	static const struct {
		const char *name, *type, *help;
		double (*value)(const struct daemon_session *s);
	} metrics[] = {
		{ "perf_daemon_session_up", "gauge", "1 while the session records.", up },
		{ "perf_daemon_session_dumps_total", "counter", "Dumps that were asked for.",
		  dumps },
		{ "perf_daemon_session_failures", "gauge", "Failures in a row.", failures },
		{ "perf_daemon_session_cpu_share", "gauge", "CPUs that recording takes.", cpu },
	};

	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++) {
		strbuf_addf(out, "# HELP %s %s\n# TYPE %s %s\n", metrics[i].name, metrics[i].help,
			    metrics[i].name, metrics[i].type);
		for (size_t k = 0; k < d->nr; k++)
			strbuf_addf(out, "%s{session=\"%s\"} %g\n", metrics[i].name,
				    d->sessions[k]->config.name, metrics[i].value(d->sessions[k]));
	}
}
