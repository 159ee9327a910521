// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kworkrun/programs.h"

#include "bpf/sys.h"

#include <unistd.h>

int programs_attach(struct programs *p, const char *tracepoint, struct bpf_code *code,
		    struct err *err)
{
	return bpf_tracepoint_open(&p->v[p->nr++], tracepoint, tracepoint, NULL, code, err);
}

void programs_close(struct programs *p)
{
	while (p->nr)
		bpf_tracepoint_close(&p->v[--p->nr]);
}

int chosen_cpus_map(const struct int_list *cpus, struct err *err)
{
	u32 last = cpus->nr ? (u32)cpus->v[cpus->nr - 1] : 0;
	int map = bpf_map_new("kwork_cpus", BPF_MAP_TYPE_ARRAY, 4, 4, last + 1, err), rc = 0;

	if (map < 0)
		return map;
	for (size_t i = 0; i < cpus->nr && !rc; i++)
		rc = bpf_map_set(map, &cpus->v[i], &(u32){ 1 });
	if (!rc)
		return map;
	close(map);
	return err_set(err, rc, "failed to choose a CPU for BPF programs: %s", err_str(rc));
}

void want_chosen_cpu(struct bpf_code *c, int map, int at, int out)
{
	if (map < 0)
		return;
	bpf_lookup(c, map, at);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_0, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
}
