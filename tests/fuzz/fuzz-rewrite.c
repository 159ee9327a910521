// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file, any form, written again: as it is, in time order, with records dropped
 * and put in, as what a guest recorded, put into the recording of its host, and without addresses.
 * The output has to open, and in time order to hold as many samples as passed.
 */
#include "base/compat.h"
#include "drive.h"
#include "inject/run.h"
#include "pdata-build.h"
#include "session/rewrite.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pass {
	u64 kept;
	size_t nr_events; /* known when the first sample came */
	bool drop;        /* every third sample */
};

static int on_record(void *ctx, struct rewrite *rw, const struct session_event *ev, struct err *err)
{
	static const struct env_build_id id = { .size = 20,
						.misc = PERF_RECORD_MISC_USER,
						.pid = -1,
						.filename = (char *)"/an/object" };
	struct pass *p = ctx;

	if (!ev->sample)
		return REWRITE_KEEP;
	if (!p->kept)
		p->nr_events = rw->s->evlist.nr;
	if (p->kept == 2)
		rewrite_build_id(rw, &id);
	if (p->kept == 3 && p->drop)
		rewrite_insert_at(rw, ev->time + 100, (const void *)ev->hdr);
	if (p->drop && ev->time % 3 == 1)
		return REWRITE_DROP;
	p->kept++;
	return REWRITE_KEEP;
}

static void write_again(const char *path, int way)
{
	static const struct rewrite_ops ops = { .record = on_record };
	struct pass pass = { .drop = way == 2 };
	struct err err = { 0 };
	struct session in, out;
	struct rewrite rw;
	char to[64];
	int fd, ret;

	if (session_open(&in, path, true, &err))
		return;
	fd = memfd_create("again", MFD_CLOEXEC);
	snprintf(to, sizeof(to), "/proc/self/fd/%d", fd);
	ret = rewrite_open(&rw, &in, to, NULL, &err);
	if (!ret)
		ret = way ? rewrite_ordered(&rw, &ops, &pass, &err)
			  : rewrite_copy(&rw, NULL, NULL, &err);
	if (!ret)
		rewrite_finish(&rw, NULL); /* complains that the file has no name */
	rewrite_close(&rw);
	if (!ret) {
		if (session_open(&out, to, true, &err)) {
			fprintf(stderr, "does not open again: %s\n", err.msg);
			abort();
		}
		session_close(&out);
		drive_file(to, 1);
		/* events a stream tells of too late may change what the samples before are taken
		 * for */
		if (way == 1 && pass.nr_events == in.evlist.nr && drive_records(to) < pass.kept) {
			fprintf(stderr, "samples got lost: %" PRIu64 " were written\n", pass.kept);
			abort();
		}
	}
	session_close(&in);
	close(fd);
}

/* Process 10 is a host, whose thread 11 runs the processor 0 of a guest. */
static void build_host(struct pb *b)
{
	const u64 st = PB_TWO_SAMPLE_TYPE;
	struct pb_id id = { 10, 11, 5, 7, 0, 0 };

	pb_start_two(b, st, false, "one", "two");
	pb_comm(b, 10, 11, "CPU 0/KVM", st, &id);
	id.time = 1ULL << 32;
	pb_sample(b, st, 0x400000, &id, 1);
	pb_finish(b);
}

/* Put a file into a recording of a host. */
static void put_guest(const char *path)
{
	struct inject_options o = { .rec = { .buildid_dir = "", .force = true } };
	char host_path[64], to[64], spec[96];
	int host_fd, fd = memfd_create("host", MFD_CLOEXEC);
	struct err err = { 0 };
	struct inject in;
	struct pb host;

	build_host(&host);
	o.rec.input = pb_save(host.out.buf, host.out.len, &host_fd, host_path);
	snprintf(to, sizeof(to), "/proc/self/fd/%d", fd);
	o.output = to;
	snprintf(spec, sizeof(spec), "%s,10,-3,1.5", path);
	if (!guest_specs_add(&o.guests, spec, &err) && !inject_open(&in, &o, NULL, &err)) {
		inject_run(&in, &err); /* complains that the file has no name */
		inject_close(&in);
		drive_file(to, 1);
	}
	guest_specs_release(&o.guests);
	pb_unsave(host_fd);
	pb_release(&host);
	close(fd);
}

/* Replace all addresses of a file. */
static void without_addresses(const char *path)
{
	struct inject_options o = { .rec = { .input = path, .buildid_dir = "", .force = true },
				    .aslr = true };
	char to[64];
	int fd = memfd_create("aslr", MFD_CLOEXEC);
	struct err err = { 0 };
	struct inject in;

	snprintf(to, sizeof(to), "/proc/self/fd/%d", fd);
	o.output = to;
	if (!inject_open(&in, &o, NULL, &err)) {
		inject_run(&in, &err); /* complains that the file has no name */
		inject_close(&in);
		drive_file(to, 1);
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	int fd;

	pb_save(data, size, &fd, path);
	for (int way = 0; way < 3; way++)
		write_again(path, way);
	put_guest(path);
	without_addresses(path);
	pb_unsave(fd);
	return 0;
}
