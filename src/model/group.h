/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group.h - what merges under --by: a map from a key of several parts to some bytes
 *
 *	struct rs_groups *g = rs_groups_new(sizeof(struct sum));
 *	struct rs_group_key k = { 0 };
 *	rs_group_key_u64(&k, pid); rs_group_key_str(&k, comm);
 *	struct sum *s = rs_groups_get(g, &k);        // zeroed the first time; NULL: no memory
 *	for (s = rs_groups_next(g, NULL); s; s = rs_groups_next(g, s)) ...   // in the order of their first
 *	                                                                     // time
 *	rs_groups_free(g);
 *
 * For snapshots, not for the hot path.
 */
#ifndef RS_MODEL_GROUP_H
#define RS_MODEL_GROUP_H

#include <stddef.h>
#include <stdint.h>

#define RS_GROUP_KEY_BYTES 96

struct rs_group_key {
	unsigned char bytes[RS_GROUP_KEY_BYTES];
	size_t len;
};

/* What does not fit is folded into a hash of itself: keys stay distinct for all that is practical. */
void rs_group_key_u64(struct rs_group_key *k, uint64_t v);
void rs_group_key_str(struct rs_group_key *k, const char *s);

struct rs_groups;

struct rs_groups *rs_groups_new(size_t payload_bytes);
void rs_groups_free(struct rs_groups *g);
void *rs_groups_get(struct rs_groups *g, const struct rs_group_key *k);
void *rs_groups_next(const struct rs_groups *g, const void *after);

#endif
