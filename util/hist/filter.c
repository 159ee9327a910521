// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The filters --comms, --dsos and --symbols. Whether a name passes is decided once, and asked once
 * for each tally.
 */
#include "base/compat.h"

#include "hist/rows-internal.h"

/* Tell whether an object is listed, by the name that is shown or by its other one; see
 * hist_dso_id(). */
static bool dso_listed(const struct hist *h, u32 dso)
{
	const char *shown = hist_dso_name(h, dso);
	size_t len = strlen(shown) + 1;

	return name_list_has(h->conf.dsos, shown) ||
	       (len < h->dso_names.lens[dso] && name_list_has(h->conf.dsos, shown + len));
}

void filters_init(struct hist *h)
{
	/* Where rows have no symbol, the filter has to choose samples. */
	bool by_name = h->conf.symbol_filter && (h->conf.stacks || !(h->conf.cols.need & NEED_SYM));
	size_t i, nr;

	if (h->conf.comms) {
		nr = machine_nr_comms(h->machine);
		h->comm_pass = xcalloc(nr + 1, sizeof(bool));
		for (i = 0; i < nr; i++)
			h->comm_pass[i] =
				name_list_has(h->conf.comms, machine_comm_told(h->machine, i));
	}
	if (h->conf.dsos) {
		h->dso_pass = xcalloc(h->dso_names.nr + 1, sizeof(bool));
		for (i = 1; i < h->dso_names.nr; i++)
			h->dso_pass[i] = dso_listed(h, i);
	}
	if (h->conf.symbols || by_name) {
		h->place_pass = xcalloc(h->nr_places + 1, sizeof(bool));
		for (i = 0; i < h->nr_places; i++) {
			const char *name = hist_symbol_name(h, i);

			h->place_pass[i] =
				name &&
				(!h->conf.symbols || name_list_has(h->conf.symbols, name)) &&
				(!by_name || strstr(name, h->conf.symbol_filter));
		}
	}
}

bool filter_passes(const struct hist *h, const struct hist_base *b, u32 place)
{
	if (b->flags & HIST_FILTERED || (h->comm_pass && !h->comm_pass[b->comm]))
		return false;
	if (h->conf.exclude_other &&
	    !h->key_values[b->key_set * h->set_size + h->conf.cols.key_at[KEY_PARENT] - 1])
		return false;
	if (h->dso_pass && !h->dso_pass[h->places[place].dso])
		return false;
	return !h->place_pass || h->place_pass[place];
}
