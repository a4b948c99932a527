/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracedat-builder.h - a small trace.dat in memory, right in all its parts
 *
 *	struct built f = build_tracedat(&(struct recipe){ .version = 7, .codec = "zstd" });
 *	f.data[f.page_size_at] = 3;             // and then wrong in one
 *	const char *path = built_path(&f);      // a file without a name; valid until built_done
 *	...
 *	built_done(&f);
 *
 * Every page of buffer b, CPU c, number p begins with b, c, p as bytes and is
 * filled with 16 * b + 4 * c + p. What is 0 or NULL in the recipe has the
 * default that stands beside it.
 */
#ifndef TESTS_TRACEDAT_BUILDER_H
#define TESTS_TRACEDAT_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "source/source.h"

struct recipe {
	unsigned int version;        /* 6 */
	bool big_endian;
	unsigned int long_bytes;     /* 8; header_page says the same */
	uint32_t page_bytes;         /* 4096 */
	uint32_t nr_cpus, nr_pages;  /* 2 each; of a CPU and buffer */
	const char *codec;           /* v7: "none", "zlib", "zstd" */
	uint32_t nr_chunks;          /* 2; of a CPU's packed pages */
	enum { COUNT_3_1, COUNT_3_2, COUNT_PACKED } counted; /* what of them its size counts, see put_cpu_v7 */
	const char *inner;           /* the name of a second buffer; none */
	const char *kind;            /* "flyrecord" */
	const char *clock;           /* "local [boot] mono\n"; "": in v6 behind the table of CPUs */
	/* One more option: its id, 0 none, and data. */
	uint16_t option;
	const void *option_data;
	uint32_t option_bytes;
	const char *cmdlines;        /* "1 init\n" "20 a b=c\n" */
	const char *trailer;         /* ringside's JSON; none */
};

struct built {
	uint8_t *data;
	size_t len;
	/* Where to break it. */
	size_t page_size_at, header_page_size_at, nr_systems_at, option_size_at, nr_cpus_at, kind_at;
	size_t table_at;             /* of CPUs of the top buffer: its first row */
	size_t first_options_at;     /* v7: the offset in the header */
	size_t done_at;              /* v7: the offset in the last option of the last section */
	size_t section_at;           /* v7: the header of the section with the formats */
	size_t chunks_at;            /* v7: CPU 0's number of chunks, if packed */
	bool big_endian;
	struct rs_buf buf;
	char path[32];
	int fd;
};

struct built build_tracedat(const struct recipe *recipe);
void built_put(struct built *f, size_t at, uint64_t v, unsigned int bytes); /* in the file's byte order */
const char *built_path(struct built *f);
/* The same for the first len bytes of data. */
const char *built_path_of(struct built *f, const void *data, size_t len);
void built_done(struct built *f);

/* Opened without an error; buffer NULL: the recording's own. */
struct rs_source *built_open(const char *path, const char *buffer);
struct rs_buf built_read_cpu(struct rs_source *s, unsigned int cpu); /* all of a CPU's bytes */
/* It has the pages of this recipe; buffer: the number that they begin with. */
void built_check_pages(struct rs_source *s, const struct recipe *r, unsigned int buffer);

#endif
