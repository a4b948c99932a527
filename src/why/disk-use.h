/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk-use.h - what each disk did since the last reset, for whom, and who writes: what findings about disks
 * are judged by
 *
 * An analysis has a struct rs_disk_use in its state, which is zeroed at a reset, and adds what ends.
 */
#ifndef RS_WHY_DISK_USE_H
#define RS_WHY_DISK_USE_H

#include "ringside/request.h"
#include "ringside/store.h"
#include "why/blame.h"

#define RS_DISK_USE_DEVS 64
#define RS_DISK_USE_TASKS 64
#define RS_DISK_USE_WRITERS 32
#define RS_DISK_USE_FILES 64

struct rs_disk_use_dev {
	uint32_t dev;
	uint64_t nr, bytes, d2c_ns;  /* of requests with data */
	uint64_t busy_ns, last_ns;   /* time that it served requests; the last completion */
	/* writes of kswapd, and those that a task issued outside of any system call: swap */
	uint64_t nr_page_outs;
	uint64_t nr_delegated;       /* that a worker had to issue, as io.max and stacked devices do */
	uint64_t write_back_bytes;
};

/* Processes of one name and program. */
struct rs_disk_user {
	const char *comm;            /* NULL: none */
	uint32_t program;            /* that they interpret, see process-program.h */
	int32_t pid;
	unsigned int nr;             /* processes; 0: not counted */
	uint64_t amount;             /* bytes that they wrote; ns that the disk served them */
};

/* What a task reads, or writes, where its calls tell the file: see task.h. */
struct rs_disk_use_file {
	int32_t tid;
	bool is_write;
	/* that it waits for most, by the time of requests from issue to completion; and all other files */
	uint64_t file, ns, others_ns;
};

struct rs_disk_use {
	struct rs_disk_use_dev devs[RS_DISK_USE_DEVS + 1]; /* the last: of one too many */
	/* whom a disk served: up to the completion of their request, from the one before or from its issue */
	struct rs_frequent served[RS_DISK_USE_TASKS]; /* by dev and pid, in ns */
	struct rs_disk_user writers[RS_DISK_USE_WRITERS];
	struct rs_disk_use_file files[RS_DISK_USE_FILES]; /* the first tasks */
	unsigned int nr_devs, nr_writers, nr_files, last_served;
};

bool rs_disk_use_is_same(const struct rs_disk_user *a, const struct rs_disk_user *b);

/* Never NULL: zeros of a disk that is unknown, or one too many. */
struct rs_disk_use_dev *rs_disk_use_dev(struct rs_disk_use *use, uint32_t dev);
/* Adds a request that completed: a callback of an analysis whose state is a struct rs_disk_use. */
void rs_disk_use_add(struct rs_ctx *c, const struct rs_request *r);
/* Adds what a task wrote by system calls; it must live as long as that is asked about. */
void rs_disk_use_add_writer(struct rs_ctx *c, const struct rs_task *t, uint64_t bytes);

/* The disk that most dirty pages were written to; NULL: none were. */
const struct rs_disk_use_dev *rs_disk_use_written_back(const struct rs_disk_use *use);
/*
 * Who wrote most, far more than these processes, and more than 1 MB a second; NULL: nobody. What is written
 * to pipes and sockets counts as well: it is the likely one, not a certain one.
 */
const struct rs_disk_user *rs_disk_use_writer(const struct rs_disk_use *use, const struct rs_blame *than,
					      uint64_t interval_ns);
/* The time that the disk served these processes. */
uint64_t rs_disk_use_served_ns(struct rs_ctx *c, const struct rs_disk_use *use, uint32_t dev,
			       const struct rs_blame *b);
/* The other user processes that the disk served most. */
struct rs_disk_user rs_disk_use_most_served(struct rs_ctx *c, const struct rs_disk_use *use, uint32_t dev,
					    const struct rs_blame *except);
/*
 * The path of the file that requests of these processes are for, nearly all of their time; NULL: of several
 * files, or unknown. The analysis sets .uses_files.
 */
const char *rs_disk_use_path(struct rs_ctx *c, const struct rs_disk_use *use, const struct rs_blame *b,
			     bool is_write);
/* The disk that "jbd2/sda1-8" writes to; 0: unknown. */
uint32_t rs_disk_use_journal_dev(const struct rs_ctx *c, const struct rs_disk_use *use, const char *comm);

#endif
