/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output-place.h - the folder that a file is written in, open, and the file's name there
 *
 * A name that a user gave is looked up once: what he does with it afterwards changes nothing. For root no
 * link is followed that is not root's, in a folder that others can write: with "-o" into his folder a user
 * could else have any file replaced, or made his own.
 */
#ifndef RS_BASE_OUTPUT_PLACE_H
#define RS_BASE_OUTPUT_PLACE_H

#include <limits.h>

struct rs_output_place {
	int folder_fd;           /* O_PATH; -1: none */
	/* O_NOFOLLOW, or 0: the name is a link of /proc that only the kernel can follow, as /dev/stdout is */
	int nofollow;
	char name[NAME_MAX + 1];
};

/* 0 or -errno; -ELOOP: such a link. The caller closes folder_fd. */
int rs_output_place_find(struct rs_output_place *p, const char *path);

#endif
