/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sample at hand, as programs of users ask about it: filters (dlfilter.h) and scripts
 * (engine.h). Whoever hands a sample to such a program calls view_enter() before and view_leave()
 * after; in between, all that is known of the sample can be looked up. A view that starts zeroed
 * has no sample at hand.
 */
#ifndef PERF_SCRIPT_VIEW_H
#define PERF_SCRIPT_VIEW_H

#include "arch/insn.h"
#include "base/strbuf.h"
#include "resolve/callchain.h"
#include "resolve/srcline.h"
#include "session/session.h"
#include "tracefmt/tracefmt.h"

struct code_files;
struct source_files;

/* The recording that samples are from. Everything is borrowed. */
struct view_source {
	const struct session *session;
	const struct machine *machine;
	struct symbols *symbols;
	const struct tracefmt *tracefmt; /* NULL: there are no formats of tracepoints */
	struct callchain_source chains;
	u32 max_stack; /* the most frames of a call chain */
	bool inlines;  /* inlined functions are frames, too */
};

/* An address that was looked up. Strings are borrowed and live as long as the recording. */
struct view_place {
	u64 ip, addr;                   /* in memory, and in the object */
	const char *sym;                /* NULL: unknown */
	u64 sym_start, sym_end, symoff; /* of the symbol, addresses in the object */
	bool inlined;                   /* it is a function that was inlined at the address */
	u8 cpumode;
	const struct dso *dso;       /* NULL: nothing is mapped there */
	const char *object;          /* path of the object; NULL: likewise */
	const struct map *map;       /* NULL: likewise */
	const struct symtab *symtab; /* NULL: likewise */
	u32 index;                   /* of the symbol, in it; UINT32_MAX: there is none */
};

/* The source of data of samples that do not tell it: nothing of it is available. */
#define VIEW_NO_DATA_SRC 0x5080021

#define VIEW_NEAR 16 /* mappings, by epoch and mode */

struct view {
	struct view_source of;
	const struct arch *arch;
	const struct session_event *ev; /* NULL: no sample is at hand */
	const struct thread_at *at;     /* its thread */
	/* private */
	struct resolver *resolver;
	struct resolve_near near[VIEW_NEAR];
	struct code_files *files;
	struct srclines *lines;
	struct source_files *sources;
	struct callchain_conf chains;
	struct callchain_maker maker;
	struct view_place *frames; /* owned */
	size_t cap_frames;
	struct strbuf text;
	u8 insn[INSN_MAX];
	const struct dso *id_of; /* whose build-id stands in the next */
	char build_id[41];
};

/** view_open - prepare to look at samples. view_close() frees what was made. */
void view_open(struct view *v, const struct view_source *of);
void view_close(struct view *v);

/** view_enter - a sample comes to hand. @ev, @at: borrowed until view_leave() */
static inline void view_enter(struct view *v, const struct session_event *ev,
			      const struct thread_at *at)
{
	v->ev = ev;
	v->at = at;
}

/** view_leave - the sample is gone. */
static inline void view_leave(struct view *v)
{
	v->ev = NULL;
}

/* The following functions are for samples at hand. */

/** view_find - look up an address of the sample's process. @cpumode: as for resolve_find() */
void view_find(struct view *v, u8 cpumode, u64 ip, struct location *out);
/** view_place - look up an address and its names. */
void view_place(struct view *v, u8 cpumode, u64 ip, struct view_place *out);
/** view_binding - return STB_* of the symbol of a place; of an inlined function, that of the one
 * around it. */
u8 view_binding(const struct view_place *p);
/** view_addr_is_place - tell whether addr of the samples of an event is an address that
 * view_place() can look up. */
bool view_addr_is_place(const struct evsel *e);
/** view_build_id - return the build-id of an object in hex, as recorded or as its file has it now;
 * "": unknown. It is valid until the next call. */
const char *view_build_id(struct view *v, const struct view_place *p);
/** view_data_src - return the source of data of the sample, or VIEW_NO_DATA_SRC. */
static inline u64 view_data_src(const struct view *v)
{
	return v->ev->evsel->attr.sample_type & PERF_SAMPLE_DATA_SRC ? v->ev->sample->data_src
								     : VIEW_NO_DATA_SRC;
}
/**
 * view_frames - look up the call chain of the sample.
 * @out: the frames, innermost first, valid until the next call
 * Return: their number.
 */
size_t view_frames(struct view *v, const struct view_place **out);

/**
 * view_code - read code as it was at the time of the sample.
 * @wide: is set to whether the object has addresses of 64 bits; may be NULL
 * Return: the number of bytes.
 */
size_t view_code(struct view *v, const struct location *l, void *buf, size_t size, bool *wide);
/** view_insn - return the instruction at the address of the sample, valid until the next call;
 * NULL: it is unknown. */
const u8 *view_insn(struct view *v, u32 *len);
/** view_srcline - return the line of source of the sample's address, and its file (borrowed); 0:
 * unknown. */
u32 view_srcline(struct view *v, const char **file);
/** view_source - return the text of that line, of *@len bytes (borrowed); NULL: it cannot be
 * read. */
const char *view_source(struct view *v, const char *file, u32 line, size_t *len);

/* The parts of a sample that view_text() describes. */
enum view_text {
	VIEW_INTR_REGS,
	VIEW_USER_REGS,
	VIEW_DATA_SRC,
};
/** view_text - return a part of the sample as text, valid until the next call; "" when the sample
 * lacks it. */
const char *view_text(struct view *v, enum view_text what);

#endif
