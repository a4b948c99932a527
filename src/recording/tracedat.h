/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracedat.h - what the files of the trace.dat reader share; for those below only
 *
 *	tracedat.c          open, choose a buffer, close
 *	tracedat-file.c     the bytes of the file, unpacking, errors and warnings: for all parts
 *	tracedat-layout.c   where the parts are, in version 6 and in version 7
 *	tracedat-meta.c     header_page, formats, kallsyms, printk formats, names
 *	tracedat-options.c  the options, a row each
 *	tracedat-pages.c    the CPUs' data, page by page, from the begin or of a time range
 *	tracedat-samples.c  the trailer's binary sections: samples, mappings, symbols
 *	tracedat-trailer.c  what ringside adds to its own recordings, behind all other parts
 *
 * The file is mapped. What is not packed is used in place, so that memory does
 * not grow with the file. A file that another process truncates while it is
 * being read ends the process by SIGBUS, as with every program that maps files.
 */
#ifndef RS_RECORDING_TRACEDAT_H
#define RS_RECORDING_TRACEDAT_H

#include <stdatomic.h>

#include "base/buf.h"
#include "base/vector.h"
#include "recording/map-ahead.h"
#include "source/call-params.h"
#include "source/fd-socket-list.h"
#include "source/perf/samples.h"
#include "source/source.h"
#include "recording/trailer.h"
#include "source/time-map.h"
#include "recording/bytes.h"

#define RS_TRACEDAT_MAX_CPUS 65536u
#define RS_TRACEDAT_MAX_SECTION_BYTES (64u << 20)  /* of one section, unpacked */
#define RS_TRACEDAT_MAX_UNPACKED_BYTES (256u << 20) /* of all sections together */
#define RS_TRACEDAT_MAX_CHUNK_PAGES 256u           /* trace-cmd packs 10 pages at a time */
#define RS_TRACEDAT_MAX_CHUNKS_BYTES (1ull << 30)  /* of the chunks of all CPUs, unpacked */

enum rs_codec { RS_CODEC_NONE, RS_CODEC_ZLIB, RS_CODEC_ZSTD, RS_CODEC_UNKNOWN };

/* One CPU's data: bytes begin..end of the file, of which those before `at` are handed out. */
struct rs_tracedat_cpu {
	uint64_t begin, end, at;
	/* where its data ends by the file's table; of packed data it may be some bytes later */
	uint64_t least_end;
	uint64_t kept_from;   /* what lies before it has been given back to the kernel */
	uint64_t asked_at;    /* the step that is mapped ahead */
	bool cut;             /* the file ends before this CPU's data does */
	/* Packed data: the chunk that is being handed out, in memory that is used again. */
	uint8_t *chunk;
	uint32_t chunk_len, chunk_at, chunk_size;
	uint32_t chunks_left;
	uint64_t pages_left;  /* of the packed, after a seek */
};

/* A section that was unpacked: as long as a reader of the file is open. */
struct rs_tracedat_block {
	atomic_uint nr_users;
	bool is_unpacked;
	uint32_t len;
	uint64_t at;          /* where the packed one is in the file */
	uint8_t bytes[];
};

struct rs_tracedat_buffer {
	const char *name;     /* "": the top buffer; in the file's bytes */
	bool text;            /* a latency tracer's text, no events */
	struct rs_bytes rest; /* v6: at its type, v7: at its clock and its table of CPUs */
	uint64_t section;     /* v7: where its section is */
};

/* Sections of version 7 that options point to, by the option's id. */
enum {
	RS_SECTION_FLYRECORD = 3,
	RS_SECTION_HEADER_INFO = 16,
	RS_SECTION_FTRACE_EVENTS,
	RS_SECTION_EVENT_FORMATS,
	RS_SECTION_KALLSYMS,
	RS_SECTION_PRINTK,
	RS_SECTION_CMDLINES,
	RS_NR_SECTIONS
};

struct rs_tracedat {
	struct rs_source source;
	const char *shown_path;  /* the end of a long path, so that a message keeps its reason */
	char *path;
	char *buffer_name;       /* that was asked for; NULL: the top one */
	/* to read it again: its path may name another file by then, or be inaccessible */
	int fd;
	const uint8_t *map;
	uint64_t map_bytes;

	unsigned int version;
	bool big_endian;
	enum rs_codec codec;
	char codec_name[16];
	void *zstd;              /* ZSTD_DCtx, made when first needed */

	unsigned int header_cpus; /* v6: the header's number of CPUs; v7: the option's, 0 unknown */
	bool clock_option;        /* v6: the clock's text follows the table of CPUs */
	bool has_trailer;         /* by its options */
	/* time stamps are the CPU's counter, with a factor beside them or without */
	bool cycles;
	struct rs_time_map map_of_times;
	uint64_t section_at[RS_NR_SECTIONS]; /* 0: none */

	struct rs_tracedat_buffer *buffers;
	size_t nr_buffers, buffers_room;

	struct rs_tracedat_cpu *cpus;
	bool packed;              /* the CPUs' data is in chunks */
	uint64_t chunks_bytes;    /* memory of all chunks */
	uint64_t done_bytes, all_bytes;
	struct rs_map_ahead *ahead; /* made with the first step: a small file has none */

