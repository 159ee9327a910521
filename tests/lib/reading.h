/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open a recording in memory, with its state and its formats. Fuzz targets that make something of
 * whole recordings begin with this. */
#ifndef TESTS_READING_H
#define TESTS_READING_H

#include "machine/machine.h"
#include "session/session.h"
#include "tracefmt/tracefmt.h"

struct symbols;

struct reading {
	struct session session;
	struct machine *machine;
	struct symbols *symbols; /* no_symbols() */
	struct tracefmt *tracefmt;
};

/** no_symbols - symbols of an instance that finds no file of this machine. */
struct symbols *no_symbols(void);

/** reading_open - Return: 0; negative errno: these bytes are no recording, nothing is open. */
int reading_open(struct reading *r, const void *data, size_t size);
void reading_close(struct reading *r);
/** reading_formats - takes the formats of tracepoints anew; the earlier ones are gone. */
void reading_formats(struct reading *r, const struct env *env);

/* Sinks of the drivers, for contexts that begin with their struct reading. */
int reading_state(void *ctx, const struct session_event *ev, struct err *err);
int reading_ready(void *ctx, struct err *err);

#endif
