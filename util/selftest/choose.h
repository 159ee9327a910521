/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choose the suites that the words of a command line name. */
#ifndef PERF_SELFTEST_CHOOSE_H
#define PERF_SELFTEST_CHOOSE_H

#include "selftest/selftest.h"

/** selftest_chosen - do the words name suite number @nr, counted from 1? */
bool selftest_chosen(const struct selftest *t, size_t nr);
/** selftest_skipped - tell whether it is one of those to leave out. */
bool selftest_skipped(const struct selftest *t, size_t nr);

#endif
