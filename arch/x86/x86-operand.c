// SPDX-License-Identifier: GPL-2.0-or-later
/* Conversion of operands in AT&T syntax into what uprobes fetch. */
#include "base/compat.h"

#include "arch/x86/x86.h"

/* Return the name that uprobes use for a register or for a part of it, or NULL if there is none. */
static const char *x86_register(const char *p, size_t len)
{
	static const struct {
		const char *kernel, *all; /* all: its names, each between two blanks */
	} regs[] = {
		{ "ax", " rax eax ax al ah " },
		{ "bx", " rbx ebx bx bl bh " },
		{ "cx", " rcx ecx cx cl ch " },
		{ "dx", " rdx edx dx dl dh " },
		{ "si", " rsi esi si sil " },
		{ "di", " rdi edi di dil " },
		{ "bp", " rbp ebp bp bpl " },
		{ "sp", " rsp esp sp spl " },
		{ "r8", " r8 r8d r8w r8b " },
		{ "r9", " r9 r9d r9w r9b " },
		{ "r10", " r10 r10d r10w r10b " },
		{ "r11", " r11 r11d r11w r11b " },
		{ "r12", " r12 r12d r12w r12b " },
		{ "r13", " r13 r13d r13w r13b " },
		{ "r14", " r14 r14d r14w r14b " },
		{ "r15", " r15 r15d r15w r15b " },
		{ "ip", " rip eip " },
	};
	char word[8];
	size_t i;

	if (len + 3 > sizeof(word))
		return NULL;
	snprintf(word, sizeof(word), " %.*s ", (int)len, p);
	for (i = 0; i < ARRAY_SIZE(regs); i++)
		if (strstr(regs[i].all, word))
			return regs[i].kernel;
	return NULL;
}

static size_t word_len(const char *p)
{
	return strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789");
}

static void put_register(const char *p, size_t len, struct strbuf *out)
{
	const char *known = x86_register(p, len);

	strbuf_addch(out, '%');
	strbuf_add(out, known ? known : p, known ? strlen(known) : len);
}

bool x86_operand(const char *p, size_t len, struct strbuf *out)
{
	const char *end = p + len;
	size_t digits, reg;

	if (*p == '%') {
		reg = word_len(p + 1);
		if (!reg || p + 1 + reg != end)
			return false;
		put_register(p + 1, reg, out);
		return true;
	}
	strbuf_addch(out, *p == '-' ? '-' : '+');
	p += *p == '-' || *p == '+';
	digits = strspn(p, "0123456789");
	if (p[digits] != '(' || p[digits + 1] != '%')
		return false;
	strbuf_add(out, digits ? p : "0", digits ? digits : 1);
	p += digits + 2;
	reg = word_len(p);
	if (!reg || p[reg] != ')' || p + reg + 1 != end)
		return false;
	strbuf_addch(out, '(');
	put_register(p, reg, out);
	strbuf_addch(out, ')');
	return true;
}
