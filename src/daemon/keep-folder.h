/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keep-folder.h - a folder of recordings that never has half of one, and never more than a limit
 *
 *	rs_keep_folder_open(&f, "/var/lib/ringside/incidents", &err);
 *	fd = rs_keep_folder_create(&f, "20261128T054500Z-slow", ".dat", &err);   // ".part-..." at first
 *	... write, close ...
 *	rs_keep_folder_finish(&f, "20261128T054500Z-slow", &err);       // all of its files get their names
 *	rs_keep_folder_prune(&f, time(NULL));
 *
 * The files of one have the same stem, which begins with the time, so that they sort by age. The last to get
 * its name is STEM.json: a stem without it is unfinished, and removed when the folder is opened. Other names
 * are left alone.
 *
 * The clock may be set back: names go on after the latest that is there. What is more than a day ahead is of
 * a clock that was wrong, and counts as the oldest.
 */
#ifndef RS_DAEMON_KEEP_FOLDER_H
#define RS_DAEMON_KEEP_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/buf.h"
#include "base/error.h"

#define RS_KEEP_STEM 96

struct rs_keep_folder {
	int fd;
	unsigned int most;           /* recordings, of all times */
	uint64_t most_bytes;         /* on the disk; the last one stays, however large it is */
};

/* The folder is there already. Removes what is unfinished. */
int rs_keep_folder_open(struct rs_keep_folder *f, const char *path, struct rs_error *err);
void rs_keep_folder_close(struct rs_keep_folder *f);

/* "20261128T054500Z-slow", a second later where there is one of that time; stem: RS_KEEP_STEM bytes. */
void rs_keep_folder_name(const struct rs_keep_folder *f, time_t now, const char *name, char *stem);
/* Is it such a name? */
bool rs_keep_folder_is_stem(const char *file);
/* ending: ".dat"; returns a descriptor, which the caller closes, or -1. */
int rs_keep_folder_create(struct rs_keep_folder *f, const char *stem, const char *ending,
			  struct rs_error *err);
/* Creates one with this text. -1: it is not whole. */
int rs_keep_folder_write(struct rs_keep_folder *f, const char *stem, const char *ending,
			 const struct rs_buf *text, struct rs_error *err);
/* Writes them to the disk, and then gives them their names. -1: nothing of the stem is there. */
int rs_keep_folder_finish(struct rs_keep_folder *f, const char *stem, struct rs_error *err);
/* Removes all files of a stem, finished or not. */
void rs_keep_folder_drop(struct rs_keep_folder *f, const char *stem);
/* Removes the oldest until the rest is within the limits. */
void rs_keep_folder_prune(struct rs_keep_folder *f, time_t now);

#endif
