# SPDX-License-Identifier: GPL-2.0-or-later
#
# Agents are shared objects that other programs load to tell perf of themselves. $(O)/libperf-jvmti.so
# is for Java (perf-inject(1) says how). It is built where a JDK has the headers of its interface, in JDK=folder,
# JAVA_HOME or below /usr/lib/jvm, and needs nothing of the rooms.

JDK ?= $(firstword $(patsubst %/include/jvmti.h,%,$(wildcard $(JAVA_HOME:%=%/include/jvmti.h) \
	/usr/lib/jvm/default-java/include/jvmti.h /usr/lib/jvm/*/include/jvmti.h)))
JVMTI_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard agents/jvmti/*.c))

# A virtual machine does not load what is made with sanitizers.
AGENTS :=
ifneq ($(wildcard $(JDK)/include/jvmti.h),)
ifeq ($(STATIC)$(CROSS)$(SAN),)
AGENTS += $(O)/libperf-jvmti.so
ALL_OBJ += $(JVMTI_OBJ)
endif
endif

$(JVMTI_OBJ): private ALL_CFLAGS += -isystem $(JDK)/include -isystem $(JDK)/include/linux

$(O)/libperf-jvmti.so: $(JVMTI_OBJ) $(O)/.ldflags
	$(say) LD $@
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -o $@.new $(JVMTI_OBJ) -lpthread
	$(Q)mv $@.new $@

agents: $(AGENTS)
.PHONY: agents
