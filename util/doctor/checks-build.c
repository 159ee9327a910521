// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks of what this perf was built with, and of programs beside it. */
#include "base/compat.h"
#include "doctor/doctor-internal.h"

void check_debuginfod(const struct doctor_here *h, struct doctor_finding *f)
{
	if (!here_part(h, "debuginfod")) {
		finding_text(f, DOCTOR_LIMITED,
			     "this perf cannot ask debuginfod servers for missing symbols");
		finding_fix(f, "a perf that is not linked statically");
	} else if (!h->servers || !*h->servers) {
		finding_text(f, DOCTOR_LIMITED,
			     "no debuginfod servers are known, which have symbols that are not "
			     "installed");
		finding_fix(f, "export DEBUGINFOD_URLS with those of your distribution, such as "
			       "https://debuginfod.debian.net, and use --debuginfod");
	} else {
		finding_text(f, DOCTOR_OK, "missing symbols can be fetched from %s (--debuginfod)",
			     h->servers);
	}
}

void check_disassembler(const struct doctor_here *h, struct doctor_finding *f)
{
	bool objdump = program_exists(h->sr, h->path ? h->path : "", "objdump");

	if (here_part(h, "libcapstone")) {
		finding_text(f, DOCTOR_OK, "capstone disassembles code%s",
			     objdump ? "; objdump is there, too" : "");
		return;
	}
	finding_text(f, objdump ? DOCTOR_LIMITED : DOCTOR_MISSING,
		     objdump ? "this perf has no disassembler; objdump is there (--objdump)"
			     : "this perf has no disassembler, and there is no objdump");
	finding_fix(f, "build perf with libcapstone%s", objdump ? "" : ", or install binutils");
}

void check_interpreters(const struct doctor_here *h, struct doctor_finding *f)
{
	bool python = here_part(h, "libpython"), perl = here_part(h, "libperl");

	finding_text(f, python && perl ? DOCTOR_OK : DOCTOR_LIMITED, "scripts can be written in %s",
		     python && perl ? "Python and Perl"
		     : python       ? "Python, but not in Perl"
		     : perl         ? "Perl, but not in Python"
			    : "neither Python nor Perl; --format ndjson gives other programs "
			      "all that they would get");
	if (!python || !perl)
		finding_fix(f, "build perf with %s%s%s", python ? "" : "libpython",
			    python || perl ? "" : " and ", perl ? "" : "libperl");
}

void check_libraries(const struct doctor_here *h, struct doctor_finding *f)
{
	static const struct {
		const char *name, *without;
	} parts[] = {
		{ "libelf", "symbols and source lines of programs" },
		{ "libslang", "views on the terminal" },
		{ "zstd", "compressed recordings (-z)" },
		{ "zlib", "compressed kernel modules and pprof files" },
		{ "lzma", "symbols in compressed sections (.gnu_debugdata)" },
		{ "libiberty", "names of C++ and Rust as they are written" },
		{ "libtraceevent", "plugins for tracepoints" },
		{ "libpfm4", "event names of libpfm4" },
	};
	struct strbuf names = STRBUF_INIT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (!here_part(h, parts[i].name))
			strbuf_addf(&names, "%s%s (%s)", names.len ? ", " : "", parts[i].without,
				    parts[i].name);
	if (names.len) {
		finding_text(f, DOCTOR_LIMITED, "this perf was built without: %s",
			     strbuf_str(&names));
		finding_fix(f, "install what `make features` names, and build again");
	} else {
		finding_text(f, DOCTOR_OK, "this perf was built with all libraries");
	}
	strbuf_release(&names);
}
