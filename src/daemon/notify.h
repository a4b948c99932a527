/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notify.h - reports the daemon's state to a service manager: sd_notify's protocol, without its library
 */
#ifndef RS_DAEMON_NOTIFY_H
#define RS_DAEMON_NOTIFY_H

#define RS_NOTIFY_READY "READY=1\n"
#define RS_NOTIFY_STOPPING "STOPPING=1\n"

struct rs_notify {
	int fd;          /* -1: there is no service manager */
};

/* Reads NOTIFY_SOCKET, and removes it from the environment: launched commands must not use it. */
void rs_notify_open(struct rs_notify *n);
void rs_notify_close(struct rs_notify *n);

/* These never wait; a message that cannot be sent is dropped. */
void rs_notify_send(struct rs_notify *n, const char *text); /* RS_NOTIFY_READY, RS_NOTIFY_STOPPING */
void rs_notify_reloading(struct rs_notify *n);
void rs_notify_status(struct rs_notify *n, const char *status);

#endif
