// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/sys.h"

#include "base/alloc.h"
#include "base/int-list.h"
#include "bpf/btf.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LOG_SIZE ((u32)1 << 20)

int bpf_call(int cmd, union bpf_attr *attr)
{
	int rc = (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return rc < 0 ? -errno : rc;
}

static void set_name(char *to, const char *name)
{
	for (size_t i = 0; i < BPF_OBJ_NAME_LEN - 1 && name[i]; i++)
		to[i] = name[i];
}

/*
 * Before Linux 5.11 maps and programs count as locked memory of their creator. Return: whether the
 * limit could be raised.
 */
static bool raise_memlock(void)
{
	struct rlimit r, all = { RLIM_INFINITY, RLIM_INFINITY };

	return !getrlimit(RLIMIT_MEMLOCK, &r) && r.rlim_cur != RLIM_INFINITY &&
	       !setrlimit(RLIMIT_MEMLOCK, &all);
}

static int denied(int code, struct err *err)
{
	return err_set(err, code,
		       "The kernel does not let this user load BPF programs: %s.\n"
		       "Run as root, or give perf the capabilities CAP_BPF and CAP_PERFMON.",
		       err_str(code));
}

int bpf_map_new(const char *name, u32 type, u32 key, u32 value, u32 max, struct err *err)
{
	return bpf_map_with(name, type, key, value, max, 0, err);
}

int bpf_map_with(const char *name, u32 type, u32 key, u32 value, u32 max, u32 flags,
		 struct err *err)
{
	union bpf_attr a;
	int fd;

	memset(&a, 0, sizeof(a));
	a.map_type = type;
	a.key_size = key;
	a.value_size = value;
	a.max_entries = max;
	a.map_flags = flags;
	set_name(a.map_name, name);
	fd = bpf_call(BPF_MAP_CREATE, &a);
	if (fd == -EPERM && raise_memlock())
		fd = bpf_call(BPF_MAP_CREATE, &a);
	if (fd == -EPERM)
		return denied(fd, err);
	return fd < 0 ? err_set(err, fd, "failed to make the BPF map %s: %s", name, err_str(fd))
		      : fd;
}

int bpf_maps_new(const struct bpf_map_spec *maps, size_t nr, struct err *err)
{
	for (size_t i = 0; i < nr; i++) {
		const struct bpf_map_spec *m = &maps[i];
		int fd;

		if (!m->max)
			continue;
		fd = bpf_map_with(m->name, m->type, m->key, m->value, m->max, m->flags, err);
		if (fd < 0)
			return fd;
		*m->map = fd;
	}
	return 0;
}

u32 bpf_lazy_flag(void)
{
	struct utsname u;
	int major, minor;

	if (uname(&u) || sscanf(u.release, "%d.%d", &major, &minor) != 2)
		return 0;
	return major > 6 || (major == 6 && minor >= 1) ? BPF_F_NO_PREALLOC : 0;
}

static int map_op(int cmd, int map, const void *key, const void *value)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.map_fd = (u32)map;
	a.key = (u64)(uintptr_t)key;
	a.value = (u64)(uintptr_t)value;
	return bpf_call(cmd, &a);
}

int bpf_map_get(int map, const void *key, void *value)
{
	return map_op(BPF_MAP_LOOKUP_ELEM, map, key, value);
}

int bpf_map_set(int map, const void *key, const void *value)
{
	return map_op(BPF_MAP_UPDATE_ELEM, map, key, value);
}

void bpf_value_get(int map, void *value, size_t size)
{
	u32 zero = 0;

	memset(value, 0, size);
	bpf_map_get(map, &zero, value);
}

int bpf_value_set(int map, const void *value)
{
	u32 zero = 0;

	return bpf_map_set(map, &zero, value);
}

int bpf_map_del(int map, const void *key)
{
	return map_op(BPF_MAP_DELETE_ELEM, map, key, NULL);
}

int bpf_map_next(int map, const void *key, void *next)
{
	return map_op(BPF_MAP_GET_NEXT_KEY, map, key, next);
}

/* Return the last line of the verifier's log before the statistics. */
static const char *last_words(char *log)
{
	char *last = log;

	for (char *p = log, *end; *p; p = end + 1) {
		end = strchr(p, '\n');
		if (end)
			*end = 0;
		if (*p && strncmp(p, "processed ", 10) && strncmp(p, "verification time", 17))
			last = p;
		if (!end)
			break;
	}
	return last;
}

static int load_error(const char *name, int code, char *log, struct err *err)
{
	if ((code == -EPERM || code == -EACCES) && !*log)
		return denied(code, err);
	if (strstr(log, "unknown func") && strstr(log, "probe_read_kernel"))
		return err_set(
			err, code,
			"The kernel does not let BPF programs read its memory: it is older than Linux 5.5, or locked down to "
			"confidentiality (/sys/kernel/security/lockdown).");
	return err_set(err, code, "The kernel refused the BPF program %s: %s%s%s", name,
		       err_str(code), *log ? ": " : "", last_words(log));
}

