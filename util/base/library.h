/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Libraries that are loaded when they are needed, so that commands which do not need them start
 * faster and run without them. A static perf (make static) cannot load anything: libraries that it
 * has inside are found by the same calls, and no others.
 */
#ifndef PERF_BASE_LIBRARY_H
#define PERF_BASE_LIBRARY_H

#include <dlfcn.h>
#include <stddef.h>

#ifdef PERF_STATIC
/** LIBRARY_LOAD - a library that is linked when perf is static. NULL: it cannot be loaded. */
#define LIBRARY_LOAD(file, mode) ((void *)file)
/** LIBRARY_FIND - the address of one of its functions; NULL: the library does not have it. */
#define LIBRARY_FIND(handle, function) ((void *)(function))
/** LIBRARY_VARIABLE - the address of one of its variables; NULL: the library does not have it. */
#define LIBRARY_VARIABLE(handle, variable) ((void *)&(variable))
#define LIBRARY_DROP(handle) ((void)(handle))
/** PLUGIN_LOAD - a file of users, or a library that a static perf goes without. */
#define PLUGIN_LOAD(file, mode) ((void)(file), (void *)NULL)
#else
#define LIBRARY_LOAD(file, mode) dlopen(file, mode)
#define LIBRARY_FIND(handle, function) dlsym(handle, #function)
#define LIBRARY_VARIABLE(handle, variable) dlsym(handle, #variable)
#define LIBRARY_DROP(handle) dlclose(handle)
#define PLUGIN_LOAD(file, mode) dlopen(file, mode)
#endif

#endif
