/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf inject --aslr`: a recording without the addresses of the machine where it was made, so that
 * it can be given away. Reports of it are those of the original, as every address stays at its
 * place in its object.
 */
#ifndef PERF_INJECT_ASLR_H
#define PERF_INJECT_ASLR_H

#include "session/rewrite.h"
#include "tracefmt/tracefmt.h"

struct inject_aslr;

/** inject_aslr_new - prepare, before the first record. inject_aslr_free() frees the result.
 * @swap: the recording is of the other byte order */
struct inject_aslr *inject_aslr_new(bool swap);
void inject_aslr_free(struct inject_aslr *a);
/** aslr_about - the changes of what the recording says about itself, for struct rewrite_conf. */
extern const struct rewrite_about aslr_about;
/** inject_aslr_events - take notice of the formats of tracepoints, as they become known. */
void inject_aslr_events(struct inject_aslr *a, const struct env *env);
/**
 * inject_aslr_record - process one record in time order. It is replaced where it has addresses, and
 * dropped where its contents are not understood.
 * Return: the verdict for the record.
 */
enum rewrite_verdict inject_aslr_record(struct inject_aslr *a, struct rewrite *rw,
					const struct session_event *ev);

#endif
