/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctf.h - a folder in the Common Trace Format 1.8, as LTTng writes it of a kernel; shared by ctf*.c only
 *
 *	metadata      text: the clock, and the name and fields of each event that occurs
 *	channel0_N    the events of CPU N, in packets
 *
 * Names of events and fields, and what is in them, are those of lttng-modules, because readers know these:
 * Trace Compass picks its analyses by them. Everything is aligned to bytes and in the recording's byte order,
 * so that most fields are copied as the kernel wrote them.
 */
#ifndef RS_EXPORT_CTF_CTF_H
#define RS_EXPORT_CTF_CTF_H

#include "decode/formats.h"
#include "export/export.h"

#define RS_CTF_NR_CALLS 1024u

enum rs_ctf_op_kind {
	RS_CTF_COPY,            /* bytes as they are */
	RS_CTF_TEXT,            /* an array of characters: bytes that are no UTF-8 are replaced */
	RS_CTF_STRING,          /* of any length */
	RS_CTF_SEQUENCE,        /* likewise: the number of elements, and the elements */
	RS_CTF_PRIO,            /* the kernel's priority less 100, as LTTng has it */
	RS_CTF_RWBS,            /* "WS": as bits */
	RS_CTF_PROCESS,         /* the process of a tid; -1 unknown */
};

/* How one or several fields of a record become bytes of an event. */
struct rs_ctf_op {
	uint8_t kind;           /* enum rs_ctf_op_kind */
	uint8_t place;          /* of STRING and SEQUENCE: enum rs_ctf_place */
	uint16_t offset, bytes; /* in the record; bytes of SEQUENCE: of an element */
};

enum rs_ctf_place { RS_CTF_DATA_LOC, RS_CTF_REL_LOC, RS_CTF_REST /* up to the end of the record */ };

/* A name and the fields of events. */
struct rs_ctf_class {
	uint16_t id, nr_ops;
	uint32_t min_len_bytes; /* of a record; a shorter one is malformed */
	/* of the event; each dynamic field adds at most the record's length and 5 bytes */
	uint32_t fixed_bytes, nr_dynamic;
	struct rs_ctf_op ops[];
};

/* The classes of the initial state. */
enum { RS_CTF_DUMP_START, RS_CTF_DUMP_PROCESS, RS_CTF_DUMP_DISK, RS_CTF_DUMP_END, RS_CTF_NR_DUMP_CLASSES };

struct rs_ctf_cpu {
	uint8_t *packet;        /* of the event at hand; NULL: the CPU had none yet */
	size_t len, room;
	uint64_t begin_ns, last_ns; /* of the packet's first event, and of the last event */
	uint64_t nr_packets, nr_lost;
};

struct rs_ctf {
	struct rs_export export;        /* first: an rs_export is one of these */
	int folder_fd;
	const struct rs_trace_info *info;
	struct rs_formats *formats;
	bool swaps;                     /* the recording's byte order is not ours */
	bool dumped;                    /* the initial state has been written */
	uint8_t uuid[16];
	uint64_t begin_ns;              /* of the first event of all */
	unsigned int nr_cpus;
	struct rs_ctf_cpu *cpus;
	struct rs_field common_tid, call_nr[2];
	/* raw_syscalls:sys_enter and sys_exit; UINT32_MAX: not in the trace */
	uint32_t call_id[2];
	struct rs_field call_data[2];   /* args, and ret */
	const struct rs_task *exited;   /* of the last call that ended */
	uint64_t exit_ns;
	int64_t exit_nr;
	struct rs_ctf_class **by_id;    /* of the kernel's events; NULL: not needed yet */
	/* by exit, 32-bit program, number; the last: unknown */
	struct rs_ctf_class *calls[2][2][RS_CTF_NR_CALLS + 1];
	uint16_t nr_classes;
	struct rs_buf head, classes;    /* texts of the metadata */
};

struct rs_export *rs_ctf_make(const struct rs_export_options *options, struct rs_buf *out);

/* ---- ctf-class.c ---- */

/* The class of an event, made when it comes first; NULL: its format is invalid, or there is no memory. */
const struct rs_ctf_class *rs_ctf_class_get(struct rs_ctf *ctf, struct rs_ctx *c, const struct rs_event *ev);
void rs_ctf_class_add_dump(struct rs_ctf *ctf); /* those of the initial state, first */
void rs_ctf_class_free_all(struct rs_ctf *ctf);

/* ---- ctf-packet.c ---- */

/*
 * Begins an event; at most max_bytes may follow. Returns where its fields go, NULL after an error. End it
 * with rs_ctf_packet_end.
 */
uint8_t *rs_ctf_packet_begin(struct rs_ctf *ctf, unsigned int cpu, uint16_t class, uint64_t ts_ns,
			     int32_t tid, size_t max_bytes);
static inline void rs_ctf_packet_end(struct rs_ctf *ctf, unsigned int cpu, const uint8_t *end)
{
	ctf->cpus[cpu].len = (size_t)(end - ctf->cpus[cpu].packet);
}
/* A packet of its own, without events, that tells of nr_lost events between two times. */
void rs_ctf_packet_lost(struct rs_ctf *ctf, unsigned int cpu, uint64_t from_ns, uint64_t to_ns,
			uint64_t nr_lost);
void rs_ctf_packet_flush(struct rs_ctf *ctf, unsigned int cpu);
/* Writes all of it to a new file of the folder, or to the end of a file. Sets the export's error. */
void rs_ctf_packet_write_file(struct rs_ctf *ctf, const char *name, const void *data, size_t len_bytes);

/* Numbers in the recording's byte order; each returns the byte behind. */
uint8_t *rs_ctf_put_u16(const struct rs_ctf *ctf, uint8_t *to, uint16_t v);
uint8_t *rs_ctf_put_u32(const struct rs_ctf *ctf, uint8_t *to, uint32_t v);
uint8_t *rs_ctf_put_u64(const struct rs_ctf *ctf, uint8_t *to, uint64_t v);
/* Replaces bytes that are no UTF-8. */
void rs_ctf_clean_text(uint8_t *text, size_t len);

/* ---- ctf-metadata.c ---- */

/* All but the classes. */
void rs_ctf_metadata_put_head(struct rs_ctf *ctf);
/* A name as a string of the metadata: escaped, with quotes. */
void rs_ctf_metadata_put_quoted(struct rs_buf *out, const char *text);

#endif
