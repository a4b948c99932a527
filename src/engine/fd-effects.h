/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fd-effects.h - what system calls do to the descriptors of their process, and to the file of one */
#ifndef RS_ENGINE_FD_EFFECTS_H
#define RS_ENGINE_FD_EFFECTS_H

#include "engine/syscall.h"
#include "ringside/file.h"

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

#define RS_FD_NO_FLAGS 255u

/* By rs_call_place. */
struct rs_fd_effects {
	uint8_t effects[RS_NR_CALL_PLACES];
	uint8_t flags[RS_NR_CALL_PLACES]; /* 1 + the argument that may have O_CLOEXEC; RS_FD_NO_FLAGS: none; 0: an exec may close it */
	uint8_t ops[RS_NR_CALL_PLACES];   /* enum rs_file_op */
	uint8_t begins[RS_NR_CALL_PLACES]; /* it has one of these: its begin matters */
};

void rs_fd_effects_init(struct rs_fd_effects *e, struct rs_syscall_names *names);

static inline uint8_t rs_fd_effects_at(const uint8_t *places, int64_t nr)
{
	int place = rs_call_place(nr);

	return place >= 0 ? places[place] : 0;
}

#endif
