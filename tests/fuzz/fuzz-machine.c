// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a row of state records, each applied at a time its first bytes make; lookups in
 * between and after. */
#include "base/compat.h"
#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct machine *m, u32 pid, u32 tid, u64 time, u64 addr)
{
	static const u8 modes[] = { PERF_RECORD_MISC_USER, PERF_RECORD_MISC_KERNEL,
				    PERF_RECORD_MISC_GUEST_KERNEL };
	struct thread_at t;
	size_t i;

	machine_thread_at(m, pid, tid, time, &t);
	if (t.thread >= machine_nr_threads(m) || t.comm >= machine_nr_comms(m) ||
	    t.epoch >= machine_nr_epochs(m) || t.from > time ||
	    (t.until <= time && time != UINT64_MAX))
		abort();
	(void)strlen(machine_comm(m, t.comm));
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		const struct map *map = machine_find_map(m, t.epoch, modes[i], addr);

		if (map && (addr < map->start || addr >= map->end || !map->dso->short_name))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine *m = machine_new();
	u8 copy[512] __attribute__((aligned(8)));
	u64 time = 0, addr = 0;
	size_t at = 0;

	while (size - at >= 8) {
		struct perf_event_header h;
		size_t len;

		memcpy(&h, data + at, sizeof(h));
		len = MIN(MIN(h.size < 8 ? 8 : h.size, size - at), sizeof(copy));
		memcpy(copy, data + at, len);
		time += len > 16 ? copy[len - 1] : 1;
		(void)machine_apply(m, (const struct perf_event_header *)copy, len, time, NULL);
		if (len >= 24)
			memcpy(&addr, copy + 16, 8);
		if (h.misc & 0x100)
			look(m, copy[8], copy[12 % len], time, addr + 1);
		at += len;
	}
	machine_seal(m);
	look(m, 1, 1, time / 2, addr);
	look(m, 1, 2, time, addr);
	look(m, UINT32_MAX, UINT32_MAX, UINT64_MAX, addr);
	machine_free(m);
	return 0;
}
