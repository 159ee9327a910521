/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings made in virtual machines while their host was recorded, put into the recording of the
 * host: its processes, their names and mappings, as far as they are needed to give the addresses of
 * a guest their meaning. Each event of a guest is added to the events of the host, with new ids; an
 * ID_INDEX record says to which virtual machine and processor each of these ids belongs.
 */
#ifndef PERF_INJECT_GUEST_H
#define PERF_INJECT_GUEST_H

#include "recording/recording.h"
#include "session/rewrite.h"

/* A recording of a guest: "FILE,PID[,OFFSET[,SCALE]]". */
struct guest_spec {
	char *path;   /* owned */
	u32 pid;      /* of the process of the host that runs the virtual machine */
	u64 offset;   /* see struct guest_clock; two's complement */
	double scale; /* 1: none was given */
};

/* The guests that were asked for. */
struct guest_specs {
	struct guest_spec *v; /* owned */
	size_t nr, cap;
};

/** guest_specs_add - parse one and add it. Return: 0, or -EINVAL and a sentence. */
int guest_specs_add(struct guest_specs *g, const char *text, struct err *err);
void guest_specs_release(struct guest_specs *g);

struct inject_guests;

/* inject_guests_new() needs these besides the recordings of the guests. */
struct guests_conf {
	const struct guest_specs *specs;
	struct recording *host; /* open, not read yet */
	const char *mount;      /* below it, by process id, are the root folders of guests; NULL */
	bool force, verbose;
	const struct notices *notices;
};

/**
 * inject_guests_new - open the recordings of guests, and find out which threads of the host run
 * their processors. inject_guests_free() frees the result.
 * @conf: what it points to is borrowed
 * Return: NULL and a sentence when one of them cannot be put into this recording.
 */
struct inject_guests *inject_guests_new(const struct guests_conf *conf, struct err *err);
void inject_guests_free(struct inject_guests *gs);
/** inject_guests_events - return the events to be added to the output, for struct rewrite_conf.
 * They live as long as @gs. */
const struct writer_attr *inject_guests_events(const struct inject_guests *gs, size_t *nr);
/** inject_guests_begin - start reading, and add the build-ids of the guests' objects. Return: 0, or
 * a negative errno and a sentence. */
int inject_guests_begin(struct inject_guests *gs, struct rewrite *rw, struct err *err);
/**
 * inject_guests_record - insert the records of guests that are earlier than a record of the host,
 * @ev, which tells as well on which CPU the processor of a guest runs.
 * Return: 0, or a negative errno and a sentence.
 */
int inject_guests_record(struct inject_guests *gs, struct rewrite *rw,
			 const struct session_event *ev, struct err *err);
/** inject_guests_rest - insert the records that are later than all of the host. Return: likewise.
 */
int inject_guests_rest(struct inject_guests *gs, struct rewrite *rw, struct err *err);
/** inject_guests_session - return the session of the @i-th guest, to tell what was damaged, or NULL
 * when there are no more. */
const struct session *inject_guests_session(const struct inject_guests *gs, size_t i);

#endif
