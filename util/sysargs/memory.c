// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pointers point to strings, buffers, structs, arrays and sets. Memory of the process comes
 * from the caller; where it is not known, the whole pointer is printed.
 */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#include "bpf/btf-print.h"

#define KERNEL_STRUCT_MAX 512 /* bytes of a struct of the kernel that are read at most */
#define STRING_MAX 4096       /* bytes of a string that are read at most */
#define CPUS_BYTES 128        /* bytes of a set of CPUs that are read at most */
#define ESCAPED_MAX 4         /* bytes of text that a byte can become */

size_t print_memory(struct printing *p, u64 addr, void *buf, size_t size)
{
	const struct sysargs_ops *ops = p->v->ops;

	if (!addr || !ops || !ops->memory)
		return 0;
	/* A call that has failed, or runs yet, has written nothing. */
	if (p->out_now && (!p->call->returned || p->call->ret < 0))
		return 0;
	return MIN(ops->memory(p->v->ctx, addr, buf, size, p->out_now), size);
}

u64 get_int(const struct sysargs *sa, const u8 *s, u32 width)
{
	u64 value = 0;

	for (u32 i = 0; i < width; i++)
		value |= (u64)s[i] << 8 * (sa->abi.big_endian ? width - 1 - i : i);
	return value;
}

#define BYTES(b) (0x0101010101010101ULL * (b))

/* Tell of eight bytes that all of them are shown as they are. It may be so where this is false. */
static bool are_plain(u64 word)
{
	const u64 quote = word ^ BYTES('"'), back = word ^ BYTES('\\'), del = word ^ BYTES(0x7f);

	return !((word | (word - BYTES(0x20)) | (quote - BYTES(1)) | (back - BYTES(1)) |
		  (del - BYTES(1))) &
		 BYTES(0x80));
}

/* Write a byte that is not shown as it is. @digit: a digit follows, which after less than three
 * digits would read as one of this octal number. Return: the byte behind it. */
static char *put_escaped(char *p, u8 byte, bool digit)
{
	static const char bytes[] = "\n\r\t\a\b\v\f\"\\", letters[] = "nrtabvf\"\\";
	const char *known = byte ? memchr(bytes, byte, sizeof(bytes) - 1) : NULL;

	*p++ = '\\';
	if (known) {
		*p++ = letters[known - bytes];
		return p;
	}
	if (digit || byte >= 0100)
		*p++ = (char)('0' + (byte >> 6));
	if (digit || byte >= 010)
		*p++ = (char)('0' + (byte >> 3 & 7));
	*p++ = (char)('0' + (byte & 7));
	return p;
}

static void print_escaped(struct strbuf *out, const u8 *s, size_t len)
{
	const u8 *end = s + len;
	char *p;

	strbuf_grow(out, len * ESCAPED_MAX);
	p = out->buf + out->len;
	while (s < end) {
		u64 word;

		if (end - s >= (ptrdiff_t)sizeof(word)) {
			memcpy(&word, s, sizeof(word));
			if (likely(are_plain(word))) {
				memcpy(p, &word, sizeof(word));
				p += sizeof(word);
				s += sizeof(word);
				continue;
			}
		}
		if (*s >= 0x20 && *s < 0x7f && *s != '"' && *s != '\\')
			*p++ = (char)*s;
		else
			p = put_escaped(p, *s, s + 1 < end && s[1] >= '0' && s[1] <= '9');
		s++;
	}
	*p = '\0';
	out->len = (size_t)(p - out->buf);
}

void print_quoted(struct strbuf *out, const u8 *s, size_t len, bool more)
{
	strbuf_addch(out, '"');
	print_escaped(out, s, len);
	strbuf_addch(out, '"');
	if (more)
		strbuf_addstr(out, "...");
}

/* Append the string at an address. Return: false: it is not known. */
static bool print_string(struct printing *p, u64 addr)
{
	u8 buf[STRING_MAX];
	size_t width = MIN((size_t)p->v->string_len, sizeof(buf) - 1);
	size_t len = print_memory(p, addr, buf, width + 1);
	const u8 *end = memchr(buf, 0, len);

	if (!len)
		return false;
	if (end)
		print_quoted(p->out, buf, (size_t)(end - buf), false);
	else
		print_quoted(p->out, buf, MIN(len, width), true);
	return true;
}

