/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taking the members of an archive into the build-id cache. Archives come from anywhere: what their
 * members are called is checked, and nothing is opened through a symbolic link.
 */
#ifndef PERF_BUILDID_MEMBER_H
#define PERF_BUILDID_MEMBER_H

#include "base/err.h"

/* The kinds of names that members of an archive may have. */
enum cache_member {
	CACHE_MEMBER_BAD,  /* leads out of the cache, or is nothing that belongs there */
	CACHE_MEMBER_TOP,  /* a plain name without folder: not of the cache */
	CACHE_MEMBER_FILE, /* "usr/bin/ls/HEX/elf" */
	CACHE_MEMBER_LINK  /* ".build-id/xx/yyyy" */
};

/** cache_member - return what @name could be in a cache. */
enum cache_member cache_member(const char *name);
/** cache_member_target - tell whether the link @name may lead to @target: the entry of its
 * build-id. */
bool cache_member_target(const char *name, const char *target);

/**
 * cache_member_create - start a file of the cache; a name beside it, until cache_member_finish().
 * Return: fd, -EEXIST when the cache has it, negative errno.
 */
int cache_member_create(const char *dir, const char *name);
/** cache_member_finish - keep the file that was started, as it is whole (@keep), or remove it.
 * Closes @fd. */
int cache_member_finish(const char *dir, const char *name, int fd, bool keep);
/** cache_member_open - open a file that is there for reading. Return: fd, negative errno. */
int cache_member_open(const char *dir, const char *name);
/** cache_member_remove - take a file out again. */
void cache_member_remove(const char *dir, const char *name);
/** cache_member_link - make a link of the cache. Return: 0, also when it is there; -errno. */
int cache_member_link(const char *dir, const char *name, const char *target);
/** cache_member_right - tell whether the ELF file @name may be of the build-id its folder says. */
bool cache_member_right(const char *dir, const char *name);

#endif
