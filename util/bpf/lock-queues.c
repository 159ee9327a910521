// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "bpf/lock-queues.h"

#include "bpf/sys.h"

#include <unistd.h>

#define S_PEEK (-8)

/* The program tells this. */
struct found {
	u64 queue;
	u64 cpu; /* that the queue says it is of */
};

/* Emit: the only value of @map is the run queue of the task that runs. */
static void assemble(struct bpf_code *c, int map, int group, int queue, int cpu)
{
	bpf_helper(c, BPF_FUNC_get_current_task);
	bpf_mov(c, BPF_REG_6, BPF_REG_0);
	bpf_peek(c, S_PEEK, 8, BPF_REG_6, group);
	bpf_load(c, BPF_DW, BPF_REG_6, BPF_REG_10, S_PEEK);
	bpf_peek(c, S_PEEK, 8, BPF_REG_6, queue);
	bpf_load(c, BPF_DW, BPF_REG_6, BPF_REG_10, S_PEEK);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_PEEK, 0);
	bpf_peek(c, S_PEEK, 4, BPF_REG_6, cpu);
	bpf_load(c, BPF_W, BPF_REG_7, BPF_REG_10, S_PEEK);
	bpf_movval(c, BPF_REG_1, map, 0);
	bpf_store(c, BPF_DW, BPF_REG_1, offsetof(struct found, queue), BPF_REG_6);
	bpf_store(c, BPF_DW, BPF_REG_1, offsetof(struct found, cpu), BPF_REG_7);
	bpf_return(c, 0);
}

/* Run the program on each CPU. A queue that is of another CPU is none: the structures are not those
 * that BTF describes. @lock: where the lock is in a queue */
static u32 ask(int prog, int map, int lock, u32 cpus, u64 *out)
{
	u32 zero = 0, known = 0;

	for (u32 cpu = 0; cpu < cpus; cpu++) {
		struct found f = { 0 };

		bpf_map_set(map, &zero, &f);
		if (bpf_run_on(prog, (int)cpu) || bpf_map_get(map, &zero, &f) || !f.queue ||
		    f.cpu != cpu)
			continue;
		out[cpu] = f.queue + (u64)lock;
		known++;
	}
	return known;
}

u32 lock_queues_find(const struct btf *b, u32 cpus, u64 *out)
{
	int group = btf_member(b, "task_struct", "se.cfs_rq"),
	    queue = btf_member(b, "cfs_rq", "rq");
	int lock = btf_member(b, "rq", "__lock"), cpu = btf_member(b, "rq", "cpu"), map, prog;
	struct bpf_code code = { 0 };
	u32 known = 0;

	memset(out, 0, cpus * sizeof(*out));
	if (lock < 0) /* kernels before 5.14 */
		lock = btf_member(b, "rq", "lock");
	if (group < 0 || queue < 0 || lock < 0 || cpu < 0)
		return 0;
	map = bpf_map_new("lock_queue", BPF_MAP_TYPE_ARRAY, 4, sizeof(struct found), 1, NULL);
	if (map < 0)
		return 0;
	assemble(&code, map, group, queue, cpu);
	prog = bpf_prog_new("lock_queue", BPF_PROG_TYPE_RAW_TRACEPOINT, &code, NULL);
	bpf_code_release(&code);
	if (prog >= 0) {
		known = ask(prog, map, lock, cpus, out);
		close(prog);
	}
	close(map);
	return known;
}
