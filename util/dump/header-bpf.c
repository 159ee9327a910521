// SPDX-License-Identifier: GPL-2.0-or-later
/* The BPF programs that were loaded during the recording, and the types (BTF) of some. */
#include "base/compat.h"
#include "dump/header-internal.h"

#include "codec/bpf-info.h"

static void put_function(const struct bpf_function *f, struct strbuf *out)
{
	strbuf_addname(out, f->name);
	strbuf_addf(out, " addr 0x%" PRIx64 " size %u\n", f->addr, f->size);
}

/* Append the functions of a program, @nr of them. */
static void put_program(const struct bpf_function *f, size_t nr, struct strbuf *out)
{
	strbuf_addf(out, "# bpf_prog_info %u:", f->id);
	if (nr == 1) {
		strbuf_addch(out, ' ');
		put_function(f, out);
		return;
	}
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < nr; i++) {
		strbuf_addf(out, "# \tsub_prog %zu: ", i);
		put_function(&f[i], out);
	}
}

void put_bpf_programs(const struct cur *info, const struct cur *btf, struct strbuf *out)
{
	struct bpf_programs l;
	size_t nr;

	if (info->swap) /* the kernel's structure is in the order of the recorded machine */
		return;
	bpf_programs_read(&l, info->p, cur_left(info), btf->p, cur_left(btf));
	for (size_t i = 0; i < l.nr; i += nr) {
		for (nr = 1; i + nr < l.nr && l.v[i + nr].id == l.v[i].id;)
			nr++;
		put_program(&l.v[i], nr, out);
	}
	bpf_programs_release(&l);
}

void put_btf(struct cur *c, struct strbuf *out)
{
	u32 nr = cur_u32(c), i;

	for (i = 0; i < nr && !c->swap; i++) {
		u32 id = cur_u32(c);

		cur_skip(c, cur_u32(c));
		if (!cur_ok(c))
			return;
		strbuf_addf(out, "# btf info of id %u\n", id);
	}
}
