// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of arguments: how values are printed, and what words of filters mean. */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#include <errno.h>

#define AT_FDCWD_VALUE (-100)
#define MREMAP_FIXED_VALUE 2
#define O_CREAT_VALUE 0100
#define O_TMPFILE_VALUE 020000000
#define NULL_STRING "NULL"

static void put_signed(struct strbuf *out, s64 v)
{
	if (v < 0)
		strbuf_addch(out, '-');
	strbuf_dec(out, v < 0 ? -(u64)v : (u64)v, 0);
}

static void put_hex(struct strbuf *out, u64 v)
{
	if (v)
		strbuf_addstr(out, "0x");
	strbuf_hex(out, v, 1, 0);
}

static void print_int(struct printing *p, const struct sysarg *arg, u64 value)
{
	put_signed(p->out, (s64)value);
}

static void print_uint(struct printing *p, const struct sysarg *arg, u64 value)
{
	strbuf_dec(p->out, value, 0);
}

static void print_hex(struct printing *p, const struct sysarg *arg, u64 value)
{
	put_hex(p->out, value);
}

void print_pointer(struct printing *p, const struct sysarg *arg, u64 value)
{
	if (!value)
		strbuf_addstr(p->out, NULL_STRING);
	else
		put_hex(p->out, value);
}

/* By the types of the kernel a clock is a number. */
static bool is_number(const struct printing *p, const struct names *n)
{
	return p->v->force_btf && !strcmp(n->table, "clock");
}

static void print_names(struct printing *p, const struct sysarg *arg, u64 value)
{
	if (is_number(p, arg->parm))
		put_signed(p->out, (s32)value);
	else
		names_print_again(p->out, p->sa, arg->parm, value, p->v->show_prefix);
}

static void print_fd(struct printing *p, const struct sysarg *arg, u64 value)
{
	const struct sysargs_ops *ops = p->v->ops;
	const char *path = NULL;

	put_signed(p->out, (s64)value);
	if ((s64)value >= 0 && ops && ops->fd_path)
		path = ops->fd_path(p->v->ctx, (int)value);
	if (!path)
		return;
	strbuf_addch(p->out, '<');
	strbuf_addname(p->out, path);
	strbuf_addch(p->out, '>');
}

static void print_dirfd(struct printing *p, const struct sysarg *arg, u64 value)
{
	if ((s64)value == AT_FDCWD_VALUE)
		strbuf_addstr(p->out, p->v->show_prefix ? "AT_FDCWD" : "CWD");
	else
		print_fd(p, arg, value);
}

static bool parse_dirfd(const struct sysarg *arg, const char *text, size_t len, u64 *value)
{
	*value = (u64)AT_FDCWD_VALUE;
	return (len == 3 && !memcmp(text, "CWD", 3)) || (len == 8 && !memcmp(text, "AT_FDCWD", 8));
}

static void print_pid(struct printing *p, const struct sysarg *arg, u64 value)
{
	const struct sysargs_ops *ops = p->v->ops;
	const char *name = NULL;

	put_signed(p->out, (s64)value);
	if ((s64)value > 0 && ops && ops->task_name)
		name = ops->task_name(p->v->ctx, (s32)value);
	if (!name)
		return;
	strbuf_addstr(p->out, " (");
	strbuf_addname(p->out, name);
	strbuf_addch(p->out, ')');
}

/* The result of calls that wait until something happens or time is over. */
static void print_poll(struct printing *p, const struct sysarg *arg, u64 value)
{
	put_signed(p->out, (s64)value);
	if (!value)
		strbuf_addstr(p->out, " (Timeout)");
}

/* Real-time signals have numbers, the first of which the C library keeps for itself. */
static void print_signal(struct printing *p, const struct sysarg *arg, u64 value)
{
	if (value >= 32 && value <= 64) {
		strbuf_addstr(p->out, p->v->show_prefix ? "SIGRTMIN" : "RTMIN");
		if (value != 32)
			strbuf_addf(p->out, "+%u", (u32)value - 32);
	} else {
		print_names(p, arg, value);
	}
}

