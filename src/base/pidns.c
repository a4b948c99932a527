// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/pidns.h"

#include <sys/stat.h>

#define PROC_PID_INIT_INO 0xEFFFFFFCu /* include/linux/proc_ns.h: the first PID namespace */

enum rs_pidns rs_pidns(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) < 0)
		return RS_PIDNS_UNKNOWN;
	return st.st_ino == PROC_PID_INIT_INO ? RS_PIDNS_HOST : RS_PIDNS_OTHER;
}
