// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pointer conversions of the kernel's printf that show network addresses and ids:
 * %pI4 %pi4 %pI6 %pi6 %pI6c %pIS[pc] %pM %pMR %pMF %pm %pU[bBlL] (core-api/printk-formats).
 */
#include "base/compat.h"
#include "tracefmt/tracefmt-internal.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static void put_ip4(struct strbuf *out, const u8 *p, bool zeros)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (i)
			strbuf_addch(out, '.');
		if (zeros && p[i] < 100)
			strbuf_add(out, p[i] < 10 ? "00" : "0", p[i] < 10 ? 2 : 1);
		strbuf_dec(out, p[i], 0);
	}
}

static void put_ip6(struct strbuf *out, const u8 *p, bool colons)
{
	int i;

	for (i = 0; i < 16; i++) {
		if (i && !(i & 1) && colons)
			strbuf_addch(out, ':');
		strbuf_hex(out, p[i], 2, 0);
	}
}

static void put_ip6_short(struct strbuf *out, const u8 *p)
{
	char text[INET6_ADDRSTRLEN];

	if (inet_ntop(AF_INET6, p, text, sizeof(text)))
		strbuf_addstr(out, text);
}

static void put_port(struct strbuf *out, const u8 *p)
{
	strbuf_addch(out, ':');
	strbuf_dec(out, (u64)p[0] << 8 | p[1], 0);
}

/* Append a struct sockaddr: family in the traced machine's order, port and address in network
 * order. */
static void put_sockaddr(const struct tf_ctx *c, const char *ext, const u8 *p, size_t len,
			 struct strbuf *out)
{
	bool port = strchr(ext, 'p'), brief = strchr(ext, 'c');
	u64 family = len >= 2 ? tf_load(c->ev->tf, p, 2) : 0;

	if (family == AF_INET && len >= 8) {
		put_ip4(out, p + 4, ext[0] == 'i');
		if (port)
			put_port(out, p + 2);
	} else if (family == AF_INET6 && len >= 24) {
		if (port)
			strbuf_addch(out, '[');
		if (brief)
			put_ip6_short(out, p + 8);
		else
			put_ip6(out, p + 8, ext[0] == 'I');
		if (port) {
			strbuf_addch(out, ']');
			put_port(out, p + 2);
		}
	}
}

static void put_mac(struct strbuf *out, const char *ext, const u8 *p)
{
	bool reverse = strchr(ext, 'R');
	char sep = strchr(ext, 'F') ? '-' : ':';
	int i;

	for (i = 0; i < 6; i++) {
		if (i && ext[0] == 'M')
			strbuf_addch(out, sep);
		strbuf_hex(out, p[reverse ? 5 - i : i], 2, 0);
	}
}

static void put_uuid(struct strbuf *out, const char *ext, const u8 *p)
{
	static const u8 be[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const u8 le[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	const u8 *order = ext[1] == 'l' || ext[1] == 'L' ? le : be;
	bool upper = ext[1] == 'B' || ext[1] == 'L';
	size_t from = out->len, i;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			strbuf_addch(out, '-');
		strbuf_hex(out, p[order[i]], 2, 0);
	}
	for (i = from; upper && i < out->len; i++)
		if (out->buf[i] >= 'a' && out->buf[i] <= 'f')
			out->buf[i] = (char)(out->buf[i] - 'a' + 'A');
}

void put_net(const struct tf_ctx *c, const struct tf_op *op, struct strbuf *out)
{
	const char *ext = op->ext;
	size_t len, need;
	const u8 *p = tf_bytes(c, op->arg, &len);
	bool ip6 = ext[1] == '6';

	if (p && (ext[0] == 'I' || ext[0] == 'i') && ext[1] == 'S') {
		put_sockaddr(c, ext, p, len, out);
		return;
	}
	need = ext[0] == 'U' ? 16 : ext[0] == 'M' || ext[0] == 'm' ? 6 : ip6 ? 16 : 4;
	if (!p || len < need) {
		strbuf_addstr(out, "INVALID");
		return;
	}
	if (ext[0] == 'U')
		put_uuid(out, ext, p);
	else if (need == 6)
		put_mac(out, ext, p);
	else if (!ip6)
		put_ip4(out, p, ext[0] == 'i');
	else if (ext[0] == 'I' && ext[2] == 'c')
		put_ip6_short(out, p);
	else
		put_ip6(out, p, ext[0] == 'I');
}