static void print_dev(struct printing *p, const struct sysarg *arg, u64 value)
{
	u32 major = value >> 8 & 0xfff, minor = (value & 0xff) | (value >> 12 & 0xfff00);

	strbuf_addf(p->out, "%u:%u", major, minor);
}

static void print_ioprio(struct printing *p, const struct sysarg *arg, u64 value)
{
	static const char *const classes[] = { "NONE", "RT", "BE", "IDLE" };
	u64 class = value >> 13;

	if (class < ARRAY_SIZE(classes))
		strbuf_addf(p->out, "%s%s:%u", p->v->show_prefix ? "IOPRIO_CLASS_" : "",
			    classes[class], (u32)value & 0x1fff);
	else
		put_hex(p->out, value);
}

static void print_quotactl(struct printing *p, const struct sysarg *arg, u64 value)
{
	names_print(p->out, names_find("quota_cmd", 9), value >> 8, p->v->show_prefix);
	strbuf_addch(p->out, '|');
	names_print(p->out, names_find("quota_type", 10), value & 0xff, p->v->show_prefix);
}

static void print_limit(struct printing *p, const struct sysarg *arg, u64 value)
{
	u64 infinity = arg->width == 4 ? UINT32_MAX : UINT64_MAX;

	if (value == infinity)
		strbuf_addstr(p->out, p->v->show_prefix ? "RLIM_INFINITY" : "INFINITY");
	else
		strbuf_dec(p->out, value, 0);
}

static void print_futex_bits(struct printing *p, const struct sysarg *arg, u64 value)
{
	if (value == UINT32_MAX)
		strbuf_addstr(p->out, p->v->show_prefix ? "FUTEX_BITSET_MATCH_ANY" : "MATCH_ANY");
	else
		put_hex(p->out, value);
}

/* Events of a type that the kernel has names for have names. */
static void print_perf_config(struct printing *p, const struct sysarg *arg, u64 value)
{
	static const char *const tables[] = { "perf_hw", "perf_sw" };
	const u64 type = p->values[0];
	const struct names *n = type < ARRAY_SIZE(tables) ? names_find(tables[type], 7) : NULL;

	if (n && names_value(n, value))
		names_print(p->out, n, value, p->v->show_prefix);
	else
		put_hex(p->out, value);
}

/* Programs ask with all bits for the personality that they have. */
static void print_personality(struct printing *p, const struct sysarg *arg, u64 value)
{
	if (value == UINT32_MAX)
		put_hex(p->out, value);
	else
		print_names(p, arg, value);
}

static void print_ptracer(struct printing *p, const struct sysarg *arg, u64 value)
{
	if ((s64)value == -1)
		strbuf_addstr(p->out, p->v->show_prefix ? "PR_SET_PTRACER_ANY" : "ANY");
	else
		print_pid(p, arg, value);
}

static void print_handler(struct printing *p, const struct sysarg *arg, u64 value)
{
	static const char *const names[] = { "SIG_DFL", "SIG_IGN" };
	const struct sysargs_ops *ops = p->v->ops;

	if (value < ARRAY_SIZE(names))
		strbuf_addstr(p->out, names[value] + (p->v->show_prefix ? 0 : 4));
	else if (!ops || !ops->symbol || !ops->symbol(p->v->ctx, value, p->out))
		put_hex(p->out, value);
}

static void print_wait_status(struct printing *p, const struct sysarg *arg, u64 value)
{
	u32 sig = value & 0x7f, high = value >> 8 & 0xff;
	const struct names *signals = names_find("signal", 6);

	if (value == 0xffff) {
		strbuf_addstr(p->out, "continued");
	} else if (sig == 0x7f) {
		strbuf_addstr(p->out, "stopped ");
		names_print(p->out, signals, high, p->v->show_prefix);
	} else if (sig) {
		strbuf_addstr(p->out, "killed ");
		names_print(p->out, signals, sig, p->v->show_prefix);
	} else {
		strbuf_addf(p->out, "exited %u", high);
	}
}

static void print_errno(struct printing *p, const struct sysarg *arg, u64 value)
{
	names_print(p->out, names_find("errno", 5), value, true);
}

void print_mode(struct printing *p, const struct sysarg *arg, u64 value)
{
	names_print(p->out, names_find("mode", 4), value, p->v->show_prefix);
}

