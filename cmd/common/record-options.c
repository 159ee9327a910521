// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of the options of perf record. */
#include "base/compat.h"
#include "cmd/common/record-options.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "cmd/common/message.h"
#include "cmd/common/record-front.h"
#include "cmd/common/settings.h"
#include "events/branch.h"
#include "file/compress.h"
#include "kernel/ring.h"

#include <errno.h>
#include <stdarg.h>
#include <time.h>

#define AIO_MAX 4

/* Say what is wrong with a value. Return: -1 */
static int refuse(const char *fmt, ...) __printf(1, 2);

static int refuse(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return -1;
}

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

/* dwarf[,size]: store registers and the top of the stack with each sample */
static int callgraph_dwarf(struct sample_opts *s, const char *size)
{
	unsigned long bytes = 8192;

	if (!arch_host()->sample_regs)
		return refuse("callchain: dwarf is not there on this architecture");
	if (!take_size(size, 65528, &bytes))
		return refuse("callchain: Incorrect stack dump size (max 65528): %s", size + 1);
	s->callgraph = CALLGRAPH_DWARF;
	s->stack_size = (u32)ALIGN_UP(bytes, sizeof(u64));
	return 0;
}

/* fp[,addresses] */
static int callgraph_fp(struct sample_opts *s, const char *addresses)
{
	unsigned long max = 0;

	if (!take_size(addresses, UINT16_MAX, &max))
		return refuse("callchain: Incorrect number of addresses in a chain: %s",
			      addresses + 1);
	s->callgraph = CALLGRAPH_FP;
	s->max_stack = (u16)max;
	return 0;
}

/* The name of @mode at the start of @arg, up to its end or a comma. */
static bool is_mode(const char *arg, const char *mode)
{
	size_t len = strlen(mode);

	return !strncmp(arg, mode, len) && (!arg[len] || arg[len] == ',');
}

static int callgraph_mode(struct sample_opts *s, const char *arg)
{
	if (is_mode(arg, "fp"))
		return callgraph_fp(s, arg + 2);
	if (is_mode(arg, "dwarf"))
		return callgraph_dwarf(s, arg + 5);
	if (!strcmp(arg, "lbr")) {
		s->callgraph = CALLGRAPH_LBR;
		return 0;
	}
	if (is_mode(arg, "lbr"))
		return refuse("callchain: No more arguments needed for --call-graph lbr");
	return refuse("callchain: Unknown --call-graph option value: %s", arg);
}

int record_opt_callgraph(const struct option *opt, const char *arg, int unset)
{
	struct sample_opts *s = opt->value;

	if (unset || !strcmp(arg, "no")) {
		s->callgraph = CALLGRAPH_NONE;
		return 0;
	}
	if (callgraph_mode(s, arg))
		return -1;
	/* what a stack points to is of use too */
	if (s->callgraph == CALLGRAPH_DWARF)
		s->addr = true;
	return 0;
}

int record_opt_g(const struct option *opt, const char *arg __unused, int unset)
{
	struct sample_opts *s = opt->value;
	const char *mode = NULL, *size = NULL;

	if (unset) {
		s->callgraph = CALLGRAPH_NONE;
		return 0;
	}
	if (s->callgraph != CALLGRAPH_NONE) /* --call-graph has said how */
		return 0;
	config_default_str("call-graph.record-mode", &mode);
	config_default_str("record.call-graph", &mode);
	config_default_str("call-graph.dump-size", &size);
	if (callgraph_mode(s, mode ? mode : "fp"))
		return -1;
	if (size && s->callgraph == CALLGRAPH_DWARF && (!mode || !strchr(mode, ','))) {
		char *text = xasprintf("dwarf,%s", size);
		int rc = callgraph_mode(s, text);

		free(text);
		return rc;
	}
	return 0;
}

