/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header features of a recording that is being made, as an array for the writer: features that
 * describe its events, the machine and the command line. The maker of the recording adds its own.
 */
#ifndef PERF_SESSION_FEATURES_H
#define PERF_SESSION_FEATURES_H

#include "base/sysroot.h"
#include "events/evlist.h"
#include "file/feature.h"
#include "file/writer.h"

struct features {
	struct writer_feature v[40]; /* the bodies are owned */
	size_t nr;
};

/**
 * writer_attrs - return the events in the form that the writer takes. The caller frees the array;
 * its contents are borrowed.
 */
struct writer_attr *writer_attrs(const struct evlist *l);
/** features_add - add feature @bit with an empty body. Return: the body, to be filled in. */
struct strbuf *features_add(struct features *f, u32 bit);
/**
 * features_host - add a feature that describes this machine, if @bit is such a feature and its
 * contents are known.
 */
void features_host(struct features *f, const struct sysroot *sr, u32 bit);
/** features_events - add EVENT_DESC. */
void features_events(struct features *f, const struct evlist *l);
/** features_groups - add GROUP_DESC, if there are groups. */
void features_groups(struct features *f, const struct evlist *l);
/** features_cmdline - add CMDLINE. */
void features_cmdline(struct features *f, int argc, const char *const *argv);
/** features_release - free the bodies. */
void features_release(struct features *f);

#endif
