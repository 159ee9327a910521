// SPDX-License-Identifier: GPL-2.0-or-later
/* Write the head of the JSON (where and how it was recorded), and what holds its arrays
 * together. */
#include "base/compat.h"
#include "convert/json.h"

#include "codec/json.h"

#include <time.h>

static void put_key(struct strbuf *out, const char *key)
{
	strbuf_addf(out, ",\n\t\t\"%s\": ", key);
}

static void put_number(struct strbuf *out, const char *key, u64 v)
{
	put_key(out, key);
	strbuf_dec(out, v, 0);
}

static void put_text(struct strbuf *out, const char *key, const char *s)
{
	if (!s)
		return;
	put_key(out, key);
	json_string(out, s);
}

static void put_captured(struct strbuf *out, s64 captured)
{
	time_t t = (time_t)captured;
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&t, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	put_text(out, "captured-on", text);
}

static void put_cmdline(struct strbuf *out, const struct env *env)
{
	if (!env->nr_cmdline)
		return;
	put_key(out, "cmdline");
	for (u32 i = 0; i < env->nr_cmdline; i++) {
		strbuf_addstr(out, i ? ",\n\t\t\t" : "[\n\t\t\t");
		json_string(out, env->cmdline[i]);
	}
	strbuf_addstr(out, "\n\t\t]");
}

void json_head(const struct perf_file *f, s64 captured, struct strbuf *out)
{
	const struct env *env = &f->env;

	strbuf_addstr(out, "{\n\t\"linux-perf-json-version\": 1,\n\t\"headers\": {\n");
	strbuf_addf(out, "\t\t\"header-version\": %d", f->pipe ? 1 : f->version - 1);
	put_captured(out, captured);
	put_number(out, "data-offset", f->pipe ? 0 : f->data.offset);
	put_number(out, "data-size", f->pipe ? 0 : f->data.size);
	put_number(out, "feat-offset", f->pipe ? 0 : f->data.offset + f->data.size);
	put_text(out, "hostname", env->hostname);
	put_text(out, "os-release", env->os_release);
	put_text(out, "arch", env->arch);
	put_text(out, "cpu-desc", env->cpu_desc);
	put_text(out, "cpuid", env->cpuid);
	if (env->nr_cpus_avail) {
		put_number(out, "nrcpus-online", env->nr_cpus_online);
		put_number(out, "nrcpus-avail", env->nr_cpus_avail);
	}
	if (env->clock_wall) {
		put_number(out, "clockid", env->clock);
		put_number(out, "clock-time", env->clock_time);
		put_number(out, "real-time", env->clock_wall);
	}
	put_text(out, "perf-version", env->version);
	put_cmdline(out, env);
	strbuf_addstr(out, "\n\t},\n\t\"samples\": [");
}

void json_middle(struct strbuf *out)
{
	strbuf_addstr(out, "\n\t],\n\t\"events\": [");
}

void json_tail(struct strbuf *out)
{
	strbuf_addstr(out, "\n\t]\n}\n");
}
