// SPDX-License-Identifier: GPL-2.0-or-later
/* formats - the event formats of a trace, and fields bound to their offsets */
#include "decode/formats.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "base/buf.h"
#include "base/crash.h"
#include "base/memory-watch.h"
#include "base/nearest.h"

struct formats_format {
	const struct rs_format_text *text;
	char name[64];
	unsigned int id;
	struct tep_event *event; /* parsed when first bound */
	bool bad;
};

struct rs_formats {
	struct tep_handle *tep;
	struct formats_format *all;
	size_t nr;
	bool swap;
	bool have_common;
	struct rs_common common;
};

/* The first two lines, "name: X" and "ID: N": enough to find an event without parsing the rest. */
static bool formats_read_head(struct formats_format *format, const struct rs_format_text *text)
{
	char head[160];
	size_t len = text->text.len < sizeof head - 1 ? text->text.len : sizeof head - 1;

	memcpy(head, text->text.data, len);
	head[len] = '\0';
	format->text = text;
	return sscanf(head, "name: %63s ID: %u", format->name, &format->id) == 2 && format->id <= UINT16_MAX;
}

int rs_format_id(const struct rs_format_text *format)
{
	struct formats_format head;

	return formats_read_head(&head, format) ? (int)head.id : -1;
}

struct tep_handle *rs_formats_tep_new(const struct rs_trace_info *info)
{
	static const bool host_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	struct tep_handle *tep;

	errno = 0;
	tep = tep_alloc();
	rs_memory_library_failed();
	if (!tep)
		return NULL;
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, (int)info->long_bytes);
	tep_set_file_bigendian(tep, info->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, host_big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	return tep;
}

struct rs_formats *rs_formats_new(const struct rs_trace_info *info, struct rs_error *err)
{
	struct rs_formats *f = calloc(1, sizeof *f);

	if (f) {
		f->tep = rs_formats_tep_new(info);
		f->all = calloc(info->nr_formats + 1, sizeof *f->all);
	}
	if (!f || !f->tep || !f->all) {
		rs_formats_free(f);
		rs_fail(err, "cannot read the event formats: out of memory");
		return NULL;
	}
	f->swap = info->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	for (size_t i = 0; i < info->nr_formats; i++)
		f->nr += formats_read_head(&f->all[f->nr], &info->formats[i]);
	return f;
}

void rs_formats_free(struct rs_formats *f)
{
	if (!f)
		return;
	tep_free(f->tep);
	free(f->all);
	free(f);
}

static struct formats_format *formats_find(const struct rs_formats *f, const char *system, const char *name)
{
	for (size_t i = 0; i < f->nr; i++)
		if (!strcmp(f->all[i].name, name) && !strcmp(f->all[i].text->system, system))
			return &f->all[i];
	return NULL;
}

bool rs_formats_has(const struct rs_formats *f, const char *system, const char *name)
{
	return formats_find(f, system, name);
}

uint32_t rs_formats_next_id(const struct rs_formats *f, const char *system, const char *name, uint32_t *at)
{
	while (*at < f->nr) {
		const struct formats_format *format = &f->all[(*at)++];

		if (!strcmp(format->text->system, system) && (!name || !strcmp(format->name, name)))
			return format->id;
	}
	return UINT32_MAX;
}

unsigned int rs_formats_max_id(const struct rs_formats *f)
{
	unsigned int max = 0;

	for (size_t i = 0; i < f->nr; i++)
		max = f->all[i].id > max ? f->all[i].id : max;
	return max;
}

/* Numbers have the sizes that rs_u64 reads, strings any. Offsets and sizes from a file are untrusted. */
static bool formats_bind_field(const struct rs_formats *f, const struct tep_format_field *field,
			       struct rs_field *out)
{
	bool is_text = field->flags & TEP_FIELD_IS_ARRAY && !(field->flags & TEP_FIELD_IS_DYNAMIC);

