// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is the records of a file of counts, as a stream, behind two events with the ids 1 to 4;
 * they go through what `perf stat report` does. Of the first byte bits 0 and 1 are the format, bits
 * 2 to 5 how counts are told apart (0: as the file says), bit 6 the byte order. */
#include "base/compat.h"
#include "cmd/common/message.h"
#include "cmd/stat/stat.h"

#include "pdata-build.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Those of cmd/common/message.c need all commands. */
const struct notices stderr_notices = { 0 };

int warn_diag(const struct session *s)
{
	(void)s;
	return 0;
}

int error_err(const struct err *e)
{
	return e->code;
}

static void report(const char *path, u8 how)
{
	static const struct stat_ops *const formats[] = { &stat_text_ops, &stat_csv_ops,
							  &stat_json_ops, &stat_text_ops };
	unsigned int mode = how >> 2 & 15;
	struct stat_cmd s;

	memset(&s, 0, sizeof(s));
	s.o.sysroot = &s.sysroot;
	s.o.repeat = 1;
	s.view.ops = formats[how & 3];
	s.view.sep = ",";
	s.view.thousands = (how & 3) == 3 ? "," : NULL;
	s.out.file = fopen("/dev/null", "we");
	if (!s.out.file)
		return;
	if (mode && mode < AGGR_NR)
		s.o.mode = (enum aggr_mode)mode;
	(void)stat_report(&s, path, mode && mode < AGGR_NR);
	fclose(s.out.file);
	stat_view_release(&s.view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pb_event events[2] = {
		{ .attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK },
		  .ids = { 1, 2 },
		  .nr_ids = 2,
		  .name = "task-clock" },
		{ .attr = { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES },
		  .ids = { 3, 4 },
		  .nr_ids = 2,
		  .name = "cycles" },
	};
	char path[64];
	struct pb b;
	int fd;

	if (!size)
		return 0;
	pb_init(&b, data[0] & 0x40);
	pb_pipe(&b, events, ARRAY_SIZE(events));
	pb_bytes(&b, data + 1, size - 1);
	report(pb_save(b.out.buf, b.out.len, &fd, path), data[0]);
	pb_unsave(fd);
	pb_release(&b);
	return 0;
}
