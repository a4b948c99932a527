// SPDX-License-Identifier: GPL-2.0-or-later
/* The words of enum rs_meaning, as the protocol and the files of settings have them. */
#include <stddef.h>
#include <string.h>

#include "ringside/panel.h"

static const char *const names[RS_NR_MEANINGS] = {
	[RS_MEANS_RUN] = "run",
	[RS_MEANS_RUNNABLE] = "runnable",
	[RS_MEANS_PREEMPTED] = "preempted",
	[RS_MEANS_IRQ] = "irq",
	[RS_MEANS_DISK] = "disk",
	[RS_MEANS_LOCK] = "lock",
	[RS_MEANS_FUTEX] = "futex",
	[RS_MEANS_MEMORY] = "memory",
	[RS_MEANS_BLOCKED] = "blocked",
	[RS_MEANS_SLEEP] = "sleep",
	[RS_MEANS_IDLE] = "idle",
	[RS_MEANS_UNKNOWN] = "unknown",
};

const char *rs_meaning_name(enum rs_meaning meaning)
{
	return (unsigned int)meaning < RS_NR_MEANINGS ? names[meaning] : NULL;
}

bool rs_meaning_of(const char *name, enum rs_meaning *meaning)
{
	for (unsigned int i = 0; name && i < RS_NR_MEANINGS; i++)
		if (!strcmp(names[i], name)) {
			*meaning = (enum rs_meaning)i;
			return true;
		}
	return false;
}