/* The bytes of a struct up to a zero. */
void print_name_in_place(struct printing *p, const struct sysarg *arg, u64 value)
{
	u8 buf[STRING_MAX];
	const size_t len = print_memory(p, value, buf, MIN((size_t)arg->size, sizeof(buf)));

	print_quoted(p->out, buf, strnlen((const char *)buf, len), false);
}

void print_path(struct printing *p, const struct sysarg *arg, u64 value)
{
	if (!print_string(p, value))
		print_pointer(p, arg, value);
}

/* Return the number of elements behind a pointer, or @otherwise if no argument tells. */
static u64 count_of(const struct printing *p, const struct sysarg *arg, u64 otherwise)
{
	if (arg->by == SYSARG_BY_RESULT)
		return p->call->returned && p->call->ret > 0 ? (u64)p->call->ret : 0;
	return arg->by < SYSARGS_MEMBERS ? p->values[arg->by] : otherwise;
}

/* Append @count bytes at an address. */
static void print_bytes_at(struct printing *p, const struct sysarg *arg, u64 value, u64 count)
{
	u8 buf[STRING_MAX];
	size_t want = (size_t)MIN(count, MIN((u64)p->v->string_len, sizeof(buf)));
	size_t len = print_memory(p, value, buf, want);

	if (!len) {
		print_pointer(p, arg, value);
	} else if (p->v->show_arg_names) {
		print_quoted(p->out, buf, len, len < count);
	} else { /* scripts look for it as newer versions show it, without quotes */
		print_escaped(p->out, buf, len);
		strbuf_addstr(p->out, len < count ? "..." : "");
	}
}

void print_bytes(struct printing *p, const struct sysarg *arg, u64 value)
{
	print_bytes_at(p, arg, value, count_of(p, arg, 0));
}

/* Print one of several buffers, which the kernel fills one after the other. */
void print_buffer(struct printing *p, const struct sysarg *arg, u64 value)
{
	u64 count = count_of(p, arg, 0);

	if (p->out_now) {
		count = MIN(count, p->left);
		p->left -= count;
	}
	print_bytes_at(p, arg, value, count);
}

void print_strings(struct printing *p, const struct sysarg *arg, u64 value)
{
	u8 word[8];
	u32 size = p->sa->long_size;
	u64 addr;

	if (print_memory(p, value, word, size) < size) {
		print_pointer(p, arg, value);
		return;
	}
	strbuf_addch(p->out, '[');
	for (u32 i = 0; print_memory(p, value + (u64)i * size, word, size) == size; i++) {
		addr = get_int(p->sa, word, size);
		if (!addr)
			break;
		if (i)
			strbuf_addstr(p->out, ", ");
		if (i == SYSARGS_ELEMENTS) {
			strbuf_addstr(p->out, "...");
			break;
		}
		print_path(p, arg, addr);
	}
	strbuf_addch(p->out, ']');
}

void print_members(struct printing *p, const struct layout *l, const u8 *buf, u64 addr)
{
	u64 values[SYSARGS_MEMBERS] = { 0 };
	const u64 *outer = p->values;
	const bool out_now = p->out_now;
	u64 limit = p->limit;
	bool first = true;

	p->limit = 0; /* it is not that of structs inside */
	for (u32 i = 0; i < l->nr; i++) {
		const struct member *m = &l->members[i];

		values[i] = m->arg.kind == &kind_struct || m->arg.kind->in_place
				    ? addr + m->offset
				    : sysarg_value(&m->arg,
						   get_int(p->sa, buf + m->offset, m->arg.width));
		/* Some structs tell their size, which older programs have smaller. */
		if (m->arg.kind->tells_size && values[i] > m->offset + m->arg.width)
			limit = values[i];
	}
	p->values = values;
	for (u32 i = 0; i < l->nr; i++) {
		const struct sysarg *arg = &l->members[i].arg;

		if (limit && l->members[i].offset >= limit)
			break;
		/* Short structs are whole: that tv_nsec is 0 says something. */
		if ((arg->kind->absent && arg->kind->absent(p, values[i])) ||
		    (!values[i] && !arg->zero && l->nr > 4 && !p->v->show_zeros &&
		     p->v->show_arg_names))
			continue;
		if (!first)
			strbuf_addstr(p->out, ", ");
		first = false;
		if (p->v->show_arg_names) {
			strbuf_addch(p->out, '.');
			print_name(p->out, arg);
		}
		p->out_now = out_now || arg->out;
		print_value(p, arg, values[i]);
		p->out_now = out_now;
	}
	p->values = outer;
}

