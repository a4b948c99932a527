// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/peer.h"

#include <stdlib.h>
#include <sys/socket.h>

/* Reads the supplementary groups at the time of the connect. Kernels before 4.13 do not provide them. */
static bool has_group(int fd, gid_t group)
{
	socklen_t bytes = 0;
	gid_t *groups;
	bool found = false;

	getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &bytes); /* fails with ERANGE, and returns the size */
	groups = bytes && bytes <= 65536 * sizeof *groups ? malloc(bytes) : NULL;
	if (groups && getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &bytes) == 0)
		for (size_t i = 0; i < bytes / sizeof *groups; i++)
			found |= groups[i] == group;
	free(groups);
	return found;
}

bool rs_peer_of(int fd, const struct rs_peer_rules *rules, struct rs_peer *peer)
{
	struct ucred cred;
	socklen_t len = sizeof cred;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0 || len != sizeof cred ||
	    cred.uid == (uid_t)-1)
		return false;
	*peer = (struct rs_peer){ .pid = cred.pid, .uid = cred.uid };
	peer->in_group = cred.gid == rules->group || has_group(fd, rules->group);
	return true;
}

bool rs_peer_may_change(const struct rs_peer_rules *rules, const struct rs_peer *peer)
{
	return peer->uid == 0 || peer->uid == rules->owner;
}

bool rs_peer_may_read(const struct rs_peer_rules *rules, const struct rs_peer *peer)
{
	return peer->in_group || rs_peer_may_change(rules, peer);
}