static bool never(const struct printing *p, u64 value)
{
	return true;
}

static bool is_zero(const struct printing *p, u64 value)
{
	return !value && !p->v->show_zeros;
}

/* Names that nobody has set say nothing. */
static bool is_empty(const struct printing *p, u64 value)
{
	struct printing here = *p;
	u8 first = 0;

	return !p->v->show_zeros && (!print_memory(&here, value, &first, 1) || !first);
}

static bool minus_one(const struct printing *p, u64 value)
{
	return (s64)value == -1;
}

/* Files that are made have a mode; the register holds anything if none is made. */
static bool makes_no_file(const struct printing *p, u64 value)
{
	const struct syscall_desc *d = p->call->desc;

	/* The mode stands behind the flags. */
	for (u32 i = 1; i < d->nr_args; i++)
		if (d->args[i].kind->absent == makes_no_file)
			return !(p->values[i - 1] & (O_CREAT_VALUE | O_TMPFILE_VALUE));
	return false;
}

static bool moves_anywhere(const struct printing *p, u64 value)
{
	return !(p->call->args[3] & MREMAP_FIXED_VALUE);
}

const struct sysarg_kind kind_names = { "", print_names, .width = 4 };
const struct sysarg_kind kind_struct = { "", print_struct_at };
const struct sysarg_kind kind_pointer = { "", print_pointed };
const struct sysarg_kind kind_kernel_struct = { "", print_kernel_struct };

/* Sorted by name. */
static const struct sysarg_kind kinds[] = {
	{ "bare_fd", print_int, .width = 4, .is_signed = true },
	{ "buffer", print_buffer, .fetch = SYSARG_FETCH_SIZED, .size = 1 },
	{ "bytes", print_bytes, .fetch = SYSARG_FETCH_SIZED, .size = 1 },
	{ "cap_sets", print_cap_sets, .fetch = SYSARG_FETCH_BYTES, .size = 24 },
	{ "cpus", print_cpus, .fetch = SYSARG_FETCH_SIZED, .size = 1 },
	{ "dev", print_dev, .width = 4 },
	{ "dirfd", print_dirfd, parse_dirfd, .width = 4, .is_signed = true },
	{ "fd", print_fd, .width = 4, .is_signed = true, .made_fd = true },
	{ "fdset", print_fdset, .fetch = SYSARG_FETCH_BYTES, .size = 128 },
	{ "futex_bits", print_futex_bits, .width = 4 },
	{ "gid", print_int, .width = 4, .is_signed = true, .zero = true },
	{ "handler", print_handler },
	{ "hex", print_hex },
	{ "hexint", print_hex, .width = 4 },
	{ "hwaddr16", print_hwaddr, .size = 16, .in_place = true },
	{ "int", print_int, .width = 4, .is_signed = true },
	{ "ioctl_cmd", print_ioctl, .width = 4 },
	{ "ioprio", print_ioprio, .width = 4 },
	{ "key_serial", print_names, .width = 4, .is_signed = true },
	{ "loff", print_int, .width = 8, .is_signed = true },
	{ "long", print_int, .is_signed = true },
	{ "mmap_fd", print_fd, .width = 4, .is_signed = true, .absent = minus_one },
	{ "mremap_addr", print_pointer, .absent = moves_anywhere },
	{ "msecs", print_int, .width = 4, .is_signed = true },
	{ "newfd", print_int, .width = 4, .is_signed = true, .made_fd = true },
	{ "nodes", print_nodes, .fetch = SYSARG_FETCH_SIZED, .size = 1 },
	{ "none", print_hex, .absent = never },
	{ "off", print_int, .is_signed = true },
	{ "open_mode", print_mode, .width = 4, .absent = makes_no_file },
	{ "optval", print_option, .fetch = SYSARG_FETCH_SIZED, .size = 1 },
	{ "optval_out", print_option, .fetch = SYSARG_FETCH_BYTES, .size = 64 },
	{ "packed64", print_hex, .width = 8 },
	{ "pad32", print_hex, .width = 4, .absent = never },
	{ "pad_long", print_hex, .absent = never },
	{ "path", print_path, .fetch = SYSARG_FETCH_STRING },
	{ "perf_config", print_perf_config, .width = 8, .zero = true },
	{ "personality", print_personality, .width = 4 },
	{ "pid", print_pid, .width = 4, .is_signed = true },
	{ "poll", print_poll, .width = 4, .is_signed = true },
	{ "ptr", print_pointer },
	{ "ptracer", print_ptracer },
	{ "quotactl_cmd", print_quotactl, .width = 4 },
	{ "rlim", print_limit },
	{ "rlim64", print_limit, .width = 8 },
	{ "rusage_who", print_names, .width = 4, .is_signed = true, .zero = true },
	{ "s16", print_int, .width = 2, .is_signed = true },
	{ "s64", print_int, .width = 8, .is_signed = true },
	{ "si_code", print_si_code, .width = 4, .is_signed = true },
	{ "si_errno", print_errno, .width = 4, .absent = is_zero },
	{ "siginfo", print_siginfo, .fetch = SYSARG_FETCH_BYTES, .size = SIGINFO_BYTES },
	{ "signal", print_signal, .width = 4 },
	{ "signals", print_signals, .width = 8 },
	{ "sigset", print_sigset, .fetch = SYSARG_FETCH_BYTES, .size = 8 },
	{ "size", print_uint },
	{ "sockaddr", print_sockaddr, .fetch = SYSARG_FETCH_BYTES, .size = 128 },
	{ "sockaddr16", print_sockaddr, .size = 16, .in_place = true },
	{ "status", print_int, .width = 4, .is_signed = true, .zero = true },
	{ "strings", print_strings },
	{ "struct_size", print_uint, .width = 4, .tells_size = true },
	{ "text16", print_name_in_place, .size = 16, .in_place = true, .absent = is_empty },
	{ "uid", print_int, .width = 4, .is_signed = true, .zero = true },
	{ "uint", print_uint, .width = 4 },
	{ "ulong", print_uint },
	{ "wait_status", print_wait_status, .width = 4, .zero = true },
};