/* Append a struct by a type of the kernel. Return: false: type or bytes are not known. */
static bool print_by_type(struct printing *p, u32 type, u64 addr)
{
	const struct btf_view view = { .names = p->v->show_arg_names,
				       .zeros = p->v->show_zeros,
				       .depth = 4,
				       .elements = SYSARGS_ELEMENTS,
				       .text_size = 1024 };
	u8 buf[KERNEL_STRUCT_MAX];
	size_t len, size = btf_size(p->v->btf, type);

	if (!size)
		return false;
	len = print_memory(p, addr, buf, MIN(size, sizeof(buf)));
	if (len)
		btf_print(p->out, p->v->btf, type, buf, len, &view);
	return len;
}

void print_kernel_struct(struct printing *p, const struct sysarg *arg, u64 value)
{
	if (!p->v->btf || p->sa->long_size != 8 ||
	    !print_by_type(p, btf_find(p->v->btf, arg->parm), value))
		print_pointer(p, arg, value);
}

/* Return the type of the kernel for a struct of ours, or 0. */
static u32 kernel_type_of(const struct btf *b, const char *name)
{
	static const char *const forms[] = { "struct __kernel_%s", "struct __kernel_old_%s",
					     "struct %s" };
	char text[64];
	u32 id = 0;

	for (size_t i = 0; i < ARRAY_SIZE(forms) && !id; i++) {
		snprintf(text, sizeof(text), forms[i], name);
		id = btf_find(b, text);
	}
	return id;
}

void print_struct_at(struct printing *p, const struct sysarg *arg, u64 value)
{
	const struct layout *l = arg->parm;
	u8 buf[SYSARGS_MEMBERS * 8];
	size_t want;

	if (p->v->force_btf && p->v->btf && p->sa->long_size == 8 &&
	    print_by_type(p, kernel_type_of(p->v->btf, l->name), value))
		return;
	want = p->limit ? (size_t)MIN(p->limit, (u64)l->size) : l->size;
	memset(buf, 0, l->size);
	if (print_memory(p, value, buf, want) < want) {
		print_pointer(p, arg, value);
		return;
	}
	strbuf_addstr(p->out, p->v->show_arg_names ? "{ " : "{");
	print_members(p, l, buf, value);
	strbuf_addstr(p->out, p->v->show_arg_names ? " }" : "}");
}

/* Append one of the values or structs that a pointer points to. Return: false: it is not known. */
static bool print_element(struct printing *p, const struct pointee *to, u64 addr)
{
	u8 buf[8];

	if (to->elem.kind == &kind_struct) {
		print_struct_at(p, &to->elem, addr);
		return true;
	}
	if (print_memory(p, addr, buf, to->size) < to->size)
		return false;
	print_value(p, &to->elem, sysarg_value(&to->elem, get_int(p->sa, buf, to->size)));
	return true;
}

void print_pointed(struct printing *p, const struct sysarg *arg, u64 value)
{
	const struct pointee *to = arg->parm;
	u64 count = to->count ? to->count : to->by_bytes ? 1 : count_of(p, arg, 1);
	u8 first;

	if (!print_memory(p, value, &first, 1)) {
		print_pointer(p, arg, value);
		return;
	}
	if (to->by_bytes)
		p->limit = count_of(p, arg, 0);
	if (to->list)
		strbuf_addch(p->out, '[');
	for (u64 i = 0; i < count; i++) {
		if (i)
			strbuf_addstr(p->out, ", ");
		if (i == SYSARGS_ELEMENTS || !print_element(p, to, value + i * to->size)) {
			strbuf_addstr(p->out, "...");
			break;
		}
	}
	if (to->list)
		strbuf_addch(p->out, ']');
	p->limit = 0;
}

