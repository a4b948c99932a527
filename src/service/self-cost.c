// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/self-cost.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TAKE_NS 1000000000ull

static uint64_t self_cost_clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void rs_self_cost_init(struct rs_self_cost *c)
{
	*c = (struct rs_self_cost){
		.statm_fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC),
		.wall_ns = self_cost_clock_ns(CLOCK_MONOTONIC),
		.cpu_ns = self_cost_clock_ns(CLOCK_PROCESS_CPUTIME_ID),
	};
}

void rs_self_cost_done(struct rs_self_cost *c)
{
	if (c->statm_fd >= 0)
		close(c->statm_fd);
}

uint64_t rs_self_cost_cpu_milli(struct rs_self_cost *c)
{
	uint64_t wall_ns = self_cost_clock_ns(CLOCK_MONOTONIC), cpu_ns;

	if (wall_ns - c->wall_ns < TAKE_NS)
		return c->cpu_milli;
	cpu_ns = self_cost_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	c->cpu_milli = (cpu_ns - c->cpu_ns) * 1000 / (wall_ns - c->wall_ns);
	c->wall_ns = wall_ns;
	c->cpu_ns = cpu_ns;
	return c->cpu_milli;
}

uint64_t rs_self_cost_rss_bytes(const struct rs_self_cost *c)
{
	char text[128] = "", *resident;

	if (c->statm_fd < 0 || pread(c->statm_fd, text, sizeof text - 1, 0) <= 0)
		return 0;
	resident = strchr(text, ' ');
	return resident ? strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}
