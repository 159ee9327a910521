// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "running/running.h"

#include "kernel/synth.h"
#include "symbol/object-id.h"

#include <errno.h>

/* By its build-id, a table of its symbols that an earlier run has kept is found. */
static void identify(struct machine *m, const struct sysroot *sr)
{
	static const char kernel[] = "[kernel.kallsyms]";
	u8 id[20];
	int n = object_id(sr, kernel, true, 0, id);

	if (n > 0)
		machine_set_build_id(m, kernel, PERF_RECORD_MISC_KERNEL, id, (u8)n);
}

void running_kernel_open(struct running_kernel *k, const struct sysroot *sr,
			 const struct recording_options *o)
{
	const struct perf_event_attr attr = { .size = sizeof(attr) };
	const struct symconf conf = {
		.sysroot = sr,
		.symfs = o->symfs,
		.vmlinux = o->vmlinux,
		.kallsyms = o->kallsyms,
		.buildid_dir = o->buildid_dir,
		.cache = o->cache,
	};
	struct strbuf records = STRBUF_INIT;
	struct wire_layout layout;
	struct synth s = { .sysroot = sr, .layout = &layout, .out = &records };
	size_t at = 0;

	layout_init(&layout, &attr);
	synth_kernel(&s);
	synth_cgroups(&s);
	k->machine = machine_new();
	while (records.len - at >= sizeof(wire_header)) {
		const wire_header *h = (const void *)(records.buf + at);

		machine_apply(k->machine, h, h->size, 0, NULL);
		at += h->size;
	}
	identify(k->machine, sr);
	machine_seal(k->machine);
	k->symbols = symbols_new(&conf);
	strbuf_release(&records);
}

void running_kernel_close(struct running_kernel *k)
{
	symbols_free(k->symbols);
	machine_free(k->machine);
}

const char *running_kernel_name(const struct running_kernel *k, u64 address, u64 *start)
{
	return resolve_kernel_name(k->machine, k->symbols, address, start);
}

void running_kernel_places(const struct running_kernel *k, const char *const *names, u64 *addrs,
			   size_t nr)
{
	const struct map *kernel = machine_kernel_map(k->machine);

	if (kernel)
		symtab_places(symbols_load(k->symbols, kernel->dso), names, addrs, nr);
}

int running_kernel_lock(const struct running_kernel *k, const char *text, u64 *address,
			struct err *err)
{
	char *end;

	errno = 0;
	*address = strtoull(text, &end, 16);
	if (!errno && !*end && end != text)
		return 0;
	*address = 0;
	running_kernel_places(k, &text, address, 1);
	return *address ? 0
			: err_set(err, -ENOENT,
				  "the kernel tells of no variable '%s', and without "
				  "CONFIG_KALLSYMS_ALL of none: give the address of the lock in "
				  "hex, as perf lock contention -b -l shows it",
				  text);
}