	if (field->flags & TEP_FIELD_IS_RELATIVE) /* __rel_loc: no required event has one */
		return false;
	if (field->offset < 0 || field->size < 0 || field->offset > UINT16_MAX || field->size > UINT16_MAX)
		return false;
	if (!is_text && field->size != 1 && field->size != 2 && field->size != 4 && field->size != 8)
		return false;
	out->offset_bytes = (uint16_t)field->offset;
	out->size_bytes = (uint16_t)field->size;
	out->flags = RS_FIELD_PRESENT;
	out->flags |= field->flags & TEP_FIELD_IS_SIGNED && !is_text ? RS_FIELD_SIGNED : 0;
	out->flags |= field->flags & TEP_FIELD_IS_DYNAMIC ? RS_FIELD_DYNAMIC : 0;
	out->flags |= f->swap ? RS_FIELD_SWAP : 0;
	out->flags |= out->size_bytes == 8 && !f->swap ? RS_FIELD_WORD : 0;
	return true;
}

/* Absent, or not as all kernels have it: reads as 0. */
static void formats_bind_common_byte(struct rs_formats *f, struct tep_event *event, const char *name,
				     struct rs_field *out)
{
	struct tep_format_field *field = tep_find_common_field(event, name);

	if (field && (field->size != 1 || !formats_bind_field(f, field, out) ||
		      out->offset_bytes >= f->common.min_len_bytes))
		*out = (struct rs_field){ 0 };
}

static void formats_bind_common(struct rs_formats *f, struct tep_event *event)
{
	struct tep_format_field *type = tep_find_common_field(event, "common_type");
	struct tep_format_field *pid = tep_find_common_field(event, "common_pid");
	struct rs_common *c = &f->common;

	if (f->have_common || !type || !pid || type->size != 2 || pid->size != 4)
		return;
	if (!formats_bind_field(f, type, &c->type) || !formats_bind_field(f, pid, &c->pid))
		return;
	c->min_len_bytes = c->type.offset_bytes + 2u;
	if (c->pid.offset_bytes + 4u > c->min_len_bytes)
		c->min_len_bytes = c->pid.offset_bytes + 4u;
	formats_bind_common_byte(f, event, "common_flags", &c->flags);
	formats_bind_common_byte(f, event, "common_preempt_count", &c->preempt_count);
	f->have_common = true;
}

/* ---- is a format one that a kernel writes? ---- */

#define MAX_DIGITS 9 /* fits an int */

/*
 * The length of a word with these other characters in it. strspn would make a table of the whole alphabet for
 * each word, which is 3 % of a report of a small file.
 */
static size_t format_span(const char *at, const char *others)
{
	size_t len = 0;

	while (at[len] && (isalnum((unsigned char)at[len]) || at[len] == '_' || strchr(others, at[len])))
		len++;
	return len;
}

static bool format_skip(const char **at, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(*at, text, len))
		return false;
	*at += len;
	return true;
}

static bool format_skip_number(const char **at)
{
	size_t len = 0;

	while (isdigit((unsigned char)(*at)[len]))
		len++;
	*at += len;
	return len > 0 && len <= MAX_DIGITS;
}

/*
 * A type and a name: "unsigned int common_flags", "const char * name", "__data_loc char[] comm", "char
 * rwbs[8]". In older kernels lengths are names and sums, too.
 */
static bool format_skip_declaration(const char **at)
{
	bool ends_well = false;
	int nr_words = 0;

	while (**at && **at != ';') {
		size_t len = format_span(*at, "");

		if (len) {
			if (isdigit((unsigned char)**at))
				return false;
			*at += len;
			nr_words++;
			ends_well = **at == ';' || **at == '[';
		} else if (nr_words && format_skip(at, "[")) {
			*at += format_span(*at, " +-*/()");
			if (!format_skip(at, "]"))
				return false;
		} else if (!format_skip(at, " ") && !format_skip(at, "*")) {
			return false;
		}
	}
	return nr_words >= 2 && ends_well;
}

