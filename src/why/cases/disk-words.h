/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disk-words.h - whose doing a wait for a disk is, and what a sentence about it has in its slots */
#ifndef RS_WHY_CASES_DISK_WORDS_H
#define RS_WHY_CASES_DISK_WORDS_H

#include "why/cases/disk-case.h"

#define RS_DISK_TINY_BYTES 2048       /* mean of requests, where they are many */

/* .by of a row about waits for a disk. */
enum rs_disk_by {
	RS_DISK_BY_NOBODY,
	RS_DISK_BY_DEVICE,
	RS_DISK_BY_ABOVE,      /* the device that is made of others */
	RS_DISK_BY_OTHER,      /* .other of the case */
	RS_DISK_BY_WAKER,
	RS_DISK_BY_IO_MAX,
	RS_DISK_BY_MEMORY_HIGH
};

/* Does the disk have no more than one of its requests at a time? */
bool rs_disk_words_is_one_at_a_time(struct rs_ctx *c, const struct rs_disk_case *k);
struct rs_case_culprit rs_disk_words_culprit(struct rs_disk_case *k, unsigned int by);
/* .slots of a family of such rules. */
void rs_disk_words_slots(struct rs_case *of, const struct rs_rule_row *row, struct rs_case_slots *to);

#endif
