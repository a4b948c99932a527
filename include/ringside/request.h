/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h - a block request that completed, as matched by the engine
 */
#ifndef RINGSIDE_REQUEST_H
#define RINGSIDE_REQUEST_H

#include <string.h>

#include "store.h"
#include "task.h"

#define RS_RWBS_LEN 16

struct rs_request {
	uint32_t dev;                  /* MAJ << 20 | MIN, as events have it */
	uint64_t sector;               /* the first, of 512 bytes; 0 for one without data */
	uint64_t bytes;
	char rwbs[RS_RWBS_LEN];        /* "WS": as the event says it; hostile in a file */
	uint64_t begin_ns;             /* of its first event: start, insert or issue */
	/* the first; 0: it went to the device directly, or that was not seen */
	uint64_t insert_ns;
	uint64_t issue_ns;             /* the last */
	uint64_t complete_ns;
	bool discarded;                   /* issue to completion overlaps a gap: to be counted, never used */
	bool i2d_known, i2c_known;     /* insert to issue, insert to completion: inserted, and not void */
	/* who asked for it: at block_io_start, else at the insert, else at the issue */
	char comm[RS_COMM_LEN];
	int32_t pid, tid;              /* 0: unknown */
	bool shown;                    /* passes -p, -t, -c */
	/*
	 * in whose context it was issued to the device: often a worker of the kernel's; tid 0: an interrupt,
	 * or unknown
	 */
	char issuer_comm[RS_COMM_LEN];
	int32_t issuer_tid;
	uint32_t stack;                /* where it was asked for, see sample.h; 0: not recorded */
	/* whose bio it began as, where block_bio_queue was recorded; tid 0: unknown */
	char bio_comm[RS_COMM_LEN];
	int32_t bio_tid;
	/* of the call that who asked for it was in (rs_file_path); 0: unknown */
	uint64_t file;
};

/* "8,16" */
void rs_dev_text(uint32_t dev, char *buf, size_t size_bytes);

/* A type as a store's key: its first eight letters, and no kernel writes more. */
static inline uint64_t rs_rwbs_key(const char *rwbs)
{
	char text[sizeof(uint64_t)] = { 0 };
	uint64_t key;

	for (size_t i = 0; i < sizeof text && rwbs[i]; i++) /* one to three letters: no call is worth it */
		text[i] = rwbs[i];
	memcpy(&key, text, sizeof key);
	return key;
}

/* The type of such a key; buf: RS_RWBS_LEN bytes. */
static inline const char *rs_rwbs_text(uint64_t key, char *buf)
{
	memcpy(buf, &key, sizeof key);
	buf[sizeof key] = '\0';
	return buf;
}

/* Columns that block views share. */
#define RS_DEV_COLUMN(help) "dev", "DEV", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, help
/* The cell of a store whose first key is the device. */
struct rs_value rs_show_dev(struct rs_ctx *c, const struct rs_group *g, char *buf);

/* ---- what the engine knows of requests and disks ---- */

/*
 * Returns the next request in flight, oldest first, without those that overlap a gap; NULL starts and ends.
 * issue_ns 0: it is not issued to the device yet. insert_ns may be 0 as well.
 */
const struct rs_request *rs_request_next(const struct rs_ctx *c, const struct rs_request *after);
const char *rs_disk_name(const struct rs_ctx *c, uint32_t dev);  /* NULL unknown */
/* Writes "vda1 (/var)", or its name alone, or its numbers. Returns buf. */
const char *rs_disk_words(const struct rs_ctx *c, uint32_t dev, char *buf, size_t size_bytes);
/*
 * "dm-0 (vg-root)": the device mapper's, md's or loop device that lies on this disk; NULL: none, several, or
 * unknown.
 */
const char *rs_disk_above(const struct rs_ctx *c, uint32_t dev, char *buf, size_t size_bytes);

#endif
