/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pidns.h - do the pids of this process mean what the kernel's events say?
 *
 * Events carry the pids of the host. In a PID namespace of its own a process is
 * known, and finds others in /proc, under other numbers.
 */
#ifndef RS_BASE_PIDNS_H
#define RS_BASE_PIDNS_H

#include <sys/stat.h>

enum rs_pidns { RS_PIDNS_HOST, RS_PIDNS_OTHER, RS_PIDNS_UNKNOWN };

#define RS_PIDNS_FIRST_INO 0xEFFFFFFCu /* include/linux/proc_ns.h: the first PID namespace */

/* UNKNOWN: /proc does not tell, errno says why. */
static inline enum rs_pidns rs_pidns(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) < 0)
		return RS_PIDNS_UNKNOWN;
	return st.st_ino == RS_PIDNS_FIRST_INO ? RS_PIDNS_HOST : RS_PIDNS_OTHER;
}

#endif
