/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notify.h - tells a service manager how the daemon is: sd_notify's protocol, of which a library is not needed
 */
#ifndef RS_DAEMON_NOTIFY_H
#define RS_DAEMON_NOTIFY_H

struct rs_notify {
	int fd;          /* -1: nobody asked to be told */
};

/* Reads NOTIFY_SOCKET, and takes it out of the environment: what we launch is not to speak for us. */
void rs_notify_open(struct rs_notify *n);
void rs_notify_close(struct rs_notify *n);

/* None of these waits; what cannot be sent is lost. */
void rs_notify_ready(struct rs_notify *n);
void rs_notify_reloading(struct rs_notify *n);
void rs_notify_stopping(struct rs_notify *n);
void rs_notify_status(struct rs_notify *n, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
