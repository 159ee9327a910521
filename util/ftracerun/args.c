// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel tells the arguments of functions, and by which of them interrupts enter. */
#include "base/compat.h"
#include "ftracerun/run-internal.h"

void frun_irqs(struct run *r)
{
	static const char *const names[] = { "__irqentry_text_start", "__irqentry_text_end" };
	u64 at[2] = { 0 };

	running_kernel_places(frun_kernel(r), names, at, ARRAY_SIZE(names));
	/* Where they are not known, the span is empty, and nobody looks again. */
	r->show.irqs = at[0] && at[1] > at[0] ? at[0] : 1;
	r->show.irqs_end = r->show.irqs == 1 ? 1 : at[1];
}

bool frun_args(void *ctx, u64 function, const unsigned long *regs, size_t nr, struct strbuf *out)
{
	struct run *r = ctx;
	u64 start;
	const char *name = r->text.printer.ksym(r, function, &start);

	/* A kernel without types of its own has no names: then values are shown alone. */
	if (!r->types_open && !btf_open_kernel(&r->types, r->c->sysroot, NULL))
		kfuncs_index(&r->functions, &r->types);
	r->types_open = true;
	return name && r->types.nr &&
	       kfunc_args_put(&r->types, kfuncs_find(&r->functions, name), regs, nr, out);
}
