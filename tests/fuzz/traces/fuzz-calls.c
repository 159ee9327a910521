// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Users name calls by lists, files of groups and filters, which this target reads: the input up to
 * its first zero is a list as of -e, up to the second a file that describes a group, and the rest a
 * filter on arguments. A filter that is taken is a text without a name of a value.
 */
#include "base/compat.h"
#include "tracerun/arg-filter.h"
#include "tracerun/select.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Return the part up to a zero, which the caller frees, and go behind it. */
static char *part(const u8 **p, size_t *left)
{
	const u8 *zero = *left ? memchr(*p, 0, *left) : NULL;
	const size_t len = zero ? (size_t)(zero - *p) : *left;
	struct strbuf text = STRBUF_INIT;

	strbuf_add(&text, *p, len);
	*p += len + (zero != NULL);
	*left -= len + (zero != NULL);
	strbuf_addch(&text, 0);
	return strbuf_detach(&text);
}

/* Add a group whose file has a text. The file is one in memory, whose name is its descriptor. */
static void add_group(struct trace_select *s, const char *text, const struct sysargs *sa)
{
	static const char *const folders[] = { "/proc/self/fd", NULL };
	const int fd = memfd_create("group", MFD_CLOEXEC);
	struct err err = { 0 };
	char name[16];

	if (fd < 0)
		return;
	snprintf(name, sizeof(name), "%d", fd);
	if (write(fd, text, strlen(text)) == (ssize_t)strlen(text) &&
	    trace_select_add(s, name, sa, &(struct trace_groups){ folders }, &err) && !err.msg[0])
		abort();
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const calls[] = { "openat", "close", "mmap" };
	const struct sysargs_abi abi = { .machine = EM_X86_64 };
	struct sysargs *sa = sysargs_new(&abi, NULL);
	struct trace_select s = { 0 };
	struct strbuf told = STRBUF_INIT;
	struct err err = { 0 };
	char *list = part(&data, &size), *group = part(&data, &size), *filter = part(&data, &size);
	bool *numbers;

	if (trace_select_add(&s, list, sa, NULL, &err) && !err.msg[0])
		abort();
	add_group(&s, group, sa);
	(void)trace_select_filter(&s, filter, sa, &told, &err);
	strbuf_release(&told);
	numbers = trace_select_numbers(&s, sa);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		const int nr = sysargs_number(sa, calls[i]);
		struct strbuf out = STRBUF_INIT;
		struct err why = { 0 };

		if (trace_arg_filter(&out, sa, sysargs_call(sa, (u32)nr), filter, &why) &&
		    !why.msg[0])
			abort();
		strbuf_release(&out);
	}
	free(numbers);
	free(list);
	free(group);
	free(filter);
	trace_select_release(&s);
	sysargs_free(sa);
	return 0;
}
