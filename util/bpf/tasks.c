// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#define UPID_SIZE 16 /* of struct upid { int nr; struct pid_namespace *ns; } of 64 bits */

struct bpf_ns bpf_ns_own(const struct sysroot *sr)
{
	enum { INITIAL = 0xeffffffc }; /* the inode of the first one, fixed in the kernel */
	char *path = sysroot_path(sr, "/proc/self/ns/pid");
	struct bpf_ns ns = { 0 };
	struct stat st;

	if (!stat(path, &st) && st.st_ino != (ino_t)INITIAL)
		ns = (struct bpf_ns){ st.st_dev, st.st_ino };
	free(path);
	return ns;
}

int bpf_first_namespace(const struct sysroot *sr, struct err *err)
{
	return bpf_ns_own(sr).ino
		       ? err_set(err, -EOPNOTSUPP,
				 "BPF programs know threads by other numbers than this container")
		       : 0;
}

int bpf_task_find(struct bpf_task_at *at, const struct btf *btf, struct err *err)
{
	at->pid = btf_member(btf, "task_struct", "pid");
	at->thread_pid = btf_member(btf, "task_struct", "thread_pid");
	at->pid_level = btf_member(btf, "pid", "level");
	at->pid_numbers = btf_member(btf, "pid", "numbers");
	if (at->pid < 0 || at->thread_pid < 0 || at->pid_level < 0 || at->pid_numbers < 0)
		return err_set(
			err, -EOPNOTSUPP,
			"The kernel's struct task_struct has no numbers that are known here.");
	return 0;
}

void bpf_ids(struct bpf_code *c, struct bpf_ns ns, int at, int out)
{
	if (!ns.ino) {
		bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
		return;
	}
	bpf_mov64(c, BPF_REG_1, ns.dev);
	bpf_mov64(c, BPF_REG_2, ns.ino);
	bpf_frame(c, BPF_REG_3, at);
	bpf_movi(c, BPF_REG_4, 8);
	bpf_helper(c, BPF_FUNC_get_ns_current_pid_tgid);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, out);
	/* there the thread comes first */
	bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_10, at);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, at + 4);
	bpf_alui(c, BPF_LSH, BPF_REG_1, 32);
	bpf_alu(c, BPF_OR, BPF_REG_0, BPF_REG_1);
}

void bpf_want_thread(struct bpf_code *c, int tasks, struct bpf_ns ns, int at, int out)
{
	int wanted = bpf_label(c);

	bpf_helper(c, BPF_FUNC_get_current_task);
	bpf_store(c, BPF_DW, BPF_REG_10, at, BPF_REG_0);
	bpf_lookup(c, tasks, at);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, wanted);
	bpf_ids(c, ns, at, out);
	bpf_alui(c, BPF_LSH, BPF_REG_0, 32);
	bpf_alui(c, BPF_RSH, BPF_REG_0, 32);
	bpf_store(c, BPF_DW, BPF_REG_10, at, BPF_REG_0);
	bpf_lookup(c, tasks, at);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_bind(c, wanted);
}

/* In a namespace the task is in the same one, which is the innermost of those that it has numbers
 * in. */
void bpf_task_number(struct bpf_code *c, struct bpf_ns ns, const struct bpf_task_at *members,
		     int task, int to, int at)
{
	if (!ns.ino) {
		bpf_peek(c, to, 4, task, members->pid);
		return;
	}
	bpf_peek(c, at, 8, task, members->thread_pid);
	bpf_load(c, BPF_DW, task, BPF_REG_10, at);
	bpf_peek(c, at, 4, task, members->pid_level);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, at);
	bpf_alui(c, BPF_AND, BPF_REG_1, 0x3f);
	bpf_alui(c, BPF_MUL, BPF_REG_1, UPID_SIZE);
	bpf_alu(c, BPF_ADD, task, BPF_REG_1);
	bpf_peek(c, to, 4, task, members->pid_numbers);
}
