/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms in which delays and their reasons are shown. */
#ifndef PERF_SCHEDTEXT_WHY_INTERNAL_H
#define PERF_SCHEDTEXT_WHY_INTERNAL_H

#include "schedtext/chains.h"
#include "schedtext/delay-map.h"
#include "schedtext/why.h"

struct why {
	const struct why_show *show;
	struct analysis *a;
	struct sched_why *state;
	struct sched_chains *chains;
	struct delay_map *map; /* NULL: none */
	struct strbuf *out;
};

/** why_chain - append the frames of a call chain. Return: false: it is not known. */
bool why_chain(const struct why *y, const struct sched_chain_at *of, u32 chain, struct strbuf *out);

/** why_json - append delays, an object in each line. */
void why_json(const struct why *y, const struct why_delay *delays, size_t nr);

#endif
