// SPDX-License-Identifier: GPL-2.0-or-later
/* session-nice - the nice value of this process' session, among which the kernel shares CPUs (autogroup) */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/capture-parts.h"

#define SESSION_NICE_PATH "/proc/self/autogroup"

bool rs_session_nice_set(int nice)
{
	int fd = open(SESSION_NICE_PATH, O_WRONLY | O_CLOEXEC);
	bool is_set;

	if (fd < 0)
		return false;
	is_set = dprintf(fd, "%d", nice) > 0;
	close(fd);
	return is_set;
}

/*
 * Beside a session with hundreds of tasks that run the analysis got a tenth of a CPU, at nice -20, and most
 * events were lost.
 */
bool rs_session_nice_raise(int nice, int *before)
{
	FILE *f = fopen(SESSION_NICE_PATH, "re");
	bool is_known = f && fscanf(f, "/autogroup-%*d nice %d", before) == 1;

	if (f)
		fclose(f);
	return is_known && *before > nice && rs_session_nice_set(nice);
}
