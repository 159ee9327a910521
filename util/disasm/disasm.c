// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "disasm/disasm.h"

#ifdef HAVE_LIBCAPSTONE
#include "arch/arch.h"
#include "base/alloc.h"
#include "base/library.h"
#include "disasm/disasm-internal.h"

/* The library has to have this version, because the structures of others differ. */
#define LIBRARY_OF(major) "libcapstone.so." #major
#define LIBRARY(major) LIBRARY_OF(major)

static bool library_load(struct disasm *d)
{
	d->library = LIBRARY_LOAD(LIBRARY(CS_API_MAJOR), RTLD_LAZY | RTLD_LOCAL);
	if (!d->library)
		return false;
#define FIND(name)                                                                                 \
	d->name = (__typeof__(d->name))LIBRARY_FIND(d->library, name);                             \
	if (!d->name)                                                                              \
		return false;
	CAPSTONE_CALLS(FIND)
#undef FIND
	return true;
}

/* The description of each instruction set as the library needs it. */
static const struct insn_set {
	cs_arch machine;
	cs_mode wide, narrow; /* the modes for programs of 64 bits and of 32 bits */
	bool att;             /* the text has the syntax of the GNU assembler */
	u8 step;              /* instructions begin at multiples of it; 0: unknown */
} insn_sets[ARCH_CODE_NR] = {
	[ARCH_CODE_X86] = { CS_ARCH_X86, CS_MODE_64, CS_MODE_32, true, 1 },
	[ARCH_CODE_ARM64] = { CS_ARCH_ARM64, CS_MODE_ARM, CS_MODE_ARM, false, 4 },
};

struct disasm *disasm_open(const struct arch *arch, bool wide)
{
	const struct insn_set *l = &insn_sets[arch->code];
	struct disasm *d = xzalloc(sizeof(*d));

	d->insn_set = l;
	d->code = arch->code;
	d->wide = wide;
	if (l->step && library_load(d))
		d->open = d->cs_open(l->machine, wide ? l->wide : l->narrow, &d->handle) ==
			  CS_ERR_OK;
	if (!d->open) {
		disasm_close(d);
		return NULL;
	}
	if (l->att)
		d->cs_option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return d;
}

bool disasm_syntax(struct disasm *d, const char *name)
{
	bool intel = !strcmp(name, "intel");

	if (!d->insn_set->att || (!intel && strcmp(name, "att") != 0))
		return false;
	return d->cs_option(d->handle, CS_OPT_SYNTAX,
			    intel ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT) == CS_ERR_OK;
}

void disasm_close(struct disasm *d)
{
	if (!d)
		return;
	if (d->open)
		d->cs_close(&d->handle);
	if (d->library)
		LIBRARY_DROP(d->library);
	free(d);
}

u32 disasm_text(struct disasm *d, const u8 *p, size_t size, u64 ip, struct strbuf *out)
{
	cs_insn *insn;
	u32 len;

	if (!d->cs_disasm(d->handle, p, size, ip, 1, &insn))
		return 0;
	strbuf_addf(out, *insn->op_str ? "%s %s" : "%s", insn->mnemonic, insn->op_str);
	len = insn->size;
	d->cs_free(insn, 1);
	return len;
}

u32 disasm_step(const struct disasm *d)
{
	return d->insn_set->step;
}

#else

struct disasm *disasm_open(const struct arch *arch, bool wide)
{
	(void)arch;
	(void)wide;
	return NULL;
}

bool disasm_syntax(struct disasm *d, const char *name)
{
	(void)d;
	(void)name;
	return false;
}

void disasm_close(struct disasm *d)
{
	(void)d;
}

u32 disasm_text(struct disasm *d, const u8 *p, size_t size, u64 ip, struct strbuf *out)
{
	(void)d;
	(void)p;
	(void)size;
	(void)ip;
	(void)out;
	return 0;
}

u32 disasm_step(const struct disasm *d)
{
	(void)d;
	return 1;
}
#endif
