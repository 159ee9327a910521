// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "recordopts/values.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "base/suggest.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "events/branch.h"
#include "file/compress.h"
#include "kernel/ring.h"

#include <ctype.h>
#include <errno.h>
#include <time.h>

#define AIO_MAX 4

/* Stands for all registers; this very string, so that no text of a user is it. */
static const char all_regs[] = "";

/* --- call chains ---------------------------------------------------------------------- */

/* A number behind the comma, if there is one. Return: false when it is none, or above @max. */
static bool take_size(const char *arg, unsigned long max, unsigned long *out)
{
	char *end;

	if (!*arg)
		return true;
	errno = 0;
	*out = strtoul(arg + 1, &end, 0);
	return !errno && end != arg + 1 && !*end && arg[1] != '-' && *out && *out <= max;
}

/* Take a word, with the comma before it, out of the parts behind a mode. Return: the others, which
 * the caller frees. */
static char *take_word(const char *parts, const char *word, bool *found)
{
	const char *at = strstr(parts, word), *end = at ? at + strlen(word) : NULL;

	*found = at && (!*end || *end == ',');
	return *found ? xasprintf("%.*s%s", (int)(at - parts), parts, end) : xstrdup(parts);
}

/* Read dwarf[,unwind][,size]: store registers and the top of the stack with each sample. @size: in
 * bytes, unless @parts say so */
static int callgraph_dwarf(struct sample_opts *s, const char *parts, unsigned long size,
			   struct err *err)
{
	const struct arch *host = arch_host();
	bool unwind;
	char *rest;
	int rc = 0;

	if (!host->sample_regs)
		return err_set(err, -EINVAL, "callchain: dwarf is not there on this architecture");
	rest = take_word(parts, ",unwind", &unwind);
	if (!take_size(rest, 65528, &size))
		rc = err_set(err, -EINVAL, "callchain: Incorrect stack dump size (max 65528): %s",
			     rest + 1);
	else if (unwind && !host->frames)
		rc = err_set(err, -EINVAL,
			     "callchain: stacks of this architecture cannot be unwound: record "
			     "with --call-graph dwarf");
	free(rest);
	if (rc)
		return rc;
	s->callgraph = CALLGRAPH_DWARF;
	s->unwind = unwind;
	s->stack_size = (u32)ALIGN_UP(size, sizeof(u64));
	return 0;
}

/* Read fp[,defer][,addresses]. */
static int callgraph_fp(struct sample_opts *s, const char *parts, struct err *err)
{
	unsigned long max = 0;
	bool defer;
	char *rest = take_word(parts, ",defer", &defer);
	int rc = 0;

	if (!take_size(rest, UINT16_MAX, &max))
		rc = err_set(err, -EINVAL,
			     "callchain: Incorrect number of addresses in a chain: %s", rest + 1);
	free(rest);
	if (rc)
		return rc;
	s->callgraph = CALLGRAPH_FP;
	s->defer = defer;
	s->max_stack = (u16)max;
	return 0;
}

/* Read auto[,size]. */
static int callgraph_auto(struct sample_opts *s, const char *size, unsigned long bytes,
			  struct err *err)
{
	if (!take_size(size, 65528, &bytes))
		return err_set(err, -EINVAL, "callchain: Incorrect stack dump size (max 65528): %s",
			       size + 1);
	s->callgraph = CALLGRAPH_AUTO;
	s->stack_size = (u32)ALIGN_UP(bytes, sizeof(u64));
	return 0;
}

/* The name of @mode at the start of @arg, up to its end or a comma. */
static bool is_mode(const char *arg, const char *mode)
{
	size_t len = strlen(mode);

	return !strncmp(arg, mode, len) && (!arg[len] || arg[len] == ',');
}

static const char callgraph_modes[] = "fp fp,defer dwarf dwarf,unwind lbr auto";

#define STACK_SIZE 8192 /* bytes, when nobody says how many */

/* @stack_size: of dwarf, when @arg has none */
static int callgraph_mode(struct sample_opts *s, const char *arg, unsigned long stack_size,
			  struct err *err)
{
	s->unwind = s->defer = false;
	if (is_mode(arg, "fp"))
		return callgraph_fp(s, arg + 2, err);
	if (is_mode(arg, "dwarf"))
		return callgraph_dwarf(s, arg + 5, stack_size, err);
	if (is_mode(arg, "auto"))
		return callgraph_auto(s, arg + 4, stack_size, err);
	if (!strcmp(arg, "lbr")) {
		s->callgraph = CALLGRAPH_LBR;
		return 0;
	}
	if (is_mode(arg, "lbr"))
		return err_set(err, -EINVAL,
			       "callchain: No more arguments needed for --call-graph lbr");
	err_set(err, -EINVAL, "callchain: Unknown --call-graph option value: %s", arg);
	err_suggest(err, arg, strcspn(arg, ","), callgraph_modes);
	return -EINVAL;
}

