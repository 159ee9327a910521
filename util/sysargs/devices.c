// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses and options of sockets, requests to devices, capabilities, signals. */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#include <arpa/inet.h>
#include <elf.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#define NETLINK_GROUPS 8 /* the offset of the groups in the address of a netlink socket */

static u32 port_of(const u8 *buf)
{
	return (u32)buf[2] << 8 | buf[3];
}

/* Each appends the members of one family's address behind the family; @len bytes are known. */

static void put_unix(struct printing *p, const u8 *buf, size_t len)
{
	size_t at = offsetof(struct sockaddr_un, sun_path), room = len - at;
	const u8 *path = buf + at, *end;

	if (!room)
		return;
	/* A name without a file begins with a zero, which is shown as @. */
	end = memchr(path + !path[0], 0, room - !path[0]);
	strbuf_addstr(p->out, ", path: ");
	if (!path[0] && room > 1 && path[1]) {
		strbuf_addch(p->out, '@');
		path++;
	}
	print_quoted(p->out, path, end ? (size_t)(end - path) : (size_t)(buf + len - path), false);
}

static void put_inet(struct printing *p, const u8 *buf, size_t len)
{
	char text[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, buf + 4, text, sizeof(text));
	strbuf_addf(p->out, ", port: %u, addr: %s", port_of(buf), text);
}

static void put_inet6(struct printing *p, const u8 *buf, size_t len)
{
	char text[INET6_ADDRSTRLEN];
	u64 scope = get_int(p->sa, buf + 24, 4);

	inet_ntop(AF_INET6, buf + 8, text, sizeof(text));
	strbuf_addf(p->out, ", port: %u, addr: %s", port_of(buf), text);
	if (scope)
		strbuf_addf(p->out, ", scope: %u", (u32)scope);
}

static void put_netlink(struct printing *p, const u8 *buf, size_t len)
{
	strbuf_addf(p->out, ", pid: %u, groups: 0x%x", (u32)get_int(p->sa, buf + 4, 4),
		    (u32)get_int(p->sa, buf + NETLINK_GROUPS, 4));
}

static void put_packet(struct printing *p, const u8 *buf, size_t len)
{
	strbuf_addf(p->out, ", protocol: 0x%04x, ifindex: %d", port_of(buf),
		    (int)get_int(p->sa, buf + 4, 4));
}

static void put_vsock(struct printing *p, const u8 *buf, size_t len)
{
	strbuf_addf(p->out, ", port: %u, cid: %u", (u32)get_int(p->sa, buf + 4, 4),
		    (u32)get_int(p->sa, buf + 8, 4));
}

static const struct {
	int family;
	size_t least; /* bytes of an address */
	void (*put)(struct printing *p, const u8 *buf, size_t len);
} families[] = {
	{ AF_UNIX, 2, put_unix },        { AF_INET, 8, put_inet },     { AF_INET6, 28, put_inet6 },
	{ AF_NETLINK, 12, put_netlink }, { AF_PACKET, 8, put_packet }, { AF_VSOCK, 12, put_vsock },
};

void print_sockaddr(struct printing *p, const struct sysarg *arg, u64 value)
{
	u8 buf[128] = { 0 };
	size_t len = print_memory(p, value, buf, sizeof(buf));
	int family = (int)get_int(p->sa, buf, 2);

	if (len < 2) {
		print_pointer(p, arg, value);
		return;
	}
	strbuf_addf(p->out, "{ .family: ");
	names_print(p->out, names_find("family", 6), (u64)family, p->v->show_prefix);
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (families[i].family == family && len >= families[i].least)
			families[i].put(p, buf, len);
	strbuf_addstr(p->out, " }");
}

/* The address of a network device: in place of a family its struct has the kind of hardware. */
void print_hwaddr(struct printing *p, const struct sysarg *arg, u64 value)
{
	u8 buf[8];

	if (print_memory(p, value, buf, sizeof(buf)) < sizeof(buf)) {
		print_pointer(p, arg, value);
		return;
	}
	strbuf_addstr(p->out, "{ .family: ");
	names_print(p->out, names_find("hardware", 8), get_int(p->sa, buf, 2), p->v->show_prefix);
	for (u32 i = 2; i < sizeof(buf); i++)
		strbuf_addf(p->out, "%s%02x", i == 2 ? ", addr: " : ":", buf[i]);
	strbuf_addstr(p->out, " }");
}

