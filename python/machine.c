// SPDX-License-Identifier: GPL-2.0-or-later
/* These functions tell of the machine: the configuration of perf, where event names come from, the
 * numbers of system calls. */
#include "python/module.h"

#include "arch/arch.h"
#include "arch/elf.h"
#include "arch/syscalls.h"
#include "cli/config.h"
#include "perf-paths.h"

/* ---- the configuration ---- */

/* Return the configuration, which is read once; NULL with an exception when what is wrong with its
 * files is a warning that the program has made an error. */
static const struct config *settings(void)
{
	static struct config config;
	static bool loaded;
	const char *problems;

	if (loaded)
		return &config;
	config_release(&config);
	config_load(&config, CONFIG_ALL, PERF_SYSCONFDIR "/perfconfig");
	problems = strbuf_str(&config.problems);
	if (*problems && PyErr_WarnEx(PyExc_RuntimeWarning, problems, 1))
		return NULL;
	loaded = true;
	return &config;
}

PyObject *pm_config_get(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "name", NULL };
	const struct config *c;
	const char *name;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s:config_get", keywords, &name))
		return NULL;
	c = settings();
	return c ? pm_text(config_get(c, name)) : NULL;
}

bool pm_sources_init(struct event_sources *s)
{
	const struct config *c = settings();
	const char *dir = c ? config_get(c, "events.dir") : NULL;

	if (!c)
		return false;
	event_sources_init(s, &pm_machine, getenv("PERF_CPUID"));
	if (dir && *dir)
		event_sources_add_dir_later(s, dir);
	return true;
}

/* ---- system calls ---- */

/* Return an ELF machine number; 0 stands for that of this machine. */
static unsigned int machine_or_own(unsigned int given)
{
	const struct arch *a = arch_host();

	return given || !a->nr_elf ? given : a->elf[0].machine;
}

PyObject *pm_syscall_name(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "id", "elf_machine", NULL };
	unsigned int machine = 0;
	const char *name;
	size_t len;
	int id;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i|$I:syscall_name", keywords, &id,
					 &machine))
		return NULL;
	name = id >= 0 ? syscall_name(machine_or_own(machine), (u32)id, &len) : NULL;
	if (!name)
		Py_RETURN_NONE;
	return PyUnicode_FromStringAndSize(name, (Py_ssize_t)len);
}

PyObject *pm_syscall_id(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "name", "elf_machine", NULL };
	unsigned int machine = 0;
	const char *name;
	int id;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|$I:syscall_id", keywords, &name,
					 &machine))
		return NULL;
	machine = machine_or_own(machine);
	id = syscall_number(machine, name);
	if (id >= 0)
		return PyLong_FromLong(id);
	return PyErr_Format(PyExc_ValueError, "no system call '%s' is known of ELF machine %u",
			    name, machine);
}
