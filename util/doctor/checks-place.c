// SPDX-License-Identifier: GPL-2.0-or-later
/* Check whether perf runs in a container, which hides things from it. */
#include "base/compat.h"
#include "doctor/doctor-internal.h"

#include "kernel/rights.h"

/* Return the kind of container, or NULL. */
static const char *container(const struct doctor_here *h)
{
	static const struct {
		const char *word, *kind;
	} groups[] = {
		{ "/docker", "Docker" },
		{ "kubepods", "Kubernetes" },
		{ "/libpod", "Podman" },
		{ "/lxc", "LXC" },
	};
	struct strbuf text = STRBUF_INIT;
	const char *kind = NULL;
	size_t i;

	if (here_has(h, "/.dockerenv"))
		return "Docker";
	if (here_has(h, "/run/.containerenv"))
		return "Podman";
	sysroot_read(h->sr, &text, "/proc/1/cgroup");
	for (i = 0; i < ARRAY_SIZE(groups) && !kind; i++)
		if (strstr(strbuf_str(&text), groups[i].word))
			kind = groups[i].kind;
	strbuf_release(&text);
	return kind;
}

void check_container(const struct doctor_here *h, struct doctor_finding *f)
{
	const char *kind = container(h);
	struct strbuf text = STRBUF_INIT;
	struct rights r;

	rights_read(h->sr, &r);
	if (!kind && !r.user_ns && !r.seccomp) {
		finding_text(f, DOCTOR_OK, "perf runs in no container");
		return;
	}
	if (kind)
		strbuf_addf(&text, "in a container of %s", kind);
	if (r.user_ns)
		strbuf_addf(&text, "%sin a user namespace", text.len ? ", " : "");
	if (r.seccomp)
		strbuf_addf(&text, "%sunder a filter of system calls", text.len ? ", " : "");
	finding_text(f, DOCTOR_LIMITED, "perf runs %s", strbuf_str(&text));
	strbuf_release(&text);
	finding_fix(f, "docker run --cap-add PERFMON --security-opt seccomp=unconfined, with "
		       "--pid=host to see other processes; or run perf on the host");
}