/* Requests without a name consist of a direction, a letter of the driver, a number and a size. */
void print_ioctl(struct printing *p, const struct sysarg *arg, u64 value)
{
	static const char *const directions[] = { "NONE", "WRITE", "READ", "READ|WRITE" };
	const char *name = names_value(arg->parm, value);
	u32 letter = value >> 8 & 0xff;

	if (name) {
		strbuf_addstr(p->out, name);
		return;
	}
	strbuf_addf(p->out, "(%s, ", directions[value >> 30 & 3]);
	strbuf_addf(p->out, letter > 0x20 && letter < 0x7f ? "'%c'" : "0x%x", letter);
	strbuf_addf(p->out, ", 0x%x, 0x%x)", (u32)value & 0xff, (u32)(value >> 16) & 0x3fff);
}

/* Return the number of bytes of the value of an option. The kernel tells it where it writes one;
 * if that is not known it is an int, as most are. */
static u64 option_size(struct printing *p, const struct sysarg *arg)
{
	const u64 by = arg->by < SYSARGS_MAX ? p->values[arg->by] : 0;
	u8 len[4];

	if (!arg->out)
		return (u32)by;
	if (print_memory(p, by, len, sizeof(len)) < sizeof(len))
		return sizeof(s32);
	return get_int(p->sa, len, sizeof(len));
}

/* Most options of sockets are ints. Others are shown as bytes: a name, or a struct. */
void print_option(struct printing *p, const struct sysarg *arg, u64 value)
{
	const u64 size = option_size(p, arg);
	u8 buf[128];
	const size_t most = MIN((size_t)p->v->string_len, sizeof(buf));
	const size_t len = print_memory(p, value, buf, (size_t)MIN(size, MAX((u64)most, 4UL)));

	if (!len)
		print_pointer(p, arg, value);
	else if (size == 4 && len == 4)
		strbuf_addf(p->out, "[%d]", (s32)get_int(p->sa, buf, 4));
	else
		print_quoted(p->out, buf, len, len < size);
}

/* Append the capabilities whose bits are set in two words, each of which has its own half. */
static void put_capabilities(struct printing *p, const char *name, u64 bits)
{
	const struct names *n = names_find("capability", 10);
	const char *gap = "";

	strbuf_addf(p->out, ".%s: ", name);
	if (!bits)
		strbuf_addch(p->out, '0');
	for (u32 i = 0; i < 64; i++) {
		if (!(bits >> i & 1))
			continue;
		strbuf_addstr(p->out, gap);
		names_print(p->out, n, i, p->v->show_prefix);
		gap = "|";
	}
}

/* The sets of a task. All but the first version of the call have them in two structs. */
void print_cap_sets(struct printing *p, const struct sysarg *arg, u64 value)
{
	static const char *const names[] = { "effective", "permitted", "inheritable" };
	u8 version[4] = { 0 }, buf[24] = { 0 };
	const bool out_now = p->out_now;
	size_t want;

	p->out_now = false;
	print_memory(p, p->values[0], version, sizeof(version));
	p->out_now = out_now;
	want = get_int(p->sa, version, 4) == 0x19980330 ? 12 : 24;
	if (print_memory(p, value, buf, want) < want) {
		print_pointer(p, arg, value);
		return;
	}
	strbuf_addstr(p->out, "{ ");
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		if (i)
			strbuf_addstr(p->out, ", ");
		put_capabilities(p, names[i],
				 get_int(p->sa, buf + i * 4, 4) |
					 get_int(p->sa, buf + 12 + i * 4, 4) << 32);
	}
	strbuf_addstr(p->out, " }");
}

/* ---- siginfo ---- */

/* Return the name of a signal, "SIGCHLD", or NULL. */
static const char *signal_name(const struct sysargs *sa, u64 signal)
{
	const struct names *n = names_find("signal", 6);

	return names_value(n, names_shared(sa, n, signal));
}