int record_opt_clockid(const struct option *opt, const char *arg, int unset)
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
	struct sample_opts *s = opt->value;
	const char *name = arg;

	s->clockid_set = false;
	if (unset)
		return 0;
	if (!strncasecmp(name, "CLOCK_", 6))
		name += 6;
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!strcasecmp(name, clocks[i].name)) {
			s->clockid = clocks[i].id;
			s->clockid_set = true;
			return 0;
		}
	}
	return refuse("Warning:\nunknown clockid %s, check man page", arg);
}

static void list_regs(void)
{
	const struct arch *host = arch_host();

	fprintf(stderr, "available registers: ");
	for (unsigned int i = 0; i < ARCH_REGS_MAX; i++)
		if (host->sample_regs >> i & 1)
			fprintf(stderr, "%s ", arch_reg_name(host, i));
	fprintf(stderr, "\n");
}

/* The bit of the register called @name (@len bytes); 0 when it is none. */
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

int record_opt_regs(const struct option *opt, const char *arg, int unset)
{
	u64 *mask = opt->value;

	*mask = 0;
	if (unset)
		return 0;
	if (!arch_host()->sample_regs)
		return refuse("registers cannot be sampled on this architecture");
	if (!arg) {
		*mask = arch_host()->sample_regs;
		return 0;
	}
	if (!strcmp(arg, "?")) {
		list_regs();
		return -1;
	}
	for (const char *p = arg;; p++) {
		size_t len = strcspn(p, ",");
		u64 bit = reg_bit(p, len);

		if (!bit)
			return refuse(
				"Warning:\nUnknown register \"%.*s\", check man page or run \"perf record %s?\"",
				(int)len, p, opt->short_name ? "-I" : "--user-regs=");
		*mask |= bit;
		p += len;
		if (!*p)
			return 0;
	}
}

