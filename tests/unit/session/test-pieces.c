// SPDX-License-Identifier: GPL-2.0-or-later
/* Records that are read in pieces are those in the mapping, whatever their sizes and order. */
#include "base/compat.h"

#include "base/alloc.h"
#include "session/pieces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define NR 3000
#define LARGEST 65528 /* bytes of a record */

static u64 seed;

static u32 any(u32 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % below;
}

struct made {
	struct perf_file file;
	size_t at[NR + 1]; /* where the records begin, and where the last one ends */
};

/* Write records of many sizes, a few of them as large as can be. */
static void make(struct made *m)
{
	FILE *f = tmpfile();
	u8 *bytes = xcalloc(1, LARGEST);

	assert_non_null(f);
	for (size_t i = 0; i < NR; i++) {
		u16 size = (u16)(any(100) ? 8 + 8 * any(40) : LARGEST - 8 * any(3));
		u32 type = 1 + any(20);

		for (u32 k = 0; k < size; k++)
			bytes[k] = (u8)any(256);
		memcpy(bytes, &type, sizeof(type));
		memcpy(bytes + 6, &size, sizeof(size));
		assert_int_equal(fwrite(bytes, 1, size, f), size);
		m->at[i + 1] = m->at[i] + size;
	}
	fflush(f);
	m->file.fd = dup(fileno(f));
	m->file.size = m->at[NR];
	m->file.map = mmap(NULL, m->file.size, PROT_READ, MAP_PRIVATE, m->file.fd, 0);
	assert_true(m->file.map != MAP_FAILED);
	fclose(f);
	free(bytes);
}

static void compare(const struct pieces *p, struct piece *piece, const struct made *m, size_t i)
{
	const u8 *rec = m->file.map + m->at[i], *bytes = piece_record(p, piece, rec);

	assert_int_equal(rec_size(bytes), m->at[i + 1] - m->at[i]);
	assert_memory_equal(bytes, rec, rec_size(bytes));
}

static void test_records(void **state)
{
	static struct made m;
	struct pieces p = { .file = &m.file };
	struct piece *one, *other;

	(void)state;
	make(&m);
	one = pieces_take(&p);
	other = pieces_take(&p);
	other->until = m.file.map + m.file.size / 2;
	for (size_t i = 0; i < NR; i++) {
		compare(&p, one, &m, i);
		compare(&p, other, &m, any(NR));
	}
	for (size_t i = NR; i--;)
		compare(&p, one, &m, i);
	pieces_give(&p, other);
	assert_ptr_equal(pieces_take(&p), other); /* as if it were new */
	compare(&p, other, &m, 7);
	pieces_give(&p, one);
	pieces_give(&p, other);
	pieces_release(&p);
	munmap(m.file.map, m.file.size);
	close(m.file.fd);
}

/* A record that the end of the file cuts off is none. */
static void test_cut(void **state)
{
	static struct made m;
	struct pieces p = { .file = &m.file };
	struct piece *piece = pieces_take(&p);

	(void)state;
	make(&m);
	m.file.size -= 4;
	compare(&p, piece, &m, NR - 2);
	for (size_t i = NR - 1; i <= NR; i++) {
		const u8 *bytes = piece_record(&p, piece, m.file.map + m.at[i]);

		assert_int_equal(rec_size(bytes), sizeof(wire_header));
		assert_int_equal(rec_type(bytes), 0);
	}
	pieces_give(&p, piece);
	pieces_release(&p);
	munmap(m.file.map, m.file.size);
	close(m.file.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
