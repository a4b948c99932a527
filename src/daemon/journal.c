// SPDX-License-Identifier: GPL-2.0-or-later
/* journal - entries with fields in systemd's journal, by its native protocol, without its library */
#include "daemon/journal.h"

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define JOURNAL_SOCKET "/run/systemd/journal/socket"

void rs_journal_open(struct rs_journal *j, const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	j->entry = (struct rs_buf)RS_BUF_INIT;
	snprintf(to.sun_path, sizeof to.sun_path, "%s", path ? path : JOURNAL_SOCKET);
	j->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (j->fd >= 0 && connect(j->fd, (struct sockaddr *)&to, sizeof to) < 0) {
		close(j->fd);
		j->fd = -1;
	}
}

void rs_journal_close(struct rs_journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
	rs_buf_done(&j->entry);
}

/* "FIELD=value", or where the value has lines "FIELD", its length as 64 bits, and the value. */
void rs_journal_put(struct rs_journal *j, const char *field, const char *value)
{
	uint64_t len = htole64(strlen(value));

	rs_buf_puts(&j->entry, field);
	if (strchr(value, '\n')) {
		rs_buf_putc(&j->entry, '\n');
		rs_buf_add(&j->entry, (const char *)&len, sizeof len);
	} else {
		rs_buf_putc(&j->entry, '=');
	}
	rs_buf_puts(&j->entry, value);
	rs_buf_putc(&j->entry, '\n');
}

bool rs_journal_send(struct rs_journal *j)
{
	bool sent = j->fd >= 0 && !j->entry.failed &&
		    send(j->fd, j->entry.data, j->entry.len, MSG_NOSIGNAL | MSG_DONTWAIT) ==
			    (ssize_t)j->entry.len;

	rs_buf_clear(&j->entry);
	return sent;
}