/* Append the names of the signals in a set; more than half of all are shown as those missing. */
void print_signals(struct printing *p, const struct sysarg *arg, u64 value)
{
	const struct sysarg signal = { .parm = names_find("signal", 6) };
	const struct sysarg_kind *kind = kind_find("signal", 6);
	const char *gap = "";

	if (__builtin_popcountll(value) > 32) {
		strbuf_addch(p->out, '~');
		value = ~value;
	}
	strbuf_addch(p->out, '[');
	for (u32 i = 0; i < 64; i++) {
		if (!(value >> i & 1))
			continue;
		strbuf_addstr(p->out, gap);
		kind->print(p, &signal, i + 1);
		gap = " ";
	}
	strbuf_addch(p->out, ']');
}

void print_sigset(struct printing *p, const struct sysarg *arg, u64 value)
{
	u8 buf[8];

	if (print_memory(p, value, buf, sizeof(buf)) < sizeof(buf))
		print_pointer(p, arg, value);
	else
		print_signals(p, arg, get_int(p->sa, buf, sizeof(buf)));
}

/* Tell whether a bit is set in an array of longs of the process. */
static bool bit_of(const struct sysargs *sa, const u8 *buf, u32 bit)
{
	u32 bits = 8 * sa->long_size;

	return get_int(sa, buf + bit / bits * sa->long_size, sa->long_size) >> bit % bits & 1;
}

/* Append the numbers of bits as ranges: 0-3,8. */
static void print_bit_list(struct printing *p, const u8 *buf, u32 nr)
{
	const char *gap = "";
	u32 end;

	for (u32 i = 0; i < nr; i = end + 1) {
		end = i;
		if (!bit_of(p->sa, buf, i))
			continue;
		while (end + 1 < nr && bit_of(p->sa, buf, end + 1))
			end++;
		strbuf_addf(p->out, end > i ? "%s%u-%u" : "%s%u", gap, i, end);
		gap = ",";
	}
}

static void print_bit_mask(struct printing *p, const u8 *buf, u32 nr)
{
	bool any = false;

	strbuf_addstr(p->out, "0x");
	for (u32 i = nr / 4; i--;) {
		u32 digit = 0;

		for (u32 bit = 0; bit < 4; bit++)
			digit |= (u32)bit_of(p->sa, buf, 4 * i + bit) << bit;
		any |= digit || !i;
		if (any)
			strbuf_hex(p->out, digit, 1, 0);
	}
}

/* Nodes of memory, of which another argument tells how many bits there are. */
void print_nodes(struct printing *p, const struct sysarg *arg, u64 value)
{
	u8 buf[CPUS_BYTES] = { 0 };
	const u32 bits = 8 * p->sa->long_size, nr = (u32)MIN(count_of(p, arg, 0), 8 * sizeof(buf));
	const size_t want = (size_t)(nr + bits - 1) / bits * p->sa->long_size;

	if (!want || print_memory(p, value, buf, want) < want) {
		print_pointer(p, arg, value);
	} else if (p->v->bitmask_list) {
		strbuf_addch(p->out, '[');
		print_bit_list(p, buf, nr);
		strbuf_addch(p->out, ']');
	} else {
		print_bit_mask(p, buf, (u32)want * 8);
	}
}

void print_cpus(struct printing *p, const struct sysarg *arg, u64 value)
{
	u8 buf[CPUS_BYTES];
	size_t want = (size_t)MIN(count_of(p, arg, 0), sizeof(buf));
	size_t len = print_memory(p, value, buf, want);
	u32 nr = (u32)(len / p->sa->long_size * p->sa->long_size * 8);

	if (!nr) {
		print_pointer(p, arg, value);
	} else if (p->v->bitmask_list) {
		strbuf_addch(p->out, '[');
		print_bit_list(p, buf, nr);
		strbuf_addch(p->out, ']');
	} else {
		print_bit_mask(p, buf, nr);
	}
}

/* The set of descriptors of select, of which the first argument tells how many bits count. */
void print_fdset(struct printing *p, const struct sysarg *arg, u64 value)
{
	u8 buf[CPUS_BYTES];
	u32 bits = 8 * p->sa->long_size, nr = (u32)MIN(count_of(p, arg, 0), 8 * sizeof(buf));
	size_t want = (size_t)(nr + bits - 1) / bits * p->sa->long_size;

	if (!want || print_memory(p, value, buf, want) < want) {
		print_pointer(p, arg, value);
		return;
	}
	strbuf_addch(p->out, '[');
	print_bit_list(p, buf, nr);
	strbuf_addch(p->out, ']');
}
