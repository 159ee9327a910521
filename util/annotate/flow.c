// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "annotate/flow.h"

#include "annotate/annotate.h"

#include <ctype.h>

/* Words that may stand in front of the name of an instruction of x86. */
static const char *const prefixes[] = { "bnd",  "notrack", "lock", "rep", "repz",  "repnz",
					"repe", "repne",   "cs",   "ds",  "data16" };

static size_t word_len(const char *s)
{
	return strcspn(s, " \t");
}

static bool word_is(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(s, word, len);
}

static bool begins(const char *s, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !memcmp(s, with, n);
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

static const char *skip_prefixes(const char *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t len = word_len(s);

		if (!word_is(s, len, prefixes[i]))
			continue;
		s = skip_blanks(s + len);
		i = (size_t)-1;
	}
	return s;
}

/* Return what an instruction of x86 with this name does; "jne,pt" has a hint. */
static int x86_kind(const char *s, size_t len)
{
	if (begins(s, len, "call") || begins(s, len, "lcall"))
		return FLOW_CALL;
	if (begins(s, len, "ret") || begins(s, len, "lret") || begins(s, len, "iret") ||
	    begins(s, len, "sysret"))
		return FLOW_RETURN;
	if ((len && *s == 'j') || begins(s, len, "loop") || begins(s, len, "ljmp") ||
	    begins(s, len, "xbegin"))
		return FLOW_JUMP;
	return FLOW_NONE;
}

static int arm64_kind(const char *s, size_t len)
{
	static const char *const jumps[] = { "b", "br", "cbz", "cbnz", "tbz", "tbnz" };

	if (word_is(s, len, "bl") || begins(s, len, "blr"))
		return FLOW_CALL;
	if (begins(s, len, "ret") || word_is(s, len, "eret"))
		return FLOW_RETURN;
	for (size_t i = 0; i < ARRAY_SIZE(jumps); i++)
		if (word_is(s, len, jumps[i]))
			return FLOW_JUMP;
	return begins(s, len, "b.") || begins(s, len, "bc.") || begins(s, len, "bra") ? FLOW_JUMP
										      : FLOW_NONE;
}

/* Read the target of an instruction, which is its last operand. */
static void read_target(const char *text, const char *operands, struct flow *f)
{
	size_t len = strcspn(operands, "<");
	const char *s = operands, *digits;
	char *end;

	for (size_t i = 0; i < len; i++)
		if (operands[i] == ',')
			s = operands + i + 1;
	s = skip_blanks(s);
	digits = s + (*s == '#');
	digits += digits[0] == '0' && digits[1] == 'x' ? 2 : 0;
	if (!isxdigit((unsigned char)*digits))
		return;
	f->target = strtoull(digits, &end, 16);
	if (*end && *end != ' ' && *end != '\t' && *end != '<')
		return;
	f->has_target = true;
	f->at = (size_t)(s - text);
	f->len = (size_t)(end - s);
}

struct flow flow_of(enum arch_code code, const char *text)
{
	struct flow f = { .kind = FLOW_NONE };
	const char *s = code == ARCH_CODE_X86 ? skip_prefixes(text) : text;
	size_t len = word_len(s);

	if (code == ARCH_CODE_X86)
		f.kind = x86_kind(s, len);
	else if (code == ARCH_CODE_ARM64)
		f.kind = arm64_kind(s, len);
	if (f.kind == FLOW_JUMP || f.kind == FLOW_CALL)
		read_target(text, skip_blanks(s + len), &f);
	return f;
}

/* Read a number in C's notation, with an optional sign that blanks may follow. */
static bool read_offset(const char *s, s64 *offset)
{
	bool minus = *s == '-';
	char *end;

	s = skip_blanks(s + (*s == '-' || *s == '+'));
	if (!isdigit((unsigned char)*s))
		return false;
	*offset = (s64)strtoull(s, &end, 0);
	if (minus)
		*offset = (s64)(0 - (u64)*offset);
	return true;
}

bool flow_data(const char *text, s64 *offset)
{
	const char *at = strstr(text, "(%rip)"), *s = at;

	if (!at) {
		at = strstr(text, "[rip");
		if (!at)
			return false;
		at = skip_blanks(at + 4);
		*offset = 0;
		return *at == ']' || read_offset(at, offset);
	}
	while (s > text && (isxdigit((unsigned char)s[-1]) || s[-1] == 'x' || s[-1] == '-'))
		s--;
	*offset = 0;
	return s == at || read_offset(s, offset);
}
