// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a tar archive: its members, their contents, what their names may be in a cache. */
#include "base/compat.h"
#include "codec/untar.h"
#include "buildid/member.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *p;
	size_t left;
};

static ssize_t take(void *ctx, void *buf, size_t len)
{
	struct input *in = ctx;

	len = MIN(len, in->left);
	memcpy(buf, in->p, len);
	in->p += len;
	in->left -= len;
	return (ssize_t)len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct tar_member m;
	struct untar t;
	char buf[512];

	untar_init(&t, take, &in);
	while (untar_next(&t, &m, NULL) > 0) {
		enum cache_member kind = cache_member(m.name);

		/* What may be written is below the cache. */
		if (kind != CACHE_MEMBER_BAD &&
		    (*m.name == '/' || !strncmp(m.name, "../", 3) || strstr(m.name, "/../")))
			abort();
		if (kind != CACHE_MEMBER_LINK && cache_member_target(m.name, m.target))
			abort();
		while (untar_read(&t, buf, sizeof(buf)) > 0)
			;
	}
	untar_release(&t);
	return 0;
}
