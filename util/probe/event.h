/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that probes make: their names, the lines of tracefs' kprobe_events and uprobe_events that
 * make them, and what such lines say. Source of the format: the kernel's documentation,
 * trace/kprobetrace.rst and trace/uprobetracer.rst.
 */
#ifndef PERF_PROBE_EVENT_H
#define PERF_PROBE_EVENT_H

#include "base/intern.h"
#include "base/name-list.h"
#include "probe/fetch.h"

#define PROBE_NAME_MAX 63 /* bytes of the name of a group or an event */

/* Owned strings. */
struct probe_event {
	char *group, *event;
	bool returns;
	struct probe_point point;
	struct probe_fetches args;
};

void probe_event_release(struct probe_event *e);

/** probe_group_name - return the group that events of an object are in when the user names none:
 * "probe", "probe_PROGRAM", of markers "sdt_PROVIDER". The caller frees it. */
char *probe_group_name(const struct probe_object *o, const struct probe_point *p);

/* The names of the events that there are. */
struct probe_names {
	struct intern all; /* "GROUP:EVENT" */
};
void probe_names_release(struct probe_names *n);
void probe_names_add(struct probe_names *n, const char *group, const char *event);
bool probe_names_has(const struct probe_names *n, const char *group, const char *event);

/**
 * probe_event_name - choose the name of an event: the user's, or one that is made of the function,
 * its line and what the probe is; with a number at its end when that name is taken.
 * @more: names that are taken get a number even if the user chose them (-f, or one of several)
 * Return: the name, which the caller frees; NULL and a sentence when it is taken.
 */
char *probe_event_name(const struct probe_definition *d, const struct probe_point *p,
		       const char *group, const struct probe_names *taken, bool more,
		       struct err *err);

/* The events of one definition. */
struct probe_events {
	struct probe_event *v; /* owned */
	size_t nr;
	u64 skipped; /* as in struct probe_points */
};
void probe_events_release(struct probe_events *events);

/**
 * probe_events_find - make an event, still without a name, for each address of a definition.
 * @out: empty; to be released in any case. Its events borrow from @o
 * Return: 0, or a negative errno and a sentence.
 */
int probe_events_find(struct probe_object *o, const struct probe_definition *d,
		      const struct probe_limits *limits, struct probe_events *out, struct err *err);
/**
 * probe_events_name - give all events of a definition a name. Those of one function share it, and
 * so the event has several places; each function of a pattern has its own.
 * @taken: the names that there are; those that are given are added
 * @more: as for probe_event_name(), which is true of all but the first in any case
 * Return: 0, or a negative errno and a sentence.
 */
int probe_events_name(struct probe_events *events, const struct probe_definition *d,
		      struct probe_names *taken, bool more, struct err *err);

/**
 * probe_event_line - append the line, without newline, that makes the kernel add a probe.
 * Return: 0, or -EINVAL and a sentence when its parts cannot be written in such a line.
 */
int probe_event_line(const struct probe_object *o, const struct probe_event *e, struct strbuf *out,
		     struct err *err);

/**
 * probe_event_bootconfig - append the line of a boot configuration (the kernel's documentation,
 * trace/boottime-trace.rst) that makes the kernel add a probe when it boots.
 * Return: 0, or -EINVAL and a sentence, as for probes of programs.
 */
int probe_event_bootconfig(const struct probe_object *o, const struct probe_event *e,
			   struct strbuf *out, struct err *err);

/* A line of the tracing files, as the kernel shows it. Owned strings. */
struct probe_line {
	bool user, returns;
	char *group, *event;
	char *path;   /* user: the object; kernel: the module, NULL: none */
	char *symbol; /* kernel: the function; NULL: @offset is an address */
	u64 offset;
	u64 semaphore; /* user: where the file has the counter of a marker; 0: none */
	char **args;   /* "NAME=VALUE:TYPE" */
	size_t nr_args, cap_args;
};

/**
 * probe_line_parse - read a line of kprobe_events, or (@user) of uprobe_events.
 * Return: whether it is one. probe_line_release() is needed in both cases.
 */
bool probe_line_parse(struct probe_line *l, const char *text, size_t len, bool user);
void probe_line_release(struct probe_line *l);

#endif
