// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/words.h"

#include "blocktext/blocktext.h"
#include "columns/columns.h"
#include "events/branch.h"
#include "ftracerun/ftracerun.h"
#include "ftracetext/profile.h"
#include "kvmtext/kvmtext.h"
#include "kworktext/kworktext.h"
#include "linestext/linestext.h"
#include "locktext/locktext.h"
#include "mem/front.h"
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
		{ "block-keys", block_by_words },
		{ "block-latencies", block_span_words },
		{ "c2c-displays", clines_display_words },
		{ "c2c-keys", clines_key_words },
		{ "diff-methods", differ_computes },
		{ "ftrace-func-options", ftrace_func_words },
		{ "ftrace-graph-options", ftrace_graph_words },
		{ "ftrace-keys", fprofile_sort_words },
		{ "here-clocks", ftrace_clock_words },
		{ "here-tracers", ftrace_tracer_words },
		{ "kvm-events", kvm_what_words },
		{ "kvm-keys", kvm_key_words },
		{ "kwork-classes", kwork_class_words },
		{ "kwork-keys", kwork_key_words },
		{ "lock-keys", lock_key_words },
		{ "lock-types", lock_type_words },
		{ "mem-fields", columns_mem_names },
		{ "mem-ops", mem_op_words },
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
