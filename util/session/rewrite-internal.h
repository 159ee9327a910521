/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of the rewriting share this. */
#ifndef PERF_SESSION_REWRITE_INTERNAL_H
#define PERF_SESSION_REWRITE_INTERNAL_H

#include "session/rewrite.h"

/* The features of the output, in the order of bits. Bodies that are not in @own are borrowed from
 * the input. */
struct rewrite_features {
	struct writer_feature v[HEADER_FEAT_BITS];
	size_t nr;
	u64 own[HEADER_FEAT_BITS / 64];
};

/** rewrite_features - collect those of the input that are valid for the output, as far as they are
 * known now. rewrite_features_release() frees them. */
void rewrite_features(struct rewrite *rw, struct rewrite_features *f);
void rewrite_features_release(struct rewrite_features *f);
/** rewrite_outdated - tell whether a feature of the input is not valid for the output. */
bool rewrite_outdated(const struct rewrite *rw, u32 bit);

/**
 * rewrite_attr_record - change the attr of a HEADER_ATTR record of @len bytes in the byte order of
 * the output; the second word of the attr is its size.
 */
void rewrite_attr_record(const struct rewrite *rw, u8 *rec, size_t len);
/**
 * rewrite_feature_body - change the body of a feature, in the byte order of the output. Return:
 * false when the feature is left out.
 */
bool rewrite_feature_body(const struct rewrite *rw, u32 bit, u8 *body, size_t len);

#endif
