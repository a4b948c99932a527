// SPDX-License-Identifier: GPL-2.0-or-later
/* notify - reports the daemon's state to a service manager: sd_notify's protocol, without its library */
#include "daemon/notify.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

void rs_notify_open(struct rs_notify *n)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = path ? strlen(path) : 0;

	n->fd = -1;
	/* a path, or a name in the kernel's abstract space, for which '@' stands */
	if (len < 2 || len >= sizeof to.sun_path || (*path != '/' && *path != '@'))
		return;
	memcpy(to.sun_path, path, len);
	if (*path == '@')
		to.sun_path[0] = '\0';
	unsetenv("NOTIFY_SOCKET");
	n->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (n->fd >= 0 && connect(n->fd, (struct sockaddr *)&to,
				  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) < 0)
		rs_notify_close(n);
}

void rs_notify_close(struct rs_notify *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
}

void rs_notify_send(struct rs_notify *n, const char *text)
{
	if (n->fd >= 0)
		(void)!send(n->fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* With the time, Type=notify-reload knows that the READY=1 to come is the answer to this one. */
void rs_notify_reloading(struct rs_notify *n)
{
	struct timespec t;
	char text[80];

	clock_gettime(CLOCK_MONOTONIC, &t);
	snprintf(text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64 "\n",
		 (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000);
	rs_notify_send(n, text);
}

void rs_notify_status(struct rs_notify *n, const char *status)
{
	char text[512];

	snprintf(text, sizeof text, "STATUS=%s", status);
	for (char *at = text; (at = strchr(at, '\n')); at++)
		*at = ' '; /* a line is one assignment */
	rs_notify_send(n, text);
}
