// SPDX-License-Identifier: GPL-2.0-or-later
/* Columns that break rows down by what their memory accesses are, a column for each class. */
#include "base/compat.h"

#include "columns/columns-internal.h"
#include "columns/columns.h"

#include "report/cells.h"
#include "wire/access.h"

struct class_column {
	const char *part; /* in --fields */
	struct hist_column col;
};

#define CLASS_COLUMN(of, title, class)                                                             \
	{                                                                                          \
		of,                                                                                \
		{                                                                                  \
			.name = of "." title, .header = title, .need = NEED_CLASSES,               \
			.key = KEY_CLASSES, .metric = true, .mem = true, .right = true,            \
			.width = 7, .mode = MODE_CLASSES + CLASS_##class, .rank = rank_mode,       \
			.format = format_class                                                     \
		}                                                                                  \
	}

static const struct class_column table[] = {
	CLASS_COLUMN("op", "Load", OP_LOAD),
	CLASS_COLUMN("op", "Store", OP_STORE),
	CLASS_COLUMN("op", "Other op", OP_OTHER),
	CLASS_COLUMN("cache", "L1", CACHE_L1),
	CLASS_COLUMN("cache", "L2", CACHE_L2),
	CLASS_COLUMN("cache", "L3", CACHE_L3),
	CLASS_COLUMN("cache", "LFB", CACHE_BUFFER),
	CLASS_COLUMN("cache", "Remote", CACHE_REMOTE),
	CLASS_COLUMN("cache", "No cache", CACHE_OTHER),
	CLASS_COLUMN("memory", "RAM", MEMORY_RAM),
	CLASS_COLUMN("memory", "Rem RAM", MEMORY_REMOTE),
	CLASS_COLUMN("memory", "PMem", MEMORY_PERSISTENT),
	CLASS_COLUMN("memory", "CXL", MEMORY_CXL),
	CLASS_COLUMN("memory", "Uncached", MEMORY_UNCACHED),
	CLASS_COLUMN("memory", "No memory", MEMORY_OTHER),
	CLASS_COLUMN("dtlb", "TLB L1", TLB_L1),
	CLASS_COLUMN("dtlb", "TLB L2", TLB_L2),
	CLASS_COLUMN("dtlb", "TLB L1/2", TLB_ANY),
	CLASS_COLUMN("dtlb", "TLB miss", TLB_MISS),
	CLASS_COLUMN("dtlb", "No TLB", TLB_OTHER),
	CLASS_COLUMN("snoops", "HitM", SNOOP_HITM),
	CLASS_COLUMN("snoops", "Hit", SNOOP_HIT),
	CLASS_COLUMN("snoops", "Miss", SNOOP_MISS),
	CLASS_COLUMN("snoops", "None", SNOOP_NONE),
	CLASS_COLUMN("snoops", "No snoop", SNOOP_OTHER),
};

const struct hist_column *column_of_class(const char *key, size_t len, u32 nth)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strlen(table[i].part) == len && !memcmp(table[i].part, key, len) && !nth--)
			return &table[i].col;
	return NULL;
}

void columns_mem_names(struct strbuf *out)
{
	/* "snoop" is the name of a column, too */
	strbuf_addf(out, "%sop cache memory dtlb", out->len ? " " : "");
	columns_names(out);
}
