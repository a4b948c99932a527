// SPDX-License-Identifier: GPL-2.0-or-later
/* follow-told - what a daemon tells its follower besides pages, until the follower asks */
#include "rpc/follow-told.h"

#include <string.h>

#define FOLLOW_TOLD_MAX_SOCKETS 8192

bool rs_follow_told_switch(struct rs_follow_told *told, const struct rs_follow_head *head, const char *bytes)
{
	unsigned int at = told->nr_switched < FOLLOW_TOLD_MAX_SWITCHED ? told->nr_switched++ :
									 FOLLOW_TOLD_MAX_SWITCHED - 1;
	struct rs_follow_switched *t = &told->switched[at];
	char *colon;

	memcpy(t->event, bytes, head->len_bytes);
	t->event[head->len_bytes] = '\0';
	t->on = head->a;
	colon = strchr(t->event, ':');
	if (!colon || strlen(t->event) != head->len_bytes)
		return false;
	*colon = '\0';
	return true;
}

void rs_follow_told_add_socket(struct rs_follow_told *told, const struct rs_follow_head *head,
			       const char *bytes)
{
	char name[RS_FOLLOW_SOCKET_BYTES];

	memcpy(name, bytes, head->len_bytes);
	name[head->len_bytes] = '\0';
	if (told->sockets.nr < FOLLOW_TOLD_MAX_SOCKETS)
		rs_fd_socket_list_add(&told->sockets, &(struct rs_fd_socket){
			.since_ns = head->a, .until_ns = head->b, .pid = (int32_t)head->cpu,
			.fd = (int32_t)head->fd, .name = name });
}

const struct rs_follow_switched *rs_follow_told_next_switched(struct rs_follow_told *told)
{
	if (told->switched_at < told->nr_switched)
		return &told->switched[told->switched_at++];
	told->switched_at = told->nr_switched = 0;
	return NULL;
}

const struct rs_fd_socket *rs_follow_told_next_socket(struct rs_follow_told *told)
{
	if (told->socket_at < told->sockets.nr)
		return &told->sockets.row[told->socket_at++];
	rs_follow_told_done(told);
	return NULL;
}

void rs_follow_told_done(struct rs_follow_told *told)
{
	rs_fd_socket_list_done(&told->sockets);
	told->socket_at = 0;
}
