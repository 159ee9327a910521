// SPDX-License-Identifier: GPL-2.0-or-later
/* Plugins for tracepoints. The library is loaded when it is needed: its headers are all a build
 * wants. Libraries older than 1.4 cannot be told to be quiet. */
#include <dlfcn.h>
#include <traceevent/event-parse.h>

int main(void)
{
	__typeof__(&tep_set_loglevel) set_loglevel;

	*(void **)&set_loglevel =
		dlsym(dlopen("libtraceevent.so.1", RTLD_LAZY), "tep_set_loglevel");
	return !set_loglevel;
}