static bool format_skip_field(const char **at)
{
	if (!format_skip(at, "\tfield:") || !format_skip_declaration(at) || !format_skip(at, ";\toffset:") ||
	    !format_skip_number(at) || !format_skip(at, ";\tsize:") || !format_skip_number(at) ||
	    !format_skip(at, ";"))
		return false;
	return !format_skip(at, "\tsigned:") || (format_skip_number(at) && format_skip(at, ";"));
}

bool rs_format_check(const char *text)
{
	const char *at = text;
	size_t len;

	if (!format_skip(&at, "name: "))
		return false;
	len = format_span(at, ""); /* any word: a user's probe may have any name */
	at += len;
	if (!len || !format_skip(&at, "\nID: ") || !format_skip_number(&at) ||
	    !format_skip(&at, "\nformat:\n"))
		return false;
	while (*at)
		if (!format_skip(&at, "\n") && (!format_skip_field(&at) || (*at && *at != '\n')))
			return false;
	return true;
}

/* ---- parsing ---- */

/*
 * Without memory libtraceevent either crashes, or returns an event with fields missing or of other sizes:
 * then only errno shows it.
 */
static struct tep_event *formats_parse_text(struct tep_handle *tep, const char *text, const char *system)
{
	const char *before = rs_crash_doing("libtraceevent, parsing the event formats");
	struct tep_event *event = NULL;
	bool failed;

	errno = 0;
	failed = tep_parse_format(tep, &event, text, strlen(text), system);
	failed |= rs_memory_library_failed();
	rs_crash_doing(before);
	return failed ? NULL : event;
}

/*
 * A terminated copy, as libtraceevent's parser needs it, with the print fmt or an empty one. NULL: no memory,
 * or an invalid text.
 */
static char *formats_terminated(const struct rs_format_text *format, bool with_print)
{
	static const char mark[] = "\nprint fmt:", none[] = "\nprint fmt: \"\"\n";
	char *text = malloc(format->text.len + sizeof none), *print;

	if (!text)
		return NULL;
	memcpy(text, format->text.data, format->text.len);
	text[format->text.len] = '\0';
	print = strstr(text, mark);
	if (print)
		*print = '\0';
	if (!rs_format_check(text)) {
		free(text);
		return NULL;
	}
	if (print && with_print)
		*print = '\n';
	else
		strcat(text, none);
	return text;
}

struct tep_event *rs_format_parse(struct tep_handle *tep, const struct rs_format_text *format,
				  bool with_print)
{
	char *text = formats_terminated(format, with_print);
	struct tep_event *event = text ? formats_parse_text(tep, text, format->system) : NULL;

	free(text);
	return event && with_print && event->flags & TEP_EVENT_FL_FAILED ? NULL : event;
}

static struct tep_event *formats_parse(struct rs_formats *f, struct formats_format *format)
{
	if (format->event || format->bad)
		return format->event;
	format->event = rs_format_parse(f->tep, format->text, false);
	format->bad = !format->event;
	if (format->event)
		formats_bind_common(f, format->event);
	return format->event;
}

static struct formats_format *formats_find_id(const struct rs_formats *f, unsigned int id)
{
	for (size_t i = 0; i < f->nr; i++)
		if (f->all[i].id == id)
			return &f->all[i];
	return NULL;
}

bool rs_formats_by_id(const struct rs_formats *f, unsigned int id, const char **system, const char **name)
{
	const struct formats_format *format = formats_find_id(f, id);

	return format && rs_formats_nth(f, (size_t)(format - f->all), system, name, &id);
}

const struct tep_event *rs_formats_event(struct rs_formats *f, unsigned int id)
{
	struct formats_format *format = formats_find_id(f, id);

	return format ? formats_parse(f, format) : NULL;
}

/* Begins with no fields; a record has the common ones at least. */
static void formats_begin_bound(const struct rs_formats *f, unsigned int id, struct rs_bound *bound)
{
	bound->id = (uint16_t)id;
	bound->min_len_bytes = f->common.min_len_bytes;
}

