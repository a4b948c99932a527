/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * producer.h - makes a recording: of a capture, of a window, of a part of another recording, of a perf.data
 *
 *	struct rs_producer p = { .writer = w, .head = head };
 *
 *	rs_producer_begin(&p, source, &err);
 *	rs_producer_page(&p, cpu, data, len, &err);        // each page
 *	rs_producer_take_samples(&p, until_ns, &err);      // those of the source; or
 *	rs_producer_add_samples(&p, records, len, &err);   // those that the caller makes
 *	p.tail.pauses = ...;                               // what is known at the end
 *	rs_producer_finish(&p, &err);
 *	rs_producer_done(&p);
 *
 * With the samples of a source, it follows the mappings of programs, opens their files as soon as they are
 * mapped where the source is live (a program may end, or be removed, while it is recorded), and writes the
 * symbols of all addresses in samples and pages at the end.
 */
#ifndef RS_RECORDING_PRODUCER_PRODUCER_H
#define RS_RECORDING_PRODUCER_PRODUCER_H

#include "recording/tracedat-writer.h"
#include "source/perf/samples.h"

struct rs_producer_samples;

struct rs_producer {
	/* where it goes, one of both: the caller's, which frees it */
	struct rs_tracedat_writer *writer;
	struct rs_tracedat_stream *stream; /* pages come CPU after CPU */
	struct rs_tracedat_head head;      /* until rs_producer_begin */
	/* until rs_producer_finish; of a stream .tasks and .cpu_stats until rs_producer_begin */
	struct rs_tracedat_tail tail;
	/* of the source's samples: those from this time on, and of these CPUs; NULL: all */
	uint64_t from_ns;
	const bool *cpus;
	/* set by rs_producer_begin */
	bool begun;                        /* the head is written: rs_producer_finish makes a recording */
	struct rs_producer_samples *samples; /* private */
};

/*
 * Writes the head. source: whose samples are taken, begun, so that its mappings are known; without samples,
 * or NULL: none are. -1: err is set; if .begun, there is no memory for samples.
 */
int rs_producer_begin(struct rs_producer *p, struct rs_source *source, struct rs_error *err);
/* Errors are those of the writer: see rs_tracedat_writer_page. */
int rs_producer_page(struct rs_producer *p, unsigned int cpu, const void *page, size_t len_bytes,
		     struct rs_error *err);
int rs_producer_add_samples(struct rs_producer *p, const void *records, size_t len_bytes,
			    struct rs_error *err);
/* Takes the source's samples up to a time, which is included. Of a stream before its first page. */
int rs_producer_take_samples(struct rs_producer *p, uint64_t until_ns, struct rs_error *err);
/* Writes the tail; if samples were taken, .tail.samples and its parts are set here. */
int rs_producer_finish(struct rs_producer *p, struct rs_error *err);
/* What .tail.samples points to is gone then. */
void rs_producer_done(struct rs_producer *p);

#endif
