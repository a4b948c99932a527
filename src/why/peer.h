/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * peer.h - what the task that a process waits for does meanwhile, in words: what findings about peers and
 * locks are made of
 *
 * A peer that waits for another itself is followed, up to the one that does not.
 */
#ifndef RS_WHY_PEER_H
#define RS_WHY_PEER_H

#include "why/evaluate.h"

#define RS_PEER_PARTS \
	(RS_PART_BIT(READ_WRITE) | RS_PARTS_OF_SOCKET | RS_PART_BIT(CHILD) | RS_PART_BIT(OTHER_CALL) | \
	 RS_PART_BIT(POLL))

/* The peer, and the chain of those that it waits for. */
struct rs_peer_words {
	char text[256];             /* "runs on a CPU", "waits for db, which runs on a CPU" */
	const char *culprit;        /* at the end of the chain */
	int32_t pid;
	unsigned int nr;            /* processes of its name */
	enum rs_peer_does ends_in;  /* what the last of the chain does */
	unsigned int nr_links;      /* of the chain; 0: the peer itself does that */
	bool has_file_lock;         /* one of them waits for a file lock of the next */
	/* the last of the chain sleeps until a timer ends it (nanosleep), and not an event */
	bool has_timer;
};

/* What is judged: waits of a process for others, of which the costliest is told. */
struct rs_peer_case {
	struct rs_case of;
	unsigned int rule;               /* of the family, before it is asked who is at its limit */
	uint64_t besides_ns;             /* lost because of it, but not in these waits: it ranks by both */
	uint64_t nr_children;            /* that it waited for */
	bool is_thread;                  /* the culprit is a thread of the victim */
	bool costs_nothing;              /* nobody loses the time: it ranks last */
	struct rs_peer_words words;
	char victim[2 * RS_COMM_LEN + 4], both[64], program[64];
	char over[RS_SOCKET_TEXT_BYTES];
};

/* What a rule about peers shows: .view, .where and .evidence of it. */
extern const struct rs_evidence rs_peer_evidence[];
#define RS_PEER_SEEN .view = "offcpu", .where = "pid == {pid}", .evidence = rs_peer_evidence

/* Returns what the culprit of an entry does most of the time that is waited for it. */
enum rs_peer_does rs_peer_does(const struct rs_blame_entry *e);
/* Returns the costliest entry of the parts whose culprit has a name; NULL: none. b may be NULL, as below. */
const struct rs_blame_entry *rs_peer_entry(const struct rs_blame *b, uint64_t parts);
/* Likewise the costliest that is not about the processes of b themselves. */
const struct rs_blame_entry *rs_peer_entry_of_others(const struct rs_blame *b, uint64_t parts);
/* Likewise the costliest that is about these. */
const struct rs_blame_entry *rs_peer_entry_of(const struct rs_blame *b, uint64_t parts,
					      const struct rs_blame *culprit);
bool rs_peer_is_file_lock(struct rs_ctx *c, int64_t call);

/*
 * Says what the culprit of an entry does while the victim waits. The words live as long as the list of
 * rs_blame_list.
 */
void rs_peer_say(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e,
		 struct rs_peer_words *w);
/* Sets what all findings about peers have: the victim's thread, the cost, whether code is named. */
void rs_peer_blame(struct rs_peer_case *k);
/* Adds {call}, {peer}, {does}, and those of rs_peer_evidence. */
void rs_peer_slots(struct rs_peer_case *k, struct rs_case_slots *to);

#endif