int record_opt_branch_any(const struct option *opt, const char *arg __unused, int unset)
{
	u64 *mask = opt->value;

	*mask = unset ? 0 : PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

int record_opt_branches(const struct option *opt, const char *arg, int unset)
{
	u64 *mask = opt->value;
	const char *bad;
	size_t len;

	*mask = 0;
	if (!unset && branch_mask_parse(arg, mask, &bad, &len))
		return refuse("unknown branch filter %.*s, check man page", (int)len, bad);
	return 0;
}

/* --- how often ------------------------------------------------------------------ */

u64 record_max_rate(const struct sysroot *sr)
{
	u64 max = 0;

	return sysroot_read_u64(sr, &max, "/proc/sys/kernel/perf_event_max_sample_rate") ? 0 : max;
}

int record_opt_freq(const struct option *opt, const char *arg, int unset)
{
	struct record_front *f = opt->value;
	struct sample_opts *s = &f->o.sample;
	char *end;

	if (unset)
		return -1;
	if (!strcasecmp(arg, "max")) {
		s->freq = record_max_rate(&f->sysroot);
		if (!s->freq)
			return refuse("couldn't read /proc/sys/kernel/perf_event_max_sample_rate");
		fprintf(stderr, "info: Using a maximum frequency rate of %" PRIu64 " Hz\n",
			s->freq);
	} else {
		errno = 0;
		s->freq = strtoull(arg, &end, 10);
		if (errno || end == arg || *end || *arg == '-') {
			fprintf(stderr, "invalid frequency '%s': give a number of Hz, or max\n",
				arg);
			s->freq = 0; /* refused as such, with the status of perf 6.1 */
		}
	}
	s->freq_set = true;
	return 0;
}

int record_opt_delay(const struct option *opt, const char *arg, int unset)
{
	struct record_opts *o = opt->value;
	char *end;
	long ms;

	o->delay_ms = 0;
	o->spans.nr = 0;
	if (unset)
		return 0;
	errno = 0;
	ms = strtol(arg, &end, 10);
	if (!errno && end != arg && !*end && ms >= -1 && ms <= INT32_MAX) {
		o->delay_ms = (int)ms;
		return 0;
	}
	/* nothing counts before the first of the ranges */
	o->delay_ms = -1;
	if (!time_spans_parse(&o->spans, arg))
		return 0;
	return refuse("invalid delay '%s': give milliseconds, -1, or ranges such as 10-20,30-40",
		      arg);
}

/* --- rings and the output ---------------------------------------------------------- */

int record_opt_pages(const struct option *opt, const char *arg, int unset)
{
	struct record_front *f = opt->value;
	const char *comma = unset ? NULL : strchr(arg, ',');
	char *data = unset ? NULL : xstrndup(arg, strcspn(arg, ","));
	bool aux_rounded, bad = comma && !ring_pages_parse(comma + 1, &aux_rounded);

	f->o.ring.pages = 0;
	f->pages_rounded = false;
	f->aux_pages = comma;
	if (!unset && (*data || !comma)) {
		f->o.ring.pages = ring_pages_parse(data, &f->pages_rounded);
		bad |= !f->o.ring.pages;
	}
	free(data);
	if (bad)
		fprintf(stderr, "Invalid argument for --mmap_pages/-m: '%s'\n", arg);
	return bad ? -1 : 0;
}

int record_opt_mmap_flush(const struct option *opt, const char *arg, int unset)
{
	struct ring_opts *o = opt->value;

	o->flush = 0;
	if (unset || (bytes_parse(arg, &o->flush) && o->flush))
		return 0;
	return refuse("invalid --mmap-flush '%s': give a number of bytes, or one with K, M or G",
		      arg);
}

int record_opt_aio(const struct option *opt, const char *arg, int unset)
{
	struct ring_opts *o = opt->value;
	char *end = NULL;
	unsigned long n = arg ? strtoul(arg, &end, 10) : 1;

	o->aio = 0;
	if (unset)
		return 0;
	if (arg && (end == arg || *end))
		return refuse("invalid --aio '%s': give a number from 1 to %d", arg, AIO_MAX);
	o->aio = (unsigned int)MIN(MAX(n, 1UL), (unsigned long)AIO_MAX);
	return 0;
}

void record_default_aio(struct ring_opts *o, const char *value)
{
	o->aio = (unsigned int)MIN(MAX(strtoul(value, NULL, 10), 1UL), (unsigned long)AIO_MAX);
}

int record_opt_affinity(const struct option *opt, const char *arg, int unset)
{
	struct ring_opts *o = opt->value;

	o->affinity = AFFINITY_SYS;
	if (unset || !affinity_parse(arg, &o->affinity))
		return 0;
	return refuse("unknown --affinity '%s': give node or cpu", arg);
}

int record_opt_max_size(const struct option *opt, const char *arg, int unset)
{
	u64 *bytes = opt->value;

	*bytes = 0;
	if (unset || size_parse(arg, bytes))
		return 0;
	return refuse("invalid size '%s': give a number and B, K, M or G", arg);
}

int record_opt_compress(const struct option *opt, const char *arg, int unset)
{
	int *level = opt->value;
	struct compressor *c;
	struct err err = { 0 };
	char *end;
	long n;

	*level = 0;
	if (unset)
		return 0;
	n = arg ? strtol(arg, &end, 10) : 1;
	if (arg && (end == arg || *end || n < 0))
		return refuse("invalid compression level '%s': give a number from 1 to %d", arg,
			      COMPRESS_LEVEL_MAX);
	n = MIN(MAX(n, 1L), (long)COMPRESS_LEVEL_MAX);
	if (compressor_new(&c, (int)n, &err)) {
		error_err(&err);
		return -1;
	}
	compressor_free(c);
	*level = (int)n;
	return 0;
}

int record_opt_synth(const struct option *opt, const char *arg, int unset)
{
	unsigned int *synth = opt->value;

	*synth = 0;
	if (unset || !synth_parse(arg, synth))
		return 0;
	return refuse("Invalid synth option: %s", arg);
}

int record_opt_setup_filter(const struct option *opt, const char *arg, int unset)
{
	const char **action = opt->value;

	if (unset || (strcmp(arg, "pin") && strcmp(arg, "unpin") && strcmp(arg, "list")))
		return refuse("Unknown --setup-filter action: '%s': give pin, unpin or list",
			      arg ? arg : "");
	*action = arg;
	return 0;
}
