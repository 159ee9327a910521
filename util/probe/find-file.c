// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/find-file.h"

#include "base/alloc.h"
#include "base/sysroot.h"
#include "symbol/debug-file.h"
#include "symbol/process-files.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

int probe_open_file(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* ---- names as the target has them ---- */

/* Tell whether names of files mean something else to the target's process than to us. */
static bool is_elsewhere(const struct probe_target *t)
{
	return t->pid && process_elsewhere(t->sysroot, t->pid);
}

/* Return where --symfs has a file, or NULL when that is not given. The caller frees. */
static char *path_below(const struct probe_target *t, const char *path)
{
	return t->symfs.dir && *t->symfs.dir ? symfs_path(&t->symfs, path) : NULL;
}

char *probe_file_of(const struct probe_target *t, const char *path)
{
	char *below = path_below(t, path);

	if (below && !access(below, R_OK))
		return below;
	free(below);
	return is_elsewhere(t) ? process_file_path(t->sysroot, t->pid, path) : xstrdup(path);
}

/* Links are left as they are in another mount namespace, where we cannot follow them. */
static char *path_elsewhere(const struct probe_target *t, const char *path)
{
	int fd = process_file_open(t->sysroot, t->pid, path);

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	close(fd);
	return xstrdup(path);
}

/* Tell whether an absolute path is there below --symfs only. */
static bool only_below(const struct probe_target *t, const char *path)
{
	char *below = *path == '/' ? path_below(t, path) : NULL;
	bool only = below && !access(below, R_OK) && access(path, R_OK);

	free(below);
	return only;
}

char *probe_real_path(const struct probe_target *t, const char *path)
{
	if (only_below(t, path))
		return xstrdup(path);
	return is_elsewhere(t) ? path_elsewhere(t, path) : realpath(path, NULL);
}

/* ---- programs and libraries ---- */

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Tell whether a file is a program: what compilers link with under the name of a library may be a
 * text. */
static bool is_elf(const char *path)
{
	char magic[4] = "";
	int fd = is_file(path) ? probe_open_file(path) : -1;
	bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
		  !memcmp(magic, "\177ELF", sizeof(magic));

	if (fd >= 0)
		close(fd);
	return is;
}

/* Find a library by its name, whole ("libc.so.6") or up to ".so". Return: its path, or NULL. */
static char *find_library(const char *name)
{
	static const char *const folders[] = {
		"/lib64", "/usr/lib64", "/lib/*-linux-gnu*", "/usr/lib/*-linux-gnu*",
		"/lib",   "/usr/lib",   "/usr/local/lib"
	};
	static const char *const tails[] = { "", ".so", ".so.[0-9]*" };
	char *found = NULL;

	if (strncmp(name, "lib", 3) || name[strcspn(name, "*?[")])
		return NULL;
	for (size_t i = 0; !found && i < ARRAY_SIZE(folders) * ARRAY_SIZE(tails); i++) {
		char *pattern = xasprintf("%s/%s%s", folders[i / ARRAY_SIZE(tails)], name,
					  tails[i % ARRAY_SIZE(tails)]);
		glob_t g;

		if (!glob(pattern, 0, NULL, &g)) {
			for (size_t k = 0; !found && k < g.gl_pathc; k++)
				if (is_elf(g.gl_pathv[k]))
					found = xstrdup(g.gl_pathv[k]);
			globfree(&g);
		}
		free(pattern);
	}
	return found;
}

char *probe_find_program(const struct probe_target *t, const char *name, struct err *err)
{
	char *real = probe_real_path(t, name), *found = NULL;
	int code = -errno;

	if (!real && !strchr(name, '/') && !t->pid) {
		found = program_find(NULL, NULL, name);
		if (!found)
			found = find_library(name);
		real = found ? realpath(found, NULL) : NULL;
	}
	free(found);
	if (!real)
		err_set(err, code, "Failed to find the program or library %s%s: %s.", name,
			strchr(name, '/') ? "" : " here, in $PATH and among the libraries",
			err_str(code));
	return real;
}

/* ---- kernels and modules ---- */

char *probe_kernel_file(const struct probe_target *t)
{
	static const char *const places[] = {
		"/usr/lib/debug/boot/vmlinux-%s",       "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/boot/vmlinux-%s.debug", "/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux",
	};
	struct utsname u;

	if (uname(&u))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const char *mark = strstr(places[i], "%s");
		char *name = xasprintf("%.*s%s%s", (int)(mark - places[i]), places[i], u.release,
				       mark + 2);
		char *path = symfs_path(&t->symfs, name);

		free(name);
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}