static bool formats_add_field(const struct rs_formats *f, const struct tep_format_field *field,
			      struct rs_bound *bound, unsigned int i)
{
	struct rs_field *out = &bound->fields[i];

	if (!field || !formats_bind_field(f, field, out))
		return false;
	if ((uint32_t)out->offset_bytes + out->size_bytes > bound->min_len_bytes)
		bound->min_len_bytes = (uint32_t)out->offset_bytes + out->size_bytes;
	return true;
}

enum rs_bind rs_formats_bind(struct rs_formats *f, const char *system, const char *name,
			     const char *const *names, struct rs_bound *bound, const char **missing)
{
	struct formats_format *format = formats_find(f, system, name);
	struct tep_event *event;

	memset(bound, 0, sizeof *bound);
	if (!format)
		return RS_BIND_NO_EVENT;
	/*
	 * The format of an event without required fields is not parsed: a trace declares hundreds that are
	 * only counted.
	 */
	event = names[0] || !f->have_common ? formats_parse(f, format) : NULL;
	if ((!event && names[0]) || !f->have_common)
		return RS_BIND_BAD;
	formats_begin_bound(f, format->id, bound);
	for (unsigned int i = 0; i < RS_MAX_FIELDS && names[i]; i++) {
		bool optional = names[i][0] == '?';

		if (formats_add_field(f, tep_find_any_field(event, names[i] + optional), bound, i) ||
		    optional)
			continue;
		if (missing)
			*missing = names[i];
		return RS_BIND_NO_FIELD;
	}
	return RS_BIND_OK;
}

enum rs_bind rs_formats_bind_own(struct rs_formats *f, unsigned int id, struct rs_bound *bound,
				 unsigned int *nr)
{
	struct formats_format *format = formats_find_id(f, id);
	struct tep_event *event = format ? formats_parse(f, format) : NULL;

	*nr = 0;
	memset(bound, 0, sizeof *bound);
	if (!event || !f->have_common)
		return RS_BIND_BAD;
	formats_begin_bound(f, id, bound);
	for (struct tep_format_field *field = event->format.fields; field && *nr < RS_MAX_FIELDS;
	     field = field->next)
		if (!formats_add_field(f, field, bound, (*nr)++))
			return RS_BIND_BAD;
	return RS_BIND_OK;
}

struct rs_text rs_formats_text(const struct rs_formats *f, const char *system, const char *name)
{
	const struct formats_format *format = formats_find(f, system, name);

	return format ? format->text->text : (struct rs_text){ 0 };
}

bool rs_formats_nth(const struct rs_formats *f, size_t i, const char **system, const char **name,
		    unsigned int *id)
{
	if (i >= f->nr)
		return false;
	*system = f->all[i].text->system;
	*name = f->all[i].name;
	*id = f->all[i].id;
	return true;
}

const char *rs_formats_nearest(const struct rs_formats *f, const char *word)
{
	const char *colon = strchr(word, ':'), *near = NULL, **names = calloc(2 * f->nr + 1, sizeof *names);
	size_t nr = 0;

	for (size_t i = 0; names && i < f->nr; i++) {
		names[nr++] = f->all[i].name;
		if (!colon)
			names[nr++] = f->all[i].text->system;
	}
	if (names)
		near = rs_nearest(colon ? colon + 1 : word, names);
	free(names);
	return near;
}

bool rs_formats_common(const struct rs_formats *f, struct rs_common *common)
{
	*common = f->common;
	return f->have_common;
}

/* ---- names in print fmts ---- */

/* The entries { VALUE, "NAME" } of a __print_flags() or a __print_symbolic(). */
struct formats_entries {
	char *text;          /* the format's; free() it at the end */
	const char *at;
	uint64_t value;      /* of the entry at hand */
	char name[64];
};

