/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formats.h - the event formats of a trace, and fields bound to their offsets
 *
 * libtraceevent parses only the formats that are needed: a recording may have hundreds.
 * ringside hard-codes no offset, size or enum value.
 */
#ifndef RS_DECODE_FORMATS_H
#define RS_DECODE_FORMATS_H

#include "base/error.h"
#include "ringside/plugin.h"
#include "source/source.h"

struct rs_formats;
struct tep_handle;
struct tep_event;

/* An event of this trace, with its fields bound. */
struct rs_bound {
	uint16_t id;
	/* a shorter record is malformed: the bound fields would run past it */
	uint32_t min_len_bytes;
	struct rs_field fields[RS_MAX_FIELDS]; /* in the order of the requested names */
};

/* The common fields at the start of every record. */
struct rs_common {
	struct rs_field type, pid;
	struct rs_field flags, preempt_count; /* one byte each, may be absent */
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

/* Binds the named fields of an event. names ends with NULL; "?name" is optional. missing may be NULL. */
enum rs_bind rs_formats_bind(struct rs_formats *f, const char *system, const char *name,
			     const char *const *names, struct rs_bound *bound, const char **missing);

/*
 * Like rs_formats_bind, for the event of that id: binds its own fields in the format's order, at most
 * RS_MAX_FIELDS, and stores their number in *nr.
 */
enum rs_bind rs_formats_bind_own(struct rs_formats *f, unsigned int id, struct rs_bound *bound,
				 unsigned int *nr);
/* Returns the i-th event, or false at the end. */
bool rs_formats_nth(const struct rs_formats *f, size_t i, const char **system, const char **name,
		    unsigned int *id);

/* Returns the event's format text; .data is NULL if the trace does not have the event. */
struct rs_text rs_formats_text(const struct rs_formats *f, const char *system, const char *name);

/* Returns the common fields, or false if no format can be parsed. */
bool rs_formats_common(const struct rs_formats *f, struct rs_common *common);

/* A handle for this trace's sizes and byte order, to be freed with tep_free; NULL: no memory. */
struct tep_handle *rs_formats_tep_new(const struct rs_trace_info *info);
/* The event's ID; -1: the text is invalid. */
int rs_format_id(const struct rs_format_text *format);
/*
 * Is an event's format one that a kernel writes? text is all before the print fmt, terminated. libtraceevent
 * trusts what it parses: one damaged byte of a field makes it follow null pointers, so what is not written as
 * every kernel writes it is not parsed, and only that event is lost.
 */
bool rs_format_check(const char *text);
/*
 * One format, to be freed with the handle; NULL: the text is invalid. The print fmt is omitted unless
 * with_print is set: it is untrusted, and libtraceevent (1.7 at least) follows null pointers if one byte of
 * it is damaged. So with_print is for rs_crash_survive (base/crash.h) alone.
 */
struct tep_event *rs_format_parse(struct tep_handle *tep, const struct rs_format_text *format,
				  bool with_print);

/*
 * Returns the event (or the system, if word has no "SYSTEM:") that is most similar to a misspelled word; NULL
 * if none is.
 */
const char *rs_formats_nearest(const struct rs_formats *f, const char *word);
bool rs_formats_has(const struct rs_formats *f, const char *system, const char *name);
/* The id of the next event of a system, or of that name in it; *at is 0 at first. UINT32_MAX: no more. */
uint32_t rs_formats_next_id(const struct rs_formats *f, const char *system, const char *name, uint32_t *at);
unsigned int rs_formats_max_id(const struct rs_formats *f);

/* false: none */
bool rs_formats_by_id(const struct rs_formats *f, unsigned int id, const char **system, const char **name);
/*
 * An event's fields, parsed by libtraceevent when first needed; NULL: no such ID, or its format is invalid.
 */
const struct tep_event *rs_formats_event(struct rs_formats *f, unsigned int id);

#define RS_FORMATS_SYMBOL_BYTES 64

/* The bit that an event's format prints as name in a __print_flags(); 0: none. */
uint64_t rs_formats_flag(const struct rs_formats *f, const char *system, const char *event, const char *name);
/* The value that a format prints as name in a __print_symbolic(); false: none. */
bool rs_formats_symbol(const struct rs_formats *f, const char *system, const char *event, const char *name,
		       uint64_t *value);
/* Likewise the name of a value, into buf: RS_FORMATS_SYMBOL_BYTES. */
bool rs_formats_symbol_name(const struct rs_formats *f, const char *system, const char *event, uint64_t value,
			    char *buf);
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
