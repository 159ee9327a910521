// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracetext/names.h"

#include "base/alloc.h"

static struct task_name *place(const struct task_names *t, s32 pid)
{
	size_t i = ((u32)pid * 2654435761u) & (t->cap - 1);

	while (t->v[i].pid != -1 && t->v[i].pid != pid)
		i = (i + 1) & (t->cap - 1);
	return &t->v[i];
}

static void resize(struct task_names *t)
{
	struct task_names old = *t;

	t->cap = old.cap ? old.cap * 2 : 256;
	t->v = xmalloc(t->cap * sizeof(*t->v));
	for (size_t i = 0; i < t->cap; i++)
		t->v[i].pid = -1;
	for (size_t i = 0; i < old.cap; i++)
		if (old.v[i].pid != -1)
			*place(t, old.v[i].pid) = old.v[i];
	free(old.v);
}

void task_names_add(struct task_names *t, s32 pid, const char *name, size_t len)
{
	struct task_name *n;

	if (pid < 0)
		return;
	if (t->nr * 2 >= t->cap)
		resize(t);
	n = place(t, pid);
	t->nr += n->pid == -1;
	*n = (struct task_name){ .pid = pid };
	len = MIN(len, sizeof(n->name) - 1);
	for (size_t i = 0; i < len && name[i]; i++)
		n->name[i] = (u8)name[i] < ' ' || name[i] == 127 ? '?' : name[i];
}

void task_names_read(struct task_names *t, const char *text)
{
	while (*text) {
		const size_t len = strcspn(text, "\n");
		char *end;
		const long pid = strtol(text, &end, 10);

		if (end != text && *end == ' ' && end < text + len)
			task_names_add(t, pid, end + 1, text + len - (end + 1));
		text += len + (text[len] == '\n');
	}
}

const char *task_names_find(const struct task_names *t, s32 pid)
{
	const struct task_name *n;

	if (!pid)
		return "<idle>";
	if (!t->cap || pid < 0)
		return NULL;
	n = place(t, pid);
	return n->pid == pid ? n->name : NULL;
}

void task_names_release(struct task_names *t)
{
	free(t->v);
	*t = (struct task_names){ 0 };
}