static int by_kind(const void *key, const void *elem)
{
	return word_compare(key, ((const struct sysarg_kind *)elem)->name);
}

const struct sysarg_kind *kind_find(const char *name, size_t len)
{
	const struct word_key key = { name, len };

	return bsearch(&key, kinds, ARRAY_SIZE(kinds), sizeof(*kinds), by_kind);
}

bool sysarg_is_packed(const struct sysarg *arg)
{
	return !strcmp(arg->kind->name, "packed64");
}

/* Parse one word: a name of the kind, or a number. */
static bool parse_word(const struct sysarg *arg, const char *text, size_t len, u64 *value)
{
	char number[32], *end;

	if (!len || len >= sizeof(number))
		return len && arg->parm && names_lookup(arg->parm, text, len, value);
	if (arg->kind->parse && arg->kind->parse(arg, text, len, value))
		return true;
	if (!arg->kind->parse && arg->parm && arg->kind != &kind_pointer &&
	    names_lookup(arg->parm, text, len, value))
		return true;
	memcpy(number, text, len);
	number[len] = '\0';
	errno = 0;
	*value = number[0] == '-' ? (u64)strtoll(number, &end, 0) : strtoull(number, &end, 0);
	return !errno && !*end && (number[0] == '-' || (number[0] >= '0' && number[0] <= '9'));
}

int sysargs_parse(const struct sysargs *sa, const struct sysarg *arg, const char *text, size_t len,
		  u64 *value, struct err *err)
{
	const char *end = text + len;

	*value = 0;
	for (const char *p = text;; p++) {
		const char *bar = memchr(p, '|', (size_t)(end - p)), *stop = bar ? bar : end;
		u64 one;

		if (!parse_word(arg, p, (size_t)(stop - p), &one))
			return err_set(err, -EINVAL, "%.*s: %s has no such value\nGive a number%s.",
				       (int)len, text, arg->name,
				       arg->kind == &kind_names ? ", or names as they are shown"
								: "");
		*value |= one;
		if (!bar)
			break;
		p = bar;
	}
	if (arg->kind == &kind_names)
		*value = names_own(sa, arg->parm, *value);
	return 0;
}
