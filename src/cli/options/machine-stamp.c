// SPDX-License-Identifier: GPL-2.0-or-later
/* machine-stamp - a machine's place among several, as one line: offsets, uncertainty, begin, name */
#include "cli/options/machine-stamp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rs_machine_stamp_put(char *line, size_t size_bytes, const char *name, const struct rs_host_clock *clock,
			  uint64_t begin_ns)
{
	snprintf(line, size_bytes, "%" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu64 " %s",
		 clock->boot_offset_ns, clock->wall_offset_ns, clock->within_ns, begin_ns, name);
}

bool rs_machine_stamp_read(const char *line, struct rs_options *opt)
{
	struct rs_host_clock clock = { .known = true };
	uint64_t begin_ns;
	int name = 0;

	if (sscanf(line, "%19" SCNd64 " %19" SCNd64 " %18" SCNu64 " %18" SCNu64 " %n", &clock.boot_offset_ns,
		   &clock.wall_offset_ns, &clock.within_ns, &begin_ns, &name) != 4 || !name || !line[name])
		return false;
	opt->is_one_of_hosts = true;
	opt->machine = line + name;
	opt->host_clock = clock;
	opt->base_known = true;
	/* so that what begins at once there has no time before it */
	opt->base.begin_ns = begin_ns + (uint64_t)clock.boot_offset_ns - clock.within_ns;
	return true;
}

void rs_machine_stamp_take(struct rs_options *opt)
{
	static char line[600];
	const char *given = getenv(RS_MACHINE_STAMP_VARIABLE);

	if (!given)
		return;
	snprintf(line, sizeof line, "%s", given);
	unsetenv(RS_MACHINE_STAMP_VARIABLE);
	rs_machine_stamp_read(line, opt);
}