/* mark: what the entries follow in the format */
static struct formats_entries formats_entries_of(const struct rs_formats *f, const char *system,
						 const char *event, const char *mark)
{
	const struct formats_format *format = formats_find(f, system, event);
	struct formats_entries e = { .text = format ? strndup(format->text->text.data,
		format->text->text.len) : NULL };

	e.at = e.text ? strstr(e.text, mark) : NULL;
	return e;
}

/* A value is a number or "(1U << 2)", as spelled in the kernel's macros. What is no such entry is skipped. */
static bool formats_next_entry(struct formats_entries *e)
{
	unsigned int shift;
	long long value;

	while (e->at && (e->at = strchr(e->at, '{'))) {
		const char *entry = e->at++;

		if (sscanf(entry, "{ (1 << %u) , \"%63[^\"]\"", &shift, e->name) == 2 ||
		    sscanf(entry, "{ (1%*[UL] << %u) , \"%63[^\"]\"", &shift, e->name) == 2)
			e->value = shift < 64 ? 1ull << shift : 0;
		else if (sscanf(entry, "{ %lli , \"%63[^\"]\"", &value, e->name) == 2)
			e->value = (uint64_t)value;
		else
			continue;
		return true;
	}
	return false;
}

static bool formats_find_entry(const struct rs_formats *f, const char *system, const char *event,
			       const char *mark, const char *name, uint64_t *value)
{
	struct formats_entries e = formats_entries_of(f, system, event, mark);
	bool found = false;

	while (!found && formats_next_entry(&e))
		found = !strcmp(e.name, name);
	*value = found ? e.value : *value;
	free(e.text);
	return found;
}

uint64_t rs_formats_flag(const struct rs_formats *f, const char *system, const char *event, const char *name)
{
	uint64_t value = 0;

	formats_find_entry(f, system, event, "__print_flags(", name, &value);
	return (int64_t)value > 0 ? value : 0;
}

bool rs_formats_symbol(const struct rs_formats *f, const char *system, const char *event, const char *name,
		       uint64_t *value)
{
	return formats_find_entry(f, system, event, "__print_symbolic(", name, value);
}

bool rs_formats_symbol_name(const struct rs_formats *f, const char *system, const char *event, uint64_t value,
			    char *buf)
{
	struct formats_entries e = formats_entries_of(f, system, event, "__print_symbolic(");
	bool found = false;

	while (!found && formats_next_entry(&e))
		found = e.value == value;
	if (found)
		rs_copy(buf, RS_FORMATS_SYMBOL_BYTES, e.name);
	free(e.text);
	return found;
}

/*
 * "__print_flags(REC->prev_state & ..., "|", { 0x00000001, "S" }, { 0x00000002, "D" }, ...), ...,
 * REC->next_comm"
 */
void rs_formats_state_letters(const struct rs_formats *f, char letters[32])
{
	struct formats_entries e = formats_entries_of(f, "sched", "sched_switch",
						      "__print_flags(REC->prev_state");
	const char *end = e.at ? strstr(e.at, "REC->next_comm") : NULL;

	memset(letters, 0, 32);
	while (end && formats_next_entry(&e) && e.at < end)
		if (e.value && !(e.value & (e.value - 1)) && e.value <= UINT32_MAX)
			letters[__builtin_ctzll(e.value)] = e.name[0];
	free(e.text);
}

/* A kernel that prints names of constants in the place of their numbers has them in the order of known. */
void rs_formats_softirq_names(const struct rs_formats *f, char (*names)[16], unsigned int nr)
{
	static const char *const known[] = {
		"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU",
	};
	struct formats_entries e = formats_entries_of(f, "irq", "softirq_entry", "__print_symbolic(REC->vec");
	bool any = false;

	memset(names, 0, nr * sizeof *names);
	for (; formats_next_entry(&e); any |= e.value < nr)
		if (e.value < nr)
			rs_copy(names[e.value], sizeof *names, e.name);
	for (unsigned int vec = 0; !any && vec < sizeof known / sizeof *known && vec < nr; vec++)
		rs_copy(names[vec], sizeof *names, known[vec]);
	free(e.text);
}
