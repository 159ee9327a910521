// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "unwind/step.h"

bool unw_read(struct unw_memory *m, u64 addr, u64 *v)
{
	u64 at = addr - m->start;

	if (unlikely(at >= m->size || m->size - at < m->word)) {
		if (!m->missing)
			m->missing = addr;
		return false;
	}
	if (likely(m->word == 8)) {
		memcpy(v, m->bytes + at, 8);
		*v = m->swap ? __builtin_bswap64(*v) : *v;
	} else {
		u32 half;

		memcpy(&half, m->bytes + at, 4);
		*v = m->swap ? __builtin_bswap32(half) : half;
	}
	return true;
}

static enum unw_step find_cfa(const struct unw_rules *r, const struct unw_frame *f,
			      struct unw_memory *m, u64 *cfa)
{
	if (r->cfa_is_expr)
		return unw_eval(r->cfa, f, m, NULL, cfa);
	if (!(f->known >> r->cfa_reg & 1))
		return UNW_LOST;
	*cfa = f->reg[r->cfa_reg] + (u64)r->cfa_offset;
	return UNW_CALLER;
}

/* The value of one register in the caller. */
static enum unw_step find_register(const struct unw_rule *r, const struct unw_frame *f,
				   struct unw_memory *m, u64 cfa, u64 *v)
{
	enum unw_step ret;
	u64 at = cfa + (u64)(s64)r->offset;

	switch (r->how) {
	case UNW_AT_CFA:
		return unw_read(m, at, v) ? UNW_CALLER : UNW_BEYOND;
	case UNW_IS_CFA:
		*v = at;
		return UNW_CALLER;
	case UNW_REGISTER:
		if (r->offset >= UNW_REGS || !(f->known >> r->offset & 1))
			return UNW_LOST;
		*v = f->reg[r->offset];
		return UNW_CALLER;
	case UNW_IS_EXPR:
		return unw_eval(r->expr, f, m, &cfa, v);
	case UNW_AT_EXPR:
		ret = unw_eval(r->expr, f, m, &cfa, &at);
		if (ret != UNW_CALLER)
			return ret;
		return unw_read(m, at, v) ? UNW_CALLER : UNW_BEYOND;
	default:
		return UNW_LOST;
	}
}

/* The registers of the caller. What cannot be found is unknown there, which matters only if a rule
 * of another frame asks for it. @ra: how the search for the return address ended */
static void find_registers(const struct unw_rules *r, const struct arch_frames *a,
			   struct unw_memory *m, u64 cfa, const struct unw_frame *f,
			   struct unw_frame *to, enum unw_step *ra)
{
	to->known = r->signal ? f->known : f->known & a->saved;
	if (a->link) /* a leaf function leaves the return address in its register */
		to->known |= f->known & 1ULL << a->ip;
	to->reg[a->sp] = cfa;
	to->known |= 1ULL << a->sp;
	*ra = to->known >> r->ra & 1 && (a->link || r->signal) ? UNW_CALLER : UNW_LOST;
	for (u32 i = 0; i < r->nr; i++) {
		const struct unw_rule *rule = &r->rule[i];
		u64 missing = m->missing;
		enum unw_step found = find_register(rule, f, m, cfa, &to->reg[rule->reg]);
		u64 bit = 1ULL << rule->reg;

		to->known = found == UNW_CALLER ? to->known | bit : to->known & ~bit;
		if (rule->reg != r->ra)
			m->missing = missing;
		else
			*ra = rule->how == UNW_UNDEFINED ? UNW_ROOT : found;
	}
}

enum unw_step unw_step(const struct unw_rules *r, const struct arch_frames *a, struct unw_memory *m,
		       struct unw_frame *f)
{
	struct unw_frame to = *f;
	enum unw_step ret;
	u64 cfa;

	if (r->ra >= UNW_REGS)
		return UNW_LOST;
	ret = find_cfa(r, f, m, &cfa);
	if (ret != UNW_CALLER)
		return ret;
	find_registers(r, a, m, cfa, f, &to, &ret);
	if (ret != UNW_CALLER)
		return ret;
	to.pc = to.reg[r->ra] & a->address;
	if (!to.pc)
		return UNW_ROOT;
	/* A frame that is its own caller goes on for ever. */
	if (to.pc == f->pc && to.reg[a->sp] == f->reg[a->sp])
		return UNW_LOST;
	to.interrupted = r->signal;
	if (!a->link)
		to.known &= ~(1ULL << a->ip);
	*f = to;
	return UNW_CALLER;
}