void record_callgraph_modes(struct strbuf *out)
{
	strbuf_addstr(out, callgraph_modes);
}

/* Does a text begin with a word of its own, as its parts are separated by commas? */
static bool begins_with(const char *text, const char *word, size_t len)
{
	return !strncmp(text, word, len) && (!text[len] || text[len] == ',');
}

size_t record_callgraph_part(const char *text)
{
	size_t part = 0, len;

	for (const char *m = callgraph_modes; *m; m += len + (m[len] == ' ')) {
		len = strcspn(m, " ");
		if (len > part && begins_with(text, m, len))
			part = len;
	}
	if (begins_with(text, "dwarf", 5) && text[part] == ',' &&
	    isdigit((unsigned char)text[part + 1]))
		part += 1 + strcspn(text + part + 1, ",");
	return part;
}

static int set_callgraph(const struct record_values *v, const char *text, struct err *err)
{
	struct sample_opts *s = &v->opts->sample;
	int rc;

	if (!text || !strcmp(text, "no")) {
		s->callgraph = CALLGRAPH_NONE;
		return 0;
	}
	rc = callgraph_mode(s, text, STACK_SIZE, err);
	/* what a stack points to is of use to those who read it */
	if (!rc && s->callgraph == CALLGRAPH_DWARF && !s->unwind)
		s->addr = true;
	return rc;
}

int record_callgraph_default(struct sample_opts *s, const char *mode, const char *size,
			     struct err *err)
{
	unsigned long bytes = STACK_SIZE;
	char *given = size ? xasprintf(",%s", size) : xstrdup("");
	bool ok = take_size(given, 65528, &bytes);

	free(given);
	if (!mode)
		mode = "fp";
	if (!ok && (is_mode(mode, "dwarf") || is_mode(mode, "auto")))
		return err_set(err, -EINVAL, "callchain: Incorrect stack dump size (max 65528): %s",
			       size);
	return callgraph_mode(s, mode, bytes, err);
}

/* --- what samples have ------------------------------------------------------------------ */

static int set_clockid(const struct record_values *v, const char *text, struct err *err)
{
	static const struct {
		const char *name;
		s32 id;
	} clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "mono", CLOCK_MONOTONIC },
		{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "mono_raw", CLOCK_MONOTONIC_RAW },
		{ "realtime", CLOCK_REALTIME },
		{ "real", CLOCK_REALTIME },
		{ "boottime", CLOCK_BOOTTIME },
		{ "boot", CLOCK_BOOTTIME },
		{ "tai", CLOCK_TAI },
	};
	struct sample_opts *s = &v->opts->sample;
	struct strbuf names = STRBUF_INIT;
	const char *name = text;
	unsigned long number;
	char *end;

	s->clockid_set = false;
	if (!text)
		return 0;
	number = strtoul(text, &end, 10);
	if (isdigit((unsigned char)*text) && !*end && number <= INT32_MAX &&
	    !clock_getres((clockid_t)number, NULL)) {
		s->clockid = (s32)number;
		s->clockid_set = true;
		return 0;
	}
	if (!strncasecmp(name, "CLOCK_", 6))
		name += 6;
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!strcasecmp(name, clocks[i].name)) {
			s->clockid = clocks[i].id;
			s->clockid_set = true;
			return 0;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		strbuf_addf(&names, "%s ", clocks[i].name);
	err_set(err, -EINVAL, "Warning:\nunknown clockid %s, check man page", text);
	err_suggest(err, name, strlen(name), strbuf_str(&names));
	strbuf_release(&names);
	return -EINVAL;
}

/* "?" asks which registers there are: the answer stands where a refusal would. */
static int refuse_with_regs(struct err *err)
{
	const struct arch *host = arch_host();
	struct strbuf names = STRBUF_INIT;

	for (unsigned int i = 0; i < ARCH_REGS_MAX; i++)
		if (host->sample_regs >> i & 1)
			strbuf_addf(&names, "%s ", arch_reg_name(host, i));
	err_set(err, -EINVAL, "available registers: %s", strbuf_str(&names));
	strbuf_release(&names);
	return -EINVAL;
}

/* Return the bit of the register called @name (@len bytes); 0 when it is none. */
static u64 reg_bit(const char *name, size_t len)
{
	const struct arch *host = arch_host();

	for (unsigned int i = 0; i < ARCH_REGS_MAX; i++) {
		const char *n = host->sample_regs >> i & 1 ? arch_reg_name(host, i) : "";

		if (len && strlen(n) == len && !strncasecmp(n, name, len))
			return 1ULL << i;
	}
	return 0;
}

