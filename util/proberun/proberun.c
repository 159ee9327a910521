// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "proberun/proberun.h"

#include "kernel/probe-files.h"
#include "kernel/synth.h"

/* Return the file that a module has in the tree of modules. The caller frees it; NULL: none is
 * known. */
static char *module_file(const struct probe_run *r, const char *module)
{
	char *path = kernel_module_file(&r->sysroot, module, strlen(module)), *full;

	if (!path)
		return NULL;
	full = sysroot_path(&r->sysroot, "%s", path);
	free(path);
	return full;
}

void run_target_init(struct run_target *t, const struct probe_run *r, const char *exec,
		     const char *module)
{
	*t = (struct run_target){ 0 };
	t->target = (struct probe_target){
		.sysroot = &r->sysroot,
		.cache = r->objects,
		.exec = exec,
		.module = module,
		.vmlinux = r->vmlinux,
		.symfs = r->symfs,
		.source = r->source,
		.pid = r->pid,
		.offline = r->definitions && r->vmlinux,
	};
	if (module)
		t->module_file = module_file(r, module);
	t->target.module_file = t->module_file;
	if (!exec)
		t->target.far_returns = probe_kernel_knows(&r->sysroot, "place (kretprobe)");
	t->target.demangle = exec ? r->demangle : r->demangle_kernel;
}

void run_target_release(struct run_target *t)
{
	free(t->module_file);
	*t = (struct run_target){ 0 };
}
