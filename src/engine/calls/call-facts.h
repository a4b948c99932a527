/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call-facts.h - calls.tbl by the numbers of a recording's architecture: what a call waits for, of which
 * classes it is, and what it does to descriptors
 *
 * A number is looked up in an array: nothing compares names while events are read.
 */
#ifndef RS_ENGINE_CALL_FACTS_H
#define RS_ENGINE_CALL_FACTS_H

#include "engine/calls/calls.h"
#include "ringside/task.h"

struct rs_syscall_names;

#define RS_NR_CALL_PLACES (RS_NR_CALL_TABLES * RS_MAX_CALL_NUMBERS)
#define RS_X32_BIT 0x40000000 /* __X32_SYSCALL_BIT */
#define RS_CALL_DEPENDS RS_NR_CALL_KINDS /* of futex: its operation tells */
#define RS_FD_NO_FLAGS 255u

/* What a call does to its process' descriptors. */
enum rs_fd_effect {
	RS_FD_NOTHING,
	RS_FD_OPENS,         /* returns a descriptor that was free */
	RS_FD_OPENS_AT,      /* likewise, of a name that may begin at its first argument */
	RS_FD_DUPS,          /* likewise, of the file of its first argument */
	RS_FD_CONTROLS,      /* fcntl: likewise, by its second argument */
	RS_FD_MARKS,         /* ioctl: may tell that an exec closes it */
	RS_FD_UNSHARES,      /* with that flag the thread gets a table of its own */
	RS_FD_HIDES,         /* opens and closes without calls from now on */
	RS_FD_CLOSES_FIRST,  /* may close its first argument: this one and all below may close descriptors */
	RS_FD_CLOSES_SECOND, /* and then makes it another one for the first: dup2 */
	RS_FD_CLOSES_RANGE,
	RS_FD_MOVES,         /* may change the working directory */
	RS_FD_MOVES_TO,      /* likewise, to the one of its first argument */
	RS_FD_CLOSES_ANY,
};

/* Bits: of .op, .effect; the first argument may be a descriptor of a socket. */
enum rs_call_files { RS_CALL_USES_FILE = 1, RS_CALL_HAS_EFFECT = 2, RS_CALL_USES_SOCKET = 4 };

/* A member for each fact, by rs_call_place. */
struct rs_call_facts {
	uint8_t kind[RS_NR_CALL_PLACES];    /* enum rs_call_kind, or RS_CALL_DEPENDS */
	uint8_t end[RS_NR_CALL_PLACES];     /* enum rs_call_end */
	uint8_t sleep[RS_NR_CALL_PLACES];   /* enum rs_time_part; 0: nothing is said, RS_PART_OTHER_CALL */
	uint8_t effect[RS_NR_CALL_PLACES];  /* enum rs_fd_effect */
	/* 1 + the argument that may have O_CLOEXEC; RS_FD_NO_FLAGS: none; 0: an exec may close it */
	uint8_t cloexec[RS_NR_CALL_PLACES];
	uint8_t op[RS_NR_CALL_PLACES];      /* enum rs_file_op, on the file of its first argument */
	/* enum rs_call_files: does it matter to who follows descriptors? */
	uint8_t files[RS_NR_CALL_PLACES];
	uint8_t letters[RS_NR_CALL_PLACES]; /* see rs_call_facts_letters */
	uint32_t classes[RS_NR_CALL_PLACES]; /* enum rs_call_class */
};

/* The index of a call's number in these arrays; -1: none. */
static inline int rs_call_place(int64_t nr)
{
	int64_t number = rs_call_number(nr);
	enum rs_call_table table = nr & RS_CALL_COMPAT ? RS_CALLS_COMPAT : RS_CALLS_NATIVE;

	if (nr < 0)
		return -1;
	if (table == RS_CALLS_NATIVE && number & RS_X32_BIT) {
		table = RS_CALLS_X32;
		number &= ~(int64_t)RS_X32_BIT;
	}
	return number < RS_MAX_CALL_NUMBERS ? (int)table * RS_MAX_CALL_NUMBERS + (int)number : -1;
}

/* Returns what one of the arrays of bytes has of a call; 0 for a number that has no place. */
static inline uint8_t rs_call_fact(const uint8_t *places, int64_t nr)
{
	int place = rs_call_place(nr);

	return place >= 0 ? places[place] : 0;
}

void rs_call_facts_init(struct rs_call_facts *facts, struct rs_syscall_names *names);
/*
 * How to show the arguments of a call, as the letters of call-shape.h; NULL if no row says it, and for a
 * number that is not known for certain.
 */
const char *rs_call_facts_letters(const struct rs_call_facts *facts, int64_t nr);

#endif