	/* Memory behind source.info. */
	struct rs_format_text *formats;
	size_t nr_formats, formats_room;
	struct rs_call_params_list call_params;
	char *command;
	struct rs_initial_task *snapshot;
	size_t nr_initial, initial_room;
	struct rs_disk *disks;
	struct rs_stacked_disk *stacked;
	struct rs_idle_state *idle_states;
	struct rs_cpu_speed *cpu_speeds;
	struct rs_fd_path *fd_paths;
	struct rs_fd_socket_list fd_sockets;
	struct rs_initial_mapping *mappings; /* see samples.h */
	char sample_event[32];
	struct rs_error no_samples;
	bool sections_checked;   /* their checksums: this is another reader of a file that is open */
	char **cgroups;
	size_t nr_cgroups;
	struct rs_cgroup_row *cgroup_rows;
	struct rs_pressure_reading *pressure; /* paths are those of cgroup_rows */
	char *containers;
	struct rs_guest *guests;
	size_t guests_room;
	struct rs_vcpu *vcpus;
	size_t vcpus_room;
	uint32_t lent_mult, lent_shift; /* of another recording's: rs_tracedat_lend_factor */
	char clock[32], kernel[128], machine[64], host[65];
	struct rs_tracedat_block **blocks; /* unpacked sections, shared with other readers of the file */
	size_t nr_blocks, blocks_room;
	uint64_t blocks_bytes;
	const struct rs_tracedat *lender; /* while it opens: a reader that shares its blocks; or NULL */
	struct rs_buf warnings;
	/* times are cycles: why there is no factor. The last warning says so, from byte */
	const char *factor_fault;
	size_t factor_note_at;
	unsigned int nr_warnings;
};

/* All functions that return int: 0, or -1 with err set. tracedat-file.c: */

/* "cannot read 'FILE': WHAT at byte AT (the file is cut off or damaged)"; -1. */
int rs_tracedat_damaged(const struct rs_tracedat *td, uint64_t at, const char *what, struct rs_error *err);
/* The same for a cursor that ran out in `part`; 0 if it did not. */
int rs_tracedat_complete(const struct rs_tracedat *td, const struct rs_bytes *b, const char *part,
			 struct rs_error *err);
int rs_tracedat_no_memory(const struct rs_tracedat *td, struct rs_error *err);
/* A cursor from a byte of the file to its end; failed if the file is shorter. */
struct rs_bytes rs_tracedat_bytes(const struct rs_tracedat *td, uint64_t at);
void rs_tracedat_set_codec(struct rs_tracedat *td, const char *name);
/* Unpacks to exactly len bytes; NULL, or why it cannot. */
const char *rs_tracedat_unpack(struct rs_tracedat *td, const uint8_t *packed, size_t packed_len, uint8_t *out,
			       size_t len);
/* A line for info.warnings. */
void rs_tracedat_note(struct rs_tracedat *td, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* tracedat-layout.c: b stands behind the page size. */
int rs_tracedat_v6_header(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);
int rs_tracedat_v6_select(struct rs_tracedat *td, const struct rs_tracedat_buffer *buffer,
			  struct rs_error *err);
int rs_tracedat_v7_header(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);
int rs_tracedat_v7_select(struct rs_tracedat *td, const struct rs_tracedat_buffer *buffer,
			  struct rs_error *err);

/* tracedat-options.c: reads options to their end; *next is v7's next section of options, 0 none. */
int rs_tracedat_options(struct rs_tracedat *td, struct rs_bytes *b, uint64_t *next, struct rs_error *err);
int rs_tracedat_add_buffer(struct rs_tracedat *td, const struct rs_tracedat_buffer *buffer,
			   struct rs_error *err);

/* The text of the file trace_clock, or of an option. */
void rs_tracedat_set_clock(struct rs_tracedat *td, const char *text, size_t len);
/* When all options are read: fills in source.info. */
void rs_tracedat_options_end(struct rs_tracedat *td);

/* tracedat-meta.c: each reads its part from b. */
int rs_tracedat_read_headers(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);
int rs_tracedat_read_ftrace_formats(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);
int rs_tracedat_read_formats(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);
int rs_tracedat_read_kallsyms(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);
int rs_tracedat_read_printk(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);
int rs_tracedat_read_cmdlines(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);
struct rs_initial_task *rs_tracedat_add_initial_task(struct rs_tracedat *td);

/* tracedat-pages.c */
int rs_tracedat_set_page_bytes(struct rs_tracedat *td, uint64_t page_bytes, uint64_t at,
			       struct rs_error *err);
int rs_tracedat_set_nr_cpus(struct rs_tracedat *td, uint64_t nr_cpus, uint64_t at, struct rs_error *err);
/* Says where a CPU's data is (td->packed is set before); what lies behind the file's end is cut and noted. */
void rs_tracedat_set_cpu(struct rs_tracedat *td, unsigned int cpu, uint64_t begin, uint64_t size);
/* When all are set: refuses a file in which CPUs share data. */
int rs_tracedat_check_cpus(struct rs_tracedat *td, struct rs_error *err);
enum rs_next rs_tracedat_next(struct rs_source *s, unsigned int cpu, struct rs_page *page,
			      struct rs_error *err);
void rs_tracedat_progress(struct rs_source *s, uint64_t *done_bytes, uint64_t *all_bytes);
void rs_tracedat_pages_done(struct rs_tracedat *td);
/* Takes a block out of use, and frees it after its last user. */
void rs_tracedat_put_block(struct rs_tracedat_block *block);
void rs_tracedat_rewind(struct rs_source *s);
int rs_tracedat_seek(struct rs_source *s, uint64_t from_ns, uint64_t to_ns, struct rs_error *err);
uint64_t rs_tracedat_left(struct rs_source *s, unsigned int cpu);

/*
 * tracedat-samples.c: opens td->source.samples. A section that is bad is noted and ignored. end: of the
 * sections, where the trailer's text begins.
 */
void rs_tracedat_read_samples(struct rs_tracedat *td, const struct rs_tracedat_section *sections,
			      size_t nr_sections, const struct rs_tracedat_sampled *sampled, uint64_t end);

/* tracedat-trailer.c: a trailer that is bad is noted and ignored. */
void rs_tracedat_read_trailer(struct rs_tracedat *td);

#endif
