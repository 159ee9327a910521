// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bpfload [-d MS] [-n TIMES] [-r] [MS]: after -d MS (0) load a BPF program of two functions, with
 * BTF for their names and lines, hold it for MS (100), and so TIMES (1) over. Prints the program's
 * id each time. -r: instead of waiting, run it as often as each line of input says, and print
 * "ran". Status 2 when the kernel or the user's rights do not allow it.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* BTF: types are numbered from 1 */
enum { T_INT = 1, T_PROTO, T_MAIN, T_SUB };

static const char strings[] = "\0int\0demo_filter\0demo_half\0demo.c\0return half(7);\0return 3;";
enum { S_INT = 1, S_MAIN = 5, S_SUB = 17, S_FILE = 27, S_LINE1 = 34, S_LINE2 = 50 };

#define BTF_INFO(kind, linkage) ((kind) << 24 | (linkage))

static const struct {
	__u16 magic;
	__u8 version, flags;
	__u32 hdr_len, type_off, type_len, str_off, str_len;
	__u32 types[4 + 3 + 3 + 3];
	char strs[sizeof(strings)];
} btf = {
	0xeb9f,
	1,
	0,
	24,
	0,
	sizeof(btf.types),
	sizeof(btf.types),
	sizeof(strings),
	{
		S_INT,
		BTF_INFO(1U, 0),
		4,
		1U << 24 | 32, /* INT, signed */
		0,
		BTF_INFO(13U, 0),
		T_INT, /* FUNC_PROTO */
		S_MAIN,
		BTF_INFO(12U, 0),
		T_PROTO, /* FUNC, static */
		S_SUB,
		BTF_INFO(12U, 0),
		T_PROTO,
	},
	"\0int\0demo_filter\0demo_half\0demo.c\0return half(7);\0return 3;",
};

static const struct bpf_insn code[] = {
	{ .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .imm = 1 },
	{ .code = BPF_JMP | BPF_EXIT },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 3 },
	{ .code = BPF_JMP | BPF_EXIT },
};

static const struct bpf_func_info funcs[] = { { 0, T_MAIN }, { 2, T_SUB } };
static const struct bpf_line_info lines[] = {
	{ 0, S_FILE, S_LINE1, 10 << 10 | 2 },
	{ 2, S_FILE, S_LINE2, 4 << 10 | 2 },
};

static int bpf(int cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int load(int btf_fd)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	a.insns = (__u64)(unsigned long)code;
	a.insn_cnt = sizeof(code) / sizeof(*code);
	a.license = (__u64)(unsigned long)"GPL";
	strcpy(a.prog_name, "demo_filter");
	a.prog_btf_fd = (__u32)btf_fd;
	a.func_info = (__u64)(unsigned long)funcs;
	a.func_info_rec_size = sizeof(*funcs);
	a.func_info_cnt = sizeof(funcs) / sizeof(*funcs);
	a.line_info = (__u64)(unsigned long)lines;
	a.line_info_rec_size = sizeof(*lines);
	a.line_info_cnt = sizeof(lines) / sizeof(*lines);
	return bpf(BPF_PROG_LOAD, &a);
}

static void run(int fd)
{
	char line[32], packet[64] = { 0 };
	union bpf_attr a;

	while (fgets(line, sizeof(line), stdin)) {
		memset(&a, 0, sizeof(a));
		a.test.prog_fd = (__u32)fd;
		a.test.data_in = (__u64)(unsigned long)packet;
		a.test.data_size_in = sizeof(packet);
		a.test.repeat = (__u32)strtol(line, NULL, 10);
		puts(bpf(BPF_PROG_TEST_RUN, &a) ? "failed" : "ran");
		fflush(stdout);
	}
}

static void hold(int fd, int ms)
{
	struct bpf_prog_info info;
	union bpf_attr a;

	memset(&info, 0, sizeof(info));
	memset(&a, 0, sizeof(a));
	a.info.bpf_fd = (__u32)fd;
	a.info.info_len = sizeof(info);
	a.info.info = (__u64)(unsigned long)&info;
	if (!bpf(BPF_OBJ_GET_INFO_BY_FD, &a))
		printf("%u\n", info.id);
	fflush(stdout);
	if (ms < 0)
		run(fd);
	else
		usleep((unsigned int)ms * 1000);
}

int main(int argc, char **argv)
{
	int delay = 0, times = 1, ms = 100, c, btf_fd;
	union bpf_attr a;

	while ((c = getopt(argc, argv, "d:n:r")) != -1) {
		if (c == 'd')
			delay = (int)strtol(optarg, NULL, 10);
		else if (c == 'n')
			times = (int)strtol(optarg, NULL, 10);
		else if (c == 'r')
			ms = -1;
		else
			return 1;
	}
	if (argv[optind])
		ms = (int)strtol(argv[optind], NULL, 10);
	usleep((unsigned int)delay * 1000);
	memset(&a, 0, sizeof(a));
	a.btf = (__u64)(unsigned long)&btf;
	a.btf_size = sizeof(btf);
	btf_fd = bpf(BPF_BTF_LOAD, &a);
	for (int i = 0; i < times && btf_fd >= 0; i++) {
		int fd = load(btf_fd);

		if (fd < 0) {
			perror("BPF_PROG_LOAD");
			return 2;
		}
		hold(fd, ms);
		close(fd);
	}
	if (btf_fd < 0) {
		perror("BPF_BTF_LOAD");
		return 2;
	}
	return 0;
}
