/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formats.h - the event formats of a trace, and fields bound to their offsets
 *
 * libtraceevent parses only the formats that are asked for: a recording may
 * carry hundreds. No offset, size or enum value is known to ringside otherwise.
 */
#ifndef RS_DECODE_FORMATS_H
#define RS_DECODE_FORMATS_H

#include "base/error.h"
#include "ringside/plugin.h"
#include "source/source.h"

struct rs_formats;
struct tep_handle;
struct tep_event;

/* An event in this trace. */
struct rs_bound {
	uint16_t id;
	uint32_t min_len_bytes;               /* a shorter record is malformed: the bound fields would run past it */
	struct rs_field fields[RS_MAX_FIELDS]; /* in the order of the names */
};

/* The fields at the begin of every record. */
struct rs_common {
	struct rs_field type, pid, flags; /* flags, one byte, may be absent */
	uint32_t min_len_bytes;
};

enum rs_bind {
	RS_BIND_OK,
	RS_BIND_NO_EVENT,  /* the trace does not have the event */
	RS_BIND_NO_FIELD,  /* a required field is missing: *missing names it */
	RS_BIND_BAD,       /* libtraceevent cannot parse the format, or it is inconsistent */
};

struct rs_formats *rs_formats_new(const struct rs_trace_info *info, struct rs_error *err);
void rs_formats_free(struct rs_formats *f);

/* names: "?name" is optional; ends with NULL. missing may be NULL. */
enum rs_bind rs_formats_bind(struct rs_formats *f, const char *system, const char *name,
			     const char *const *names, struct rs_bound *bound, const char **missing);

/*
 * Like rs_formats_bind, for the event of that id: its own fields in the format's order, at most RS_MAX_FIELDS, their
 * number in *nr.
 */
enum rs_bind rs_formats_bind_own(struct rs_formats *f, unsigned int id, struct rs_bound *bound, unsigned int *nr);
/* The i-th event; false: no more. */
bool rs_formats_nth(const struct rs_formats *f, size_t i, const char **system, const char **name, unsigned int *id);

/* The kernel's text; .data NULL: the trace does not have the event. */
struct rs_text rs_formats_text(const struct rs_formats *f, const char *system, const char *name);

/* The common fields; false if no format could be parsed at all. */
bool rs_formats_common(const struct rs_formats *f, struct rs_common *common);

/* A handle for this trace's sizes and byte order, to be freed with tep_free; NULL: no memory. */
struct tep_handle *rs_formats_tep_new(const struct rs_trace_info *info);
/* The event's ID; -1: the text is invalid. */
int rs_format_id(const struct rs_format_text *format);
/*
 * Like rs_format_parse, with the print fmt, which is not checked: call it only where a crash is survived
 * (base/crash.h).
 */
struct tep_event *rs_format_parse_whole(struct tep_handle *tep, const struct rs_format_text *format);
/* One format's fields, to be freed with the handle; NULL: the text is invalid. */
struct tep_event *rs_format_parse(struct tep_handle *tep, const struct rs_format_text *format);

/*
 * The event (or the system, if word has no "SYSTEM:") that a misspelled word most likely meant; NULL: none is
 * similar.
 */
const char *rs_formats_nearest(const struct rs_formats *f, const char *word);
bool rs_formats_has(const struct rs_formats *f, const char *system, const char *name);
/* The id of the next event of a system, or of that name in it; *at is 0 at first. UINT32_MAX: no more. */
uint32_t rs_formats_next_id(const struct rs_formats *f, const char *system, const char *name, uint32_t *at);
unsigned int rs_formats_max_id(const struct rs_formats *f);

bool rs_formats_by_id(const struct rs_formats *f, unsigned int id, const char **system, const char **name); /* false: none */
/* An event's fields, parsed by libtraceevent when first needed; NULL: no such ID, or its format is invalid. */
const struct tep_event *rs_formats_event(struct rs_formats *f, unsigned int id);

/* The bit that an event's format prints as name in a __print_flags(); 0: none. */
uint64_t rs_formats_flag(const struct rs_formats *f, const char *system, const char *event, const char *name);
/* The value that a format prints as name in a __print_symbolic(); false: none. */
bool rs_formats_symbol(const struct rs_formats *f, const char *system, const char *event, const char *name, uint64_t *value);
/*
 * The letters of sched_switch's prev_state, from the event's own print fmt:
 * letters[n] is that of bit n, 0 where the kernel prints none.
 */
void rs_formats_state_letters(const struct rs_formats *f, char letters[32]);

/*
 * The names of softirq vectors, from the print fmt of the events that have one; "" where
 * the kernel prints none.
 */
void rs_formats_softirq_names(const struct rs_formats *f, char (*names)[16], unsigned int nr);

#endif
