/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markers that a program carries for tracers (sys/sdt.h): ELF notes in .note.stapsdt, owner
 * "stapsdt", type 3, each of
 *
 *	address of the place, that of .stapsdt.base when it was linked, that of a semaphore or 0
 *	provider\0 name\0 arguments\0
 *
 * An argument is SIZE@OPERAND as the assembler writes it, a negative size for signed ones.
 */
#ifndef PERF_SYMBOL_SDT_H
#define PERF_SYMBOL_SDT_H

#include "base/strbuf.h"

struct sdt_note {
	char *provider, *name, *args; /* owned by the list */
	u64 at;                       /* file offset */
	u64 semaphore;                /* file offset, 0: none */
};

struct sdt_notes {
	struct sdt_note *v; /* owned */
	size_t nr, cap;
	u16 machine; /* EM_* */
};

/** sdt_read - read the markers of an object, in the order of the file. An object without any is
 * fine. Return: 0, or negative errno when it cannot be read. Release with sdt_release(). */
int sdt_read(struct sdt_notes *n, const char *path);
void sdt_release(struct sdt_notes *n);
/**
 * sdt_probe_text - append the line that makes the kernel trace it: "p:sdt_PROVIDER/NAME
 * PATH:0xOFFSET arg1=...", without newline. Arguments that a uprobe cannot fetch are left out; the
 * others keep their numbers. @path: of the object.
 */
void sdt_probe_text(const struct sdt_notes *n, const struct sdt_note *note, const char *path,
		    struct strbuf *out);
/** sdt_probe_args - append the arguments alone, each with a blank before it. */
void sdt_probe_args(const struct sdt_notes *n, const struct sdt_note *note, struct strbuf *out);
/**
 * sdt_cache_text - append what the file "probes" of a build-id cache has: for each marker the line
 * "%sdt_PROVIDER:NAME=NAME", then its probes.
 */
void sdt_cache_text(const struct sdt_notes *n, const char *path, struct strbuf *out);

#endif