/* Codes above zero, which the kernel sends, with a meaning of their own for each signal: their
 * names, and a struct. The first row that fits counts. */
static const struct {
	const char *signal, *codes, *layout;
	s32 last; /* the last code of the row */
} sent[] = {
	{ "SIGCHLD", "cld_code", "siginfo_exit", 1 },
	{ "SIGCHLD", "cld_code", "siginfo_child", INT32_MAX },
	{ "SIGSEGV", "segv_code", "siginfo_fault", INT32_MAX },
	{ "SIGBUS", "bus_code", "siginfo_fault", INT32_MAX },
	{ "SIGILL", "ill_code", "siginfo_fault", INT32_MAX },
	{ "SIGFPE", "fpe_code", "siginfo_fault", INT32_MAX },
	{ "SIGTRAP", "trap_code", "siginfo_fault", INT32_MAX },
	{ "SIGIO", "poll_code", "siginfo_poll", INT32_MAX },
	{ "SIGSYS", "sys_code", "siginfo_sys", INT32_MAX },
};

#define SENT_BY_KERNEL 0x80 /* for no reason that has a code of its own */

/* Return the row of sent[] for a signal and its code; its length: there is none. */
static size_t row_of(const struct sysargs *sa, u64 signal, s32 code)
{
	const char *name = code > 0 && code != SENT_BY_KERNEL ? signal_name(sa, signal) : NULL;
	size_t i = 0;

	while (i < ARRAY_SIZE(sent) &&
	       (!name || strcmp(sent[i].signal, name) || code > sent[i].last))
		i++;
	return i;
}

/* The signal stands before its code. */
void print_si_code(struct printing *p, const struct sysarg *arg, u64 value)
{
	const size_t row = row_of(p->sa, p->values[0], (s32)value);
	const char *codes = row < ARRAY_SIZE(sent) ? sent[row].codes : "si_code";
	const struct names *n = names_find(codes, strlen(codes));

	if (names_value(n, value))
		names_print(p->out, n, value, p->v->show_prefix);
	else
		strbuf_addf(p->out, "%d", (s32)value);
}

/* Return the struct that a signal has behind its code, or NULL. */
static const struct layout *layout_behind(const struct sysargs *sa, u64 signal, s32 code)
{
	static const struct {
		s32 code;
		const char *layout;
	} by_code[] = { { 0, "siginfo_user" }, { -6, "siginfo_user" }, { -2, "siginfo_timer" } };
	const size_t row = row_of(sa, signal, code);
	const char *name = code <= 0 ? "siginfo_value" : NULL;

	if (row < ARRAY_SIZE(sent))
		name = sent[row].layout;
	for (size_t i = 0; i < ARRAY_SIZE(by_code); i++)
		if (by_code[i].code == code)
			name = by_code[i].layout;
	return name ? layout_of(sa, name, strlen(name)) : NULL;
}

/* MIPS has the code of a signal at another place. */
void print_siginfo(struct printing *p, const struct sysarg *arg, u64 value)
{
	const struct layout *head = layout_of(p->sa, "siginfo", 7), *rest;
	u8 buf[SIGINFO_BYTES] = { 0 };
	const size_t len = print_memory(p, value, buf, sizeof(buf));
	const u64 signal = get_int(p->sa, buf, 4);
	const s32 code = (s32)get_int(p->sa, buf + 8, 4);
	u32 at;

	if (len < head->size || p->sa->abi.machine == EM_MIPS) {
		print_pointer(p, arg, value);
		return;
	}
	if (!signal && !code) { /* no child has anything to tell */
		strbuf_addstr(p->out, "{}");
		return;
	}
	strbuf_addstr(p->out, p->v->show_arg_names ? "{ " : "{");
	print_members(p, head, buf, value);
	rest = layout_behind(p->sa, signal, code);
	at = rest ? ALIGN_UP(head->size, rest->align) : 0;
	if (rest && at + rest->size <= len) {
		strbuf_addstr(p->out, ", ");
		print_members(p, rest, buf + at, value + at);
	}
	strbuf_addstr(p->out, p->v->show_arg_names ? " }" : "}");
}
