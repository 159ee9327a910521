// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "convert/convert.h"

#include "recording/recording.h"

#include <errno.h>

int convert_wall_offset(const struct recording *r, const struct convert_options *o, u64 *offset,
			struct err *err)
{
	const struct env *env = &r->session.file->env;

	*offset = o->wall_clock ? env->clock_wall - env->clock_time : 0;
	if (!o->wall_clock || env->clock_wall)
		return 0;
	return err_set(err, -EINVAL,
		       "Can't provide --tod time, missing clock data. Please record with "
		       "-k/--clockid option.");
}
