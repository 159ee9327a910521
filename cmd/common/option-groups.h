/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of options that several commands have: a command names a group in its table and gets all
 * of its options in one line.
 */
#ifndef PERF_CMD_COMMON_OPTION_GROUPS_H
#define PERF_CMD_COMMON_OPTION_GROUPS_H

#include "cli/options.h"
#include "recording/event-switch.h"
#include "recording/guest.h"

/* @sw: a struct event_switch */
#define EVENT_SWITCH_OPTIONS(sw)                                                                   \
	OPT_STRING(0, "switch-on", &(sw)->on, "event",                                             \
		   "Consider events after the ocurrence of this event"),                           \
		OPT_STRING(0, "switch-off", &(sw)->off, "event",                                   \
			   "Stop considering events after the ocurrence of this event"),           \
		OPT_BOOLEAN(                                                                       \
			0, "show-on-off-events", &(sw)->show,                                      \
			"Show the on/off switch events, used with --switch-on and --switch-off")

/* @g: a struct guest_options */
#define GUEST_OPTIONS(g)                                                                           \
	OPT_STRING(0, "guestmount", &(g)->mount, "directory",                                      \
		   "guest mount directory under which every guest os instance has a subdir"),      \
		OPT_STRING(0, "guestvmlinux", &(g)->vmlinux, "file",                               \
			   "file saving guest os vmlinux"),                                        \
		OPT_STRING(0, "guestkallsyms", &(g)->kallsyms, "file",                             \
			   "file saving guest os /proc/kallsyms"),                                 \
		OPT_STRING(0, "guestmodules", &(g)->modules, "file",                               \
			   "file saving guest os /proc/modules"),                                  \
		OPT_BOOLEAN(0, "guest-code", &(g)->code,                                           \
			    "Guest code can be found in hypervisor process")

#endif