/* Read names of registers. @option: how the option is typed, for the message */
static int take_regs(u64 *mask, const char *text, const char *option, struct err *err)
{
	*mask = 0;
	if (!text)
		return 0;
	if (!arch_host()->sample_regs)
		return err_set(err, -EINVAL, "registers cannot be sampled on this architecture");
	if (text == all_regs) {
		*mask = arch_host()->sample_regs;
		return 0;
	}
	if (!strcmp(text, "?"))
		return refuse_with_regs(err);
	for (const char *p = text;; p++) {
		size_t len = strcspn(p, ",");
		u64 bit = reg_bit(p, len);

		if (!bit)
			return err_set(err, -EINVAL,
				       "Warning:\nUnknown register \"%.*s\", check man page or run "
				       "\"perf record %s?\"",
				       (int)len, p, option);
		*mask |= bit;
		p += len;
		if (!*p)
			return 0;
	}
}

static int set_intr_regs(const struct record_values *v, const char *text, struct err *err)
{
	return take_regs(&v->opts->sample.intr_regs, text, "-I", err);
}

static int set_user_regs(const struct record_values *v, const char *text, struct err *err)
{
	return take_regs(&v->opts->sample.user_regs, text, "--user-regs=", err);
}

static int set_branches(const struct record_values *v, const char *text, struct err *err)
{
	u64 *mask = &v->opts->sample.branches;
	struct strbuf names = STRBUF_INIT;
	const char *bad;
	size_t len;

	*mask = 0;
	if (!text || !branch_mask_parse(text, mask, &bad, &len))
		return 0;
	err_set(err, -EINVAL, "unknown branch filter %.*s, check man page", (int)len, bad);
	branch_mask_names(&names);
	err_suggest(err, bad, len, strbuf_str(&names));
	strbuf_release(&names);
	return -EINVAL;
}

/* --- how often, and when ----------------------------------------------------------------- */

u64 record_max_rate(const struct sysroot *sr)
{
	u64 max = 0;

	return sysroot_read_u64(sr, &max, "/proc/sys/kernel/perf_event_max_sample_rate") ? 0 : max;
}

static int set_freq(const struct record_values *v, const char *text, struct err *err)
{
	struct sample_opts *s = &v->opts->sample;
	char *end;

	if (!text)
		return -EINVAL;
	if (!strcasecmp(text, "max")) {
		s->freq = record_max_rate(v->sysroot);
		if (!s->freq)
			return err_set(err, -EINVAL,
				       "couldn't read /proc/sys/kernel/perf_event_max_sample_rate");
		notice(v->notes, "info: Using a maximum frequency rate of %" PRIu64 " Hz\n",
		       s->freq);
	} else {
		errno = 0;
		s->freq = strtoull(text, &end, 10);
		if (errno || end == text || *end || *text == '-') {
			notice(v->notes, "invalid frequency '%s': give a number of Hz, or max\n",
			       text);
			s->freq = 0; /* refused as such, with the status of perf 6.1 */
		}
	}
	s->freq_set = true;
	return 0;
}

static int set_delay(const struct record_values *v, const char *text, struct err *err)
{
	struct record_opts *o = v->opts;
	char *end;
	long ms;

	o->delay_ms = 0;
	o->spans.nr = 0;
	if (!text)
		return 0;
	errno = 0;
	ms = strtol(text, &end, 10);
	if (!errno && end != text && !*end && ms >= -1 && ms <= INT32_MAX) {
		o->delay_ms = (int)ms;
		return 0;
	}
	/* nothing counts before the first of the ranges */
	o->delay_ms = -1;
	if (!delay_spans_parse(&o->spans, text))
		return 0;
	return err_set(err, -EINVAL,
		       "invalid delay '%s': give milliseconds, -1, or ranges such as 10-20,30-40",
		       text);
}

/* --- rings ------------------------------------------------------------------------------ */

static int set_pages(const struct record_values *v, const char *text, struct err *err)
{
	struct record_given *given = v->given;
	const char *comma = text ? strchr(text, ',') : NULL;
	char *data = text ? xstrndup(text, strcspn(text, ",")) : NULL;
	bool aux_rounded, bad = comma && !ring_pages_parse(comma + 1, &aux_rounded);

	v->opts->ring.pages = 0;
	given->pages_rounded = false;
	given->aux_pages = comma;
	if (text && (*data || !comma)) {
		v->opts->ring.pages = ring_pages_parse(data, &given->pages_rounded);
		bad |= !v->opts->ring.pages;
	}
	free(data);
	if (!bad)
		return 0;
	return err_set(err, -EINVAL, "Invalid argument for --mmap_pages/-m: '%s'", text);
}

