// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is what objdump wrote of a function; its lines are taken over and laid out. */
#include "base/compat.h"
#include "annotate/annotate-internal.h"
#include "arch/arch.h"

#include "base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(const char *arch, const uint8_t *data, size_t size)
{
	static struct annotate_site site = { 0x1003, 0, { 1, 1 } };
	static const struct annotate_function f = { .at = { .sym = UINT32_MAX },
						    .start = 0x1000,
						    .end = 0x1100,
						    .sites = &site,
						    .nr_sites = 1 };
	struct annotation *a = xzalloc(sizeof(*a));

	*a = (struct annotation){ .of = &f, .start = 0x1000, .end = 0x1100, .nr_events = 1 };
	annotation_put(a, "", 0);
	annotate_objdump_parse(a, arch_of(arch), (const char *)data, size);
	annotate_link(a);
	for (size_t i = 0; i < a->nr; i++)
		if (strlen(annotation_text(a, a->lines[i].text)) >= a->text.len)
			abort();
	annotations_free(a, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	take("x86_64", data, size);
	take("aarch64", data, size);
	return 0;
}
