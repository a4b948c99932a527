// SPDX-License-Identifier: GPL-2.0-or-later
/* scene-pressure - pressure of the machine and its control groups over time, at the end of a session */
#include <stdio.h>
#include <stdlib.h>

#include "export/scene/scene.h"
#include "ringside/sample.h"

#define PRESSURE_STEPS 128u

static const struct {
	enum rs_cgroup_count which;
	const char *name;
} pressure_kinds[] = {
	{ RS_CGROUP_CPU_PRESSURE_NS, "cpu some" },       { RS_CGROUP_CPU_FULL_NS, "cpu full" },
	{ RS_CGROUP_MEMORY_PRESSURE_NS, "memory some" }, { RS_CGROUP_MEMORY_FULL_NS, "memory full" },
	{ RS_CGROUP_IO_PRESSURE_NS, "io some" },         { RS_CGROUP_IO_FULL_NS, "io full" },
};

static unsigned int pressure_percent(const struct rs_pressure_step *step)
{
	uint64_t len_ns = step->to_ns - step->from_ns;

	return (unsigned int)((step->ns + len_ns / 200) / (len_ns / 100 + 1));
}

static bool pressure_is_any(const struct rs_pressure_step *steps, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (pressure_percent(&steps[i]))
			return true;
	return false;
}

/* A step holds until the next one begins; what had none at all has no counter. */
static void pressure_put(struct rs_scene *s, const char *group, const char *kind,
			 const struct rs_pressure_step *steps, size_t nr)
{
	char name[160];

	if (!pressure_is_any(steps, nr))
		return;
	snprintf(name, sizeof name, "%s %.140s", kind, group);
	for (size_t i = 0; i < nr; i++) {
		s->ops->pressure(s, name, steps[i].from_ns, pressure_percent(&steps[i]));
		if (i + 1 == nr || steps[i + 1].from_ns != steps[i].to_ns)
			s->ops->pressure(s, name, steps[i].to_ns, 0);
	}
}

void rs_scene_put_pressure(struct rs_scene *s)
{
	size_t nr = rs_cgroup_growth_rows(s->c, NULL, 0);
	struct rs_cgroup_growth_row *groups = calloc(nr + 1, sizeof *groups);
	struct rs_pressure_step steps[PRESSURE_STEPS];

	nr = groups ? rs_cgroup_growth_rows(s->c, groups, nr) : 0;
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < sizeof pressure_kinds / sizeof *pressure_kinds; k++)
			if (rs_cgroup_is_shown(s->c, groups[i].path))
				pressure_put(s, groups[i].path, pressure_kinds[k].name, steps,
					     rs_cgroup_pressure_steps(s->c, groups[i].path,
								      pressure_kinds[k].which, steps,
								      PRESSURE_STEPS));
	free(groups);
}
