// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "resolve/source-files.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE_MAX_READ ((off_t)64 << 20) /* larger files are not read */

struct source_file {
	char *path, *bytes;
	size_t size;
	u32 first; /* number of its first line */
	u32 *starts, nr;
	size_t cap;
};

struct source_files {
	struct source_file *v;
	size_t nr, cap, last; /* last: the file of the last request */
	u32 lines;            /* of all files */
};

struct source_files *source_files_new(void)
{
	return xzalloc(sizeof(struct source_files));
}

void source_files_free(struct source_files *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++) {
		free(s->v[i].path);
		free(s->v[i].bytes);
		free(s->v[i].starts);
	}
	free(s->v);
	free(s);
}

static void read_whole(struct source_file *f)
{
	int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = 0;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size && st.st_size < SIZE_MAX_READ) {
		f->bytes = xmalloc((size_t)st.st_size);
		n = read(fd, f->bytes, (size_t)st.st_size);
		f->size = n > 0 ? (size_t)n : 0;
	}
	close(fd);
	for (size_t i = 0; i < f->size; i++) {
		if (i && f->bytes[i - 1] != '\n')
			continue;
		VEC_GROW(f->starts, f->nr + 1, f->cap);
		f->starts[f->nr++] = (u32)i;
	}
}

static const struct source_file *file_of(struct source_files *s, const char *path)
{
	struct source_file *f;

	if (s->last < s->nr && !strcmp(s->v[s->last].path, path))
		return &s->v[s->last];
	for (s->last = 0; s->last < s->nr; s->last++)
		if (!strcmp(s->v[s->last].path, path))
			return &s->v[s->last];
	VEC_GROW(s->v, s->nr + 1, s->cap);
	f = &s->v[s->nr++];
	*f = (struct source_file){ .path = xstrdup(path), .first = s->lines };
	read_whole(f);
	s->lines += f->nr;
	return f;
}

bool source_line(struct source_files *s, const char *path, u32 line, u32 *number, const char **text,
		 size_t *len)
{
	const struct source_file *f = file_of(s, path);
	const char *end;

	if (!line || line > f->nr)
		return false;
	*number = f->first + line;
	*text = f->bytes + f->starts[line - 1];
	*len = f->size - f->starts[line - 1];
	end = memchr(*text, '\n', *len);
	if (end)
		*len = (size_t)(end - *text);
	return true;
}
