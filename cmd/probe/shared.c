// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/probe/probe.h"

#include "base/alloc.h"
#include "cmd/common/message.h"

void probe_want_add(struct probe_cmd *c, struct probe_want w)
{
	VEC_GROW(c->wants, c->nr_wants + 1, c->cap_wants);
	c->wants[c->nr_wants++] = w;
}

void probe_want_failed(const struct probe_want *w, struct err *err)
{
	if (w->line)
		err_prefix(err, "Line %u of standard input", w->line);
}

void probe_target_of(const struct probe_cmd *c, const char *exec, const char *module,
		     struct probe_target *t)
{
	bool given = exec || module;

	*t = (struct probe_target){
		.sysroot = &c->sysroot,
		.exec = given ? exec : c->exec,
		.module = given ? module : c->module,
		.vmlinux = c->vmlinux,
		.symfs = c->symfs,
		.source = c->source,
		.pid = (u32)MAX(c->target_ns, 0),
		.offline = c->definition && c->vmlinux,
	};
	if (!t->exec)
		t->far_returns = probe_kernel_knows(&c->sysroot, "place (kretprobe)");
	t->demangle = t->exec ? c->demangle : c->demangle_kernel;
}

void probe_say(const struct probe_cmd *c, const char *fmt, ...)
{
	va_list ap;

	if (c->quiet)
		return;
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
}

int probe_fail(const struct err *err, const char *what)
{
	error_err(err);
	error("Failed to %s.", what);
	return err->code;
}
