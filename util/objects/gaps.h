/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A gap is an object in which samples of a recording fell, but whose file, symbols or source lines
 * are not found on this machine. `perf buildid-list --missing` lists them, with what would help.
 */
#ifndef PERF_OBJECTS_GAPS_H
#define PERF_OBJECTS_GAPS_H

#include "recording/recording.h"

enum gap_what {
	GAP_FILE = 1 << 0,    /* the object itself, in the build that was recorded */
	GAP_SYMBOLS = 1 << 1, /* there are none, or only those that it exports */
	GAP_LINES = 1 << 2    /* source lines and inlined functions */
};

struct gap {
	const struct dso *dso; /* borrowed from the recording */
	u64 samples;
	unsigned int what; /* of enum gap_what; never 0 */
	const char *why;   /* borrowed from its symbols: why they are missing; NULL: they are not */
	const char *origin; /* borrowed: path of the file that packages may own; NULL: none */
	char *package;      /* owned: the package that owns it; NULL: not known */
};

struct gaps {
	struct gap *v; /* owned; those with most samples first */
	size_t nr, cap;
	u64 samples;  /* of all objects */
	char *kernel; /* owned: the path of the recorded kernel's image, as a package has it */
};

/**
 * gaps_find - read all samples of a recording, and look for the symbols of the objects in which
 * they fell. Code that is in no file is left out.
 * @out: zeroed; free it before @r is closed
 * Return: 0, or negative errno and a sentence.
 */
int gaps_find(struct recording *r, struct gaps *out, struct err *err);
/** gaps_find_packages - find the packages that own the objects. @symfs: where the files of the
 * recorded system are */
void gaps_find_packages(struct gaps *g, const struct symfs *symfs);
/** gaps_release - free the list. */
void gaps_release(struct gaps *g);

/**
 * gaps_text - append what is missing, and what would help.
 * @symfs: where the files of the recorded system are
 * @servers: debuginfod could be asked
 */
void gaps_text(const struct gaps *g, const struct symfs *symfs, bool servers, struct strbuf *out);

#endif