static int set_mmap_flush(const struct record_values *v, const char *text, struct err *err)
{
	u64 *flush = &v->opts->ring.flush;

	*flush = 0;
	if (!text || (bytes_parse(text, flush) && *flush))
		return 0;
	return err_set(err, -EINVAL,
		       "invalid --mmap-flush '%s': give a number of bytes, or one with K, M or G",
		       text);
}

void record_aio_default(struct ring_opts *o, const char *text)
{
	o->aio = (unsigned int)MIN(MAX(strtoul(text, NULL, 10), 1UL), (unsigned long)AIO_MAX);
}

static int set_aio(const struct record_values *v, const char *text, struct err *err)
{
	char *end;

	v->opts->ring.aio = 0;
	if (!text)
		return 0;
	(void)strtoul(text, &end, 10);
	if (end == text || *end)
		return err_set(err, -EINVAL, "invalid --aio '%s': give a number from 1 to %d", text,
			       AIO_MAX);
	record_aio_default(&v->opts->ring, text);
	return 0;
}

static int set_affinity(const struct record_values *v, const char *text, struct err *err)
{
	enum ring_affinity *affinity = &v->opts->ring.affinity;

	*affinity = AFFINITY_SYS;
	if (!text || !affinity_parse(text, affinity))
		return 0;
	return err_set(err, -EINVAL, "unknown --affinity '%s': give node or cpu", text);
}

/* --- the output ------------------------------------------------------------------------- */

static int set_max_size(const struct record_values *v, const char *text, struct err *err)
{
	v->opts->max_size = 0;
	if (!text || size_parse(text, &v->opts->max_size))
		return 0;
	return err_set(err, -EINVAL, "invalid size '%s': give a number and B, K, M or G", text);
}

static int set_compression(const struct record_values *v, const char *text, struct err *err)
{
	struct compressor *c;
	char *end;
	long n;
	int rc;

	v->opts->comp_level = 0;
	if (!text)
		return 0;
	n = strtol(text, &end, 10);
	if (end == text || *end || n < 0)
		return err_set(err, -EINVAL,
			       "invalid compression level '%s': give a number from 1 to %d", text,
			       COMPRESS_LEVEL_MAX);
	n = MIN(MAX(n, 1L), (long)COMPRESS_LEVEL_MAX);
	rc = compressor_new(&c, (int)n, err);
	if (rc)
		return rc;
	compressor_free(c);
	v->opts->comp_level = (int)n;
	return 0;
}

static int set_synth(const struct record_values *v, const char *text, struct err *err)
{
	v->opts->synth = 0;
	if (!text || !synth_parse(text, &v->opts->synth))
		return 0;
	err_set(err, -EINVAL, "Invalid synth option: %s", text);
	err_suggest(err, text, strlen(text), "no all task mmap cgroup");
	return -EINVAL;
}

static int set_min_block(const struct record_values *v, const char *text, struct err *err)
{
	v->opts->min_block = 0;
	if (!text || duration_parse(text, &v->opts->min_block))
		return 0;
	return err_set(
		err, -EINVAL,
		"invalid --min-block '%s': give a number of milliseconds, or one with its unit (s, "
		"ms, us, ns)",
		text);
}

int record_buildid_default(struct record_opts *o, const char *text)
{
	if (!strcmp(text, "skip"))
		o->no_buildid = true;
	else if (!strcmp(text, "no-cache"))
		o->no_buildid_cache = true;
	else if (!strcmp(text, "mmap"))
		o->buildid_mmap = true;
	else if (strcmp(text, "cache"))
		return -EINVAL;
	return 0;
}

/* --- the options ------------------------------------------------------------------------ */

static const struct {
	const char *option;
	const char *alone; /* what the option means without an argument */
	/* @text: NULL: the value is to be as if the option were not given */
	int (*set)(const struct record_values *v, const char *text, struct err *err);
} values[] = {
	{ "affinity", NULL, set_affinity },
	{ "aio", "1", set_aio },
	{ "branch-any", "any", set_branches },
	{ "branch-filter", NULL, set_branches },
	{ "call-graph", NULL, set_callgraph },
	{ "clockid", NULL, set_clockid },
	{ "compression-level", "1", set_compression },
	{ "delay", NULL, set_delay },
	{ "freq", NULL, set_freq },
	{ "intr-regs", all_regs, set_intr_regs },
	{ "max-size", NULL, set_max_size },
	{ "min-block", NULL, set_min_block },
	{ "mmap-flush", NULL, set_mmap_flush },
	{ "mmap-pages", NULL, set_pages },
	{ "synth", NULL, set_synth },
	{ "user-regs", all_regs, set_user_regs },
};

int record_value_set(const struct record_values *v, const char *option, const char *text,
		     bool unset, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (!strcmp(values[i].option, option))
			return values[i].set(v, unset ? NULL : text ? text : values[i].alone, err);
	return err_set(err, -EINVAL, "--%s is no option of a recording", option);
}
