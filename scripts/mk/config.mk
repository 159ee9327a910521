# SPDX-License-Identifier: GPL-2.0-or-later
# Compiler, flags, build folder and how commands are echoed.

# Another machine's compiler by its prefix, as in CROSS_COMPILE=aarch64-linux-gnu-; SYSROOT is a folder
# with that machine's headers and libraries (scripts/sysroot makes one).
CROSS := $(notdir $(CROSS_COMPILE:%-=%))

ifneq ($(CROSS),)
O ?= build-$(CROSS)
else ifeq ($(STATIC),1)
O ?= build-static
else ifeq ($(SAN),1)
O ?= build-san
else ifeq ($(DEBUG),1)
O ?= build-debug
else
O ?= build
endif

# A folder of the tree has one name, so that flags do not seem to change.
override O := $(patsubst $(CURDIR)/%,%,$(abspath $(O)))

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-8s %s\n'
endif

ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
ifeq ($(origin AR),default)
AR := $(CROSS_COMPILE)ar
endif
PKG_CONFIG ?= pkg-config
ifeq ($(STATIC),1)
override PKG_CONFIG += --static
STATIC_CFLAGS := -DPERF_STATIC
# Plugins and engines are shared libraries.
NO_LIBTRACEEVENT := 1
NO_LIBPYTHON := 1
NO_LIBPERL := 1
endif

# What pkg-config and perl know of this machine is not about the other one.
ifneq ($(CROSS),)
NO_LIBPERL := 1
export PKG_CONFIG_LIBDIR ?= $(SYSROOT)/usr/lib/$(CROSS)/pkgconfig:$(SYSROOT)/usr/lib/pkgconfig:$(SYSROOT)/usr/share/pkgconfig
endif
ifneq ($(SYSROOT),)
override SYSROOT := $(abspath $(SYSROOT))
export PKG_CONFIG_SYSROOT_DIR ?= $(SYSROOT)
SYSROOT_FLAGS := --sysroot=$(SYSROOT)
endif

WARN := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wno-unused-parameter \
	-Wno-format-truncation -Wno-unknown-warning-option -Wno-missing-field-initializers
OPT := -O2 -g
# The module for Python, which is a shared object, has in it the objects of perf.
ifneq ($(STATIC),1)
PIC := -fPIC -fvisibility=hidden
endif
# Large mappings are cheap at start only if the loader has little to do.
LINK_OPT := -Wl,--as-needed -Wl,-O1 -Wl,-z,relro
ifeq ($(DEBUG),1)
OPT := -O0 -g3
endif
ifeq ($(SAN),1)
SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined
# What a report shows of a place: its function and line.
OPT := -Og -g1 -fno-omit-frame-pointer $(SAN_FLAGS)
# Sanitizers describe each variable and each check by addresses. In a program that can be loaded anywhere they are
# relocated when it starts, which is a third of the time that a short command takes.
PROGRAM_LDFLAGS := -no-pie
endif
CFLAGS ?=
LDFLAGS ?=
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -Iutil -I. -I$(O)/include $(WARN) $(OPT) $(PIC) \
	$(SYSROOT_FLAGS) $(STATIC_CFLAGS) $(FEATURE_CFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(OPT) $(SYSROOT_FLAGS) $(LINK_OPT) $(if $(STATIC_CFLAGS),-static) $(LDFLAGS)
LIBS = $(FEATURE_LIBS) -lpthread -ldl -lm

# Goals that need no probing and no build folder.
QUIET_GOALS := clean help uninstall
ifneq ($(MAKECMDGOALS),)
ifeq ($(filter-out $(QUIET_GOALS),$(MAKECMDGOALS)),)
NO_BUILD := 1
endif
endif

# $(call write_if_changed,FILE,TEXT): FILE is touched only when TEXT is new, so that what
# depends on it is rebuilt exactly then. No shell runs when nothing changed.
define write_if_changed
ifneq ($$(strip $$(file <$(1))),$$(strip $(2)))
$$(shell mkdir -p $(dir $(1)))
$$(file >$(1),$$(strip $(2)))
endif
endef
