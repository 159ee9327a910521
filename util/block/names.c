// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "block/names.h"

#include "block/event.h"

#include <sys/utsname.h>

/* Append the name that this machine has for a device. Return: whether it has one. */
static bool put_name_here(const struct sysroot *sr, u32 dev, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	const char *name = NULL;

	if (sr && !sysroot_read(sr, &text, "/sys/dev/block/%u:%u/uevent", block_major(dev),
				block_minor(dev)))
		name = strstr(strbuf_str(&text), "DEVNAME=");
	if (name) {
		name += strlen("DEVNAME=");
		strbuf_add(out, name, strcspn(name, "\n"));
	}
	strbuf_release(&text);
	return name;
}

void block_names_learn(struct block_names *n, const char *hostname)
{
	static const struct sysroot this_machine = { 0 };
	struct utsname here;

	if (hostname && !uname(&here) && !strcmp(here.nodename, hostname))
		n->sysroot = &this_machine;
}

void block_names_set(struct block_names *n, u32 dev, const char *name)
{
	map64_set(&n->of, dev, intern_str_id(&n->names, name));
}

const char *block_name(struct block_names *n, u32 dev)
{
	u32 *slot = map64_slot(&n->of, dev);
	struct strbuf name = STRBUF_INIT;

	if (*slot == MAP64_NONE) {
		if (!put_name_here(n->sysroot, dev, &name))
			strbuf_addf(&name, "%u,%u", block_major(dev), block_minor(dev));
		*slot = intern_str_id(&n->names, strbuf_str(&name));
		strbuf_release(&name);
	}
	return intern_str(&n->names, *slot);
}

void block_names_release(struct block_names *n)
{
	intern_release(&n->names);
	map64_release(&n->of);
}
