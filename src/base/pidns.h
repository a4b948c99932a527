/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pidns.h - do the pids of this process mean what the kernel's events say?
 *
 * Events carry the pids of the host. In a PID namespace of its own a process is
 * known, and finds others in /proc, under other numbers.
 */
#ifndef RS_BASE_PIDNS_H
#define RS_BASE_PIDNS_H

enum rs_pidns { RS_PIDNS_HOST, RS_PIDNS_OTHER, RS_PIDNS_UNKNOWN };

/* UNKNOWN: /proc does not tell, errno says why. */
enum rs_pidns rs_pidns(void);

#endif
