/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make and remove folders for tests, and files in them. */
#ifndef TESTS_TMP_TREE_H
#define TESTS_TMP_TREE_H

#include "base/compat.h"

/** tmp_dir - a fresh folder, removed with what is in it by tmp_remove(). */
char *tmp_dir(void);
void tmp_remove(char *dir);
/** file_write - bytes to @path (folders in between are made). */
void file_write(const char *path, const void *data, size_t size);
/** tree_put - text to @path below @root (folders in between are made). */
void tree_put(const char *root, const char *path, const char *text);

#endif