/* @a: the attributes in addition to code and name */
static int load(const char *name, union bpf_attr *a, struct bpf_code *code, struct err *err)
{
	static const char licence[] = "GPL";
	char *log;
	int fd;

	if (bpf_link(code))
		return err_set(err, -E2BIG, "The BPF program %s is too long.", name);
	a->insns = (u64)(uintptr_t)code->v;
	a->insn_cnt = code->nr;
	a->license = (u64)(uintptr_t)licence;
	set_name(a->prog_name, name);
	fd = bpf_call(BPF_PROG_LOAD, a);
	if (fd == -EPERM && raise_memlock())
		fd = bpf_call(BPF_PROG_LOAD, a);
	if (fd >= 0)
		return fd;
	/* load it again to get the reason */
	log = xzalloc(LOG_SIZE);
	a->log_level = 1;
	a->log_size = LOG_SIZE;
	a->log_buf = (u64)(uintptr_t)log;
	fd = bpf_call(BPF_PROG_LOAD, a);
	if (fd < 0)
		fd = load_error(name, fd, log, err);
	free(log);
	return fd;
}

int bpf_prog_new(const char *name, u32 type, struct bpf_code *code, struct err *err)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.prog_type = type;
	return load(name, &a, code, err);
}

int bpf_prog_hook(const char *name, const struct bpf_hook *hook, struct bpf_code *code,
		  struct err *err)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.prog_type = BPF_PROG_TYPE_TRACING;
	a.expected_attach_type = hook->when;
	a.attach_prog_fd = (u32)hook->prog;
	a.attach_btf_id = hook->func;
	return load(name, &a, code, err);
}

int bpf_attach(int prog)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.raw_tracepoint.prog_fd = (u32)prog;
	return bpf_call(BPF_RAW_TRACEPOINT_OPEN, &a);
}

int bpf_run_on(int prog, int cpu)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.test.prog_fd = (u32)prog;
	a.test.flags = BPF_F_TEST_RUN_ON_CPU;
	a.test.cpu = (u32)cpu;
	return bpf_call(BPF_PROG_TEST_RUN, &a);
}

int bpf_fd_by_id(int cmd, u32 id)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.prog_id = id;
	return bpf_call(cmd, &a);
}

int bpf_info(int fd, void *info, u32 len)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.info.bpf_fd = (u32)fd;
	a.info.info_len = len;
	a.info.info = (u64)(uintptr_t)info;
	return bpf_call(BPF_OBJ_GET_INFO_BY_FD, &a);
}

int bpf_attach_raw_tp(const char *tracepoint, int prog)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.raw_tracepoint.name = (u64)(uintptr_t)tracepoint;
	a.raw_tracepoint.prog_fd = (u32)prog;
	return bpf_call(BPF_RAW_TRACEPOINT_OPEN, &a);
}

/* ---- tracepoints ---- */

/* Return the number of the type of a tracepoint's arguments; 0: it is not known. */
static u32 type_of(const struct btf *btf, const char *tracepoint)
{
	char name[64];

	snprintf(name, sizeof(name), "btf_trace_%s", tracepoint);
	return btf ? btf_typedef(btf, name) : 0;
}

int bpf_tracepoint_open(struct bpf_at_tracepoint *t, const char *name, const char *tracepoint,
			const struct btf *btf, struct bpf_code *code, struct err *err)
{
	const struct bpf_hook hook = { 0, type_of(btf, tracepoint), BPF_TRACE_RAW_TP };

	*t = BPF_AT_NOTHING;
	t->prog = hook.func ? bpf_prog_hook(name, &hook, code, err)
			    : bpf_prog_new(name, BPF_PROG_TYPE_RAW_TRACEPOINT, code, err);
	bpf_code_release(code);
	if (t->prog < 0)
		return t->prog;
	t->link = hook.func ? bpf_attach(t->prog) : bpf_attach_raw_tp(tracepoint, t->prog);
	if (t->link == -ENOENT)
		return err_set(err, t->link, "the kernel has no tracepoint %s", tracepoint);
	return t->link < 0 ? err_set(err, t->link, "failed to attach a BPF program to %s: %s",
				     tracepoint, err_str(t->link))
			   : 0;
}

void bpf_tracepoint_close(struct bpf_at_tracepoint *t)
{
	if (t->link >= 0)
		close(t->link);
	if (t->prog >= 0)
		close(t->prog);
	*t = BPF_AT_NOTHING;
}

/* ---- files of the BPF file system ---- */

int bpf_pin(int fd, const char *path)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.pathname = (u64)(uintptr_t)path;
	a.bpf_fd = (u32)fd;
	return bpf_call(BPF_OBJ_PIN, &a);
}

int bpf_open_pinned(const char *path)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.pathname = (u64)(uintptr_t)path;
	return bpf_call(BPF_OBJ_GET, &a);
}

/* --- CPUs -------------------------------------------------------------------- */

int bpf_possible_cpus(const struct sysroot *sr, struct err *err)
{
	struct int_list cpus = { 0 };
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(sr, &sb, "/sys/devices/system/cpu/possible");

	if (!rc)
		rc = cpu_list_parse(&cpus, strbuf_str(&sb));
	if (!rc && cpus.nr)
		rc = cpus.v[cpus.nr - 1] + 1;
	strbuf_release(&sb);
	int_list_release(&cpus);
	return rc > 0 ? rc
		      : err_set(err, rc ? rc : -EINVAL, "/sys/devices/system/cpu/possible: %s",
				err_str(rc ? rc : -EINVAL));
}
