// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/words.h"

#include "columns/columns.h"
#include "events/branch.h"
#include "blocktext/blocktext.h"
#include "kvmtext/kvmtext.h"
#include "kworktext/kworktext.h"
#include "locktext/locktext.h"
#include "profile/graph-option.h"
#include "profilediff/profile-diff.h"
#include "recordopts/values.h"
#include "sampletext/sample-fields.h"
#include "script/engine.h"

bool words_of(const char *kind, struct strbuf *out)
{
	static const struct {
		const char *kind;
		void (*put)(struct strbuf *out);
	} kinds[] = {
		{ "branch-filters", branch_mask_names },
		{ "call-graph-modes", record_callgraph_modes },
		{ "call-graph-words", profile_graph_words },
		{ "diff-methods", differ_computes },
		{ "block-keys", block_by_words },
		{ "block-latencies", block_span_words },
		{ "kvm-events", kvm_what_words },
		{ "kvm-keys", kvm_key_words },
		{ "kwork-classes", kwork_class_words },
		{ "kwork-keys", kwork_key_words },
		{ "lock-keys", lock_key_words },
		{ "lock-types", lock_type_words },
		{ "mem-fields", columns_mem_names },
		{ "script-fields", sample_fields_names },
		{ "script-languages", script_language_names },
		{ "sort-keys", columns_names },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].kind, kind)) {
			kinds[i].put(out);
			return true;
		}
	}
	return false;
}
