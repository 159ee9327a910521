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

/*
 * Tell whether a function has given a register back to its caller: its slot is below the stack
 * pointer, from where it was popped. Compilers seldom describe that, as whoever throws an exception
 * is never at the end of a function.
 */
static bool is_given_back(const struct unw_frame *f, const struct arch_frames *a, u64 slot)
{
	return f->interrupted && (s64)(slot - f->reg[a->sp]) < 0;
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

		if (found == UNW_BEYOND && rule->how == UNW_AT_CFA && rule->reg != r->ra &&
		    is_given_back(f, a, cfa + (u64)(s64)rule->offset)) {
			m->missing = missing;
			continue;
		}
		to->known = found == UNW_CALLER ? to->known | bit : to->known & ~bit;
		if (rule->reg != r->ra)
			m->missing = missing;
		else
			*ra = rule->how == UNW_UNDEFINED ? UNW_ROOT : found;
	}
}

void unw_settle(struct unw_rules *r, const struct arch_frames *a)
{
	u8 ra = r->nr;

	for (u8 i = 0; i < r->nr; i++) {
		if (r->rule[i].how != UNW_AT_CFA || r->rule[i].reg == a->sp)
			return;
		ra = r->rule[i].reg == r->ra ? i : ra;
	}
	if (ra == r->nr || r->ra != a->ip || r->signal || r->cfa_is_expr)
		return;
	SWAP(r->rule[0], r->rule[ra]);
	r->plain = true;
}

/* Do what unw_step() does, for rules that are plain: their first one is that of the return
 * address. The frame changes in place, as only memory is read once that address is known. */
static enum unw_step step_plain(const struct unw_rules *r, const struct arch_frames *a,
				struct unw_memory *m, struct unw_frame *f)
{
	u64 cfa = f->reg[r->cfa_reg] + (u64)r->cfa_offset, known = f->known & a->saved;
	u64 missing = m->missing, ra, pc;

	if (!(f->known >> r->cfa_reg & 1))
		return UNW_LOST;
	if (!unw_read(m, cfa + (u64)(s64)r->rule[0].offset, &ra))
		return UNW_BEYOND;
	pc = ra & a->address;
	if (!pc)
		return UNW_ROOT;
	if (pc == f->pc && cfa == f->reg[a->sp])
		return UNW_LOST;
	for (u32 i = 1; i < r->nr; i++) {
		u64 slot = cfa + (u64)(s64)r->rule[i].offset;
		u8 reg = r->rule[i].reg;

		if (unw_read(m, slot, &f->reg[reg]))
			known |= 1ULL << reg;
		else if (!is_given_back(f, a, slot))
			known &= ~(1ULL << reg);
	}
	m->missing = missing;
	f->reg[r->ra] = ra;
	f->reg[a->sp] = cfa;
	f->known = known | 1ULL << a->sp | (a->link ? 1ULL << r->ra : 0);
	f->pc = pc;
	f->interrupted = false;
	return UNW_CALLER;
}

enum unw_step unw_step(const struct unw_rules *r, const struct arch_frames *a, struct unw_memory *m,
		       struct unw_frame *f)
{
	struct unw_frame to = *f;
	enum unw_step ret;
	u64 cfa;

	if (likely(r->plain))
		return step_plain(r, a, m, f);
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
