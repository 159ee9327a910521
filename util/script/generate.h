/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write scripts with a handler for each event of a recording (perf script -g). */
#ifndef PERF_SCRIPT_GENERATE_H
#define PERF_SCRIPT_GENERATE_H

#include "base/strbuf.h"
#include "tracefmt/tracefmt.h"

/** generate_python - append a script in Python. @tf: the formats of tracepoints; NULL: none */
void generate_python(const struct tracefmt *tf, struct strbuf *out);

#endif
