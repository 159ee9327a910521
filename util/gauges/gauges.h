/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that the kernel keeps in text files and that perf counts as if they were events: sensors
 * of the machine (/sys/class/hwmon), and what clients of graphics cards use (the files fdinfo of
 * processes). Each chip and each graphics driver stands for a PMU: "hwmon_coretemp", "drm_i915".
 * Sources of the formats: the kernel's Documentation/hwmon/sysfs-interface.rst and
 * Documentation/gpu/drm-usage-stats.rst.
 */
#ifndef PERF_GAUGES_GAUGES_H
#define PERF_GAUGES_GAUGES_H

#include "base/int-list.h"
#include "base/sysroot.h"

struct gauge {
	char *pmu;        /* owned */
	char *name;       /* owned; "temp1", "drm-engine-render" */
	char *label;      /* owned; another name, such as "temp_core_0", or NULL */
	char *desc;       /* owned */
	char *path;       /* owned; the file of a sensor; NULL for graphics */
	u64 config;       /* of a sensor: its type and number, as in config= of later versions */
	const char *unit; /* of the scaled value; NULL when it has none */
	double scale;     /* 0: the value is in that unit */
	bool state;       /* the value is a state, not a sum that grows */
};

struct gauges {
	struct gauge *v; /* owned */
	size_t nr, cap;
};

/** gauges_sensors - append the sensors of all chips, sorted by chip, type and number. */
void gauges_sensors(struct gauges *g, const struct sysroot *sr);
/** gauges_graphics - append what the running clients of graphics cards tell, sorted by name. This
 * looks at every process. */
void gauges_graphics(struct gauges *g, const struct sysroot *sr);
/** gauges_release - free the list; it is empty afterwards. */
void gauges_release(struct gauges *g);

/**
 * gauges_are_graphics - tell whether a PMU, or an event when @pmu is NULL, is one of graphics by
 * its name.
 */
bool gauges_are_graphics(const char *pmu, const char *name);

/* A value that is read again and again. */
struct gauge_value {
	char *pmu, *name;             /* owned */
	char *path;                   /* owned; the file of a sensor, or NULL */
	bool grows;                   /* it is a sensor of what grows */
	s64 start;                    /* its value at the first reading */
	u64 value;                    /* of sensors a signed number in two's complement */
	bool there;                   /* it could be read */
	struct gauge_client *clients; /* owned; those whose use of graphics was added up */
	size_t nr_clients, cap_clients;
};

struct gauge_values {
	struct gauge_value *v; /* owned */
	size_t nr, cap;
	struct gauges sensors; /* of the machine, when any has been looked for */
	bool begun;            /* they have been read once */
};

/** gauge_values_add - read the gauge @name of @pmu from now on. Its number is v->nr before. */
void gauge_values_add(struct gauge_values *v, const struct sysroot *sr, const char *pmu,
		      const char *name);
/**
 * gauge_values_read - read all values. Use of graphics is that of the processes of @tids, or of all
 * when the list is empty. Of what grows, what was there at the first call is not counted.
 */
void gauge_values_read(struct gauge_values *v, const struct sysroot *sr,
		       const struct int_list *tids);
/** gauge_values_restart - let the next call of gauge_values_read() be the first. */
void gauge_values_restart(struct gauge_values *v);
/** gauge_values_release - free everything. */
void gauge_values_release(struct gauge_values *v);

#endif
