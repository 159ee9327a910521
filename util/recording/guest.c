// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "recording/guest.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

#include <errno.h>
#include <inttypes.h>

void guest_symbols(const struct guest_options *g, struct symconf *conf)
{
	conf->guest_vmlinux = g->vmlinux;
	conf->guest_kallsyms = g->kallsyms;
	conf->guest_mount = g->mount;
}

/* Map a module of a guest, as a record of it would have done. */
static void map_module(struct machine *m, const char *name, u64 start, u64 size)
{
	struct {
		struct perf_event_header hdr;
		u32 pid, tid;
		u64 start, len, pgoff;
		char filename[72];
	} rec = {
		.hdr = { PERF_RECORD_MMAP, PERF_RECORD_MISC_GUEST_KERNEL, sizeof(rec) },
		.start = start,
		.len = size,
	};

	snprintf(rec.filename, sizeof(rec.filename), "[%s]", name);
	machine_apply(m, &rec.hdr, sizeof(rec), 0, NULL);
}

/* Map the modules of a file like /proc/modules: name, size, users, their names, state, address. */
static int map_modules(const char *path, struct machine *m, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = sysroot_read(NULL, &text, "%s", path);
	char name[64], *line, *next;
	u64 size, start;

	if (ret) {
		strbuf_release(&text);
		return err_set(err, ret, "cannot read the guest's modules '%s': %s", path,
			       err_str(ret));
	}
	for (line = text.len ? text.buf : NULL; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s 0x%" SCNx64, name, &size, &start) ==
			    3 &&
		    start && size)
			map_module(m, name, start, size);
	}
	strbuf_release(&text);
	return 0;
}

int guest_start(const struct guest_options *g, struct machine *m, struct err *err)
{
	if (g->code)
		machine_set_guest_code(m);
	return g->modules ? map_modules(g->modules, m, err) : 0;
}
