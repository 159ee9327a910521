// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "disasm/disasm.h"

#ifdef HAVE_LIBCAPSTONE
#include "base/alloc.h"

#include <capstone/capstone.h>
#include <dlfcn.h>

/* The library has to have this version, because the structures of others differ. */
#define LIBRARY_OF(major) "libcapstone.so." #major
#define LIBRARY(major) LIBRARY_OF(major)

#define CALLS(X)                                                                                   \
	X(cs_open)                                                                                 \
	X(cs_close)                                                                                \
	X(cs_option)                                                                               \
	X(cs_disasm)                                                                               \
	X(cs_free)

struct disasm {
	void *library;
#define MEMBER(name) __typeof__(&name) name;
	CALLS(MEMBER)
#undef MEMBER
	csh handle;
	bool open;
};

static bool library_load(struct disasm *d)
{
	d->library = dlopen(LIBRARY(CS_API_MAJOR), RTLD_LAZY | RTLD_LOCAL);
	if (!d->library)
		return false;
#define FIND(name)                                                                                 \
	d->name = (__typeof__(d->name))dlsym(d->library, #name);                                   \
	if (!d->name)                                                                              \
		return false;
	CALLS(FIND)
#undef FIND
	return true;
}

static bool machine_of(const char *arch, bool wide, cs_arch *machine, cs_mode *mode)
{
	if (!arch || !strcmp(arch, "x86_64") || (arch[0] == 'i' && !strcmp(arch + 2, "86"))) {
		*machine = CS_ARCH_X86;
		*mode = wide ? CS_MODE_64 : CS_MODE_32;
		return true;
	}
	*machine = CS_ARCH_ARM64;
	*mode = CS_MODE_ARM;
	return !strcmp(arch, "aarch64") || !strcmp(arch, "arm64");
}

struct disasm *disasm_open(const char *arch, bool wide)
{
	struct disasm *d = xzalloc(sizeof(*d));
	cs_arch machine;
	cs_mode mode;

	if (machine_of(arch, wide, &machine, &mode) && library_load(d))
		d->open = d->cs_open(machine, mode, &d->handle) == CS_ERR_OK;
	if (!d->open) {
		disasm_close(d);
		return NULL;
	}
	if (machine == CS_ARCH_X86)
		d->cs_option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return d;
}

void disasm_close(struct disasm *d)
{
	if (!d)
		return;
	if (d->open)
		d->cs_close(&d->handle);
	if (d->library)
		dlclose(d->library);
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

#else

struct disasm *disasm_open(const char *arch, bool wide)
{
	(void)arch;
	(void)wide;
	return NULL;
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
#endif
