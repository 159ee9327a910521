# SPDX-License-Identifier: GPL-2.0-or-later
# What `perf test` ships in the binary: the workloads (tests/workloads) and the suites (tests/suites).
# Workloads keep their frames: profiles of them are compared with what they are known to do.

WORKLOAD_CFLAGS := -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-stack-protector \
	$(filter -mno-omit-leaf-frame-pointer -mbackchain,$(CC_ACCEPTS))

WORKLOAD_OBJ := $(call objects_of,$(wildcard tests/workloads/*.c))
SUITE_OBJ := $(call objects_of,$(wildcard tests/suites/*.c))
# private: what these objects depend on keeps its own flags
$(WORKLOAD_OBJ): private ALL_CFLAGS += -g $(WORKLOAD_CFLAGS)
# so that their call chains reach main()
$(O)/builtin-test.o $(O)/perf.o: private ALL_CFLAGS += -fno-omit-frame-pointer -fno-optimize-sibling-calls
TOP_OBJ += $(WORKLOAD_OBJ) $(SUITE_OBJ)
