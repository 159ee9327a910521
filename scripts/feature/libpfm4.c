// SPDX-License-Identifier: GPL-2.0-or-later
/* Event names of processors. Its tables are large, so the library is loaded when a name is looked
 * up; only the header is needed to build. */
#include <dlfcn.h>
#include <perfmon/pfmlib.h>

int main(void)
{
	pfm_event_attr_info_t info = { .size = sizeof(info) };

#ifdef PERF_STATIC
	return info.type != PFM_ATTR_NONE || pfm_initialize();
#else
	return info.type != PFM_ATTR_NONE || !dlopen;
#endif
}
