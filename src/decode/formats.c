// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode/formats.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "base/crash.h"
#include "base/memory-watch.h"
#include "base/nearest.h"
#include "decode/format-check.h"

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

static void formats_prepare_tep(struct tep_handle *tep, const struct rs_trace_info *info)
{
	static const int host_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, (int)info->long_bytes);
	tep_set_file_bigendian(tep, info->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, host_big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
}

int rs_format_id(const struct rs_format_text *format)
{
	struct formats_format head;

	return formats_read_head(&head, format) ? (int)head.id : -1;
}

struct tep_handle *rs_formats_tep_new(const struct rs_trace_info *info)
{
	struct tep_handle *tep;

	errno = 0;
	tep = tep_alloc();
	rs_memory_library_failed();
	if (tep)
		formats_prepare_tep(tep, info);
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
static bool formats_bind_field(const struct rs_formats *f, const struct tep_format_field *field, struct rs_field *out)
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

static void formats_bind_common(struct rs_formats *f, struct tep_event *event)
{
	struct tep_format_field *type = tep_find_common_field(event, "common_type");
	struct tep_format_field *pid = tep_find_common_field(event, "common_pid");
	struct tep_format_field *flags = tep_find_common_field(event, "common_flags");
	struct rs_common *c = &f->common;

	if (f->have_common || !type || !pid || type->size != 2 || pid->size != 4)
		return;
	if (!formats_bind_field(f, type, &c->type) || !formats_bind_field(f, pid, &c->pid))
		return;
	c->min_len_bytes = c->type.offset_bytes + 2u;
	if (c->pid.offset_bytes + 4u > c->min_len_bytes)
		c->min_len_bytes = c->pid.offset_bytes + 4u;
	if (flags && (flags->size != 1 || !formats_bind_field(f, flags, &c->flags) || c->flags.offset_bytes >= c->min_len_bytes))
		c->flags = (struct rs_field){ 0 };
	f->have_common = true;
}

/*
 * Without memory libtraceevent either crashes, or returns an event with fields missing or of other sizes: then only
 * errno shows it.
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

/* A text cut at its print fmt, with that or an empty one; to be freed. NULL: no memory, or an invalid text. */
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

static struct tep_event *formats_parse_with(struct tep_handle *tep, const struct rs_format_text *format, bool print)
{
	char *text = formats_terminated(format, print);
	struct tep_event *event = text ? formats_parse_text(tep, text, format->system) : NULL;

	free(text);
	return event;
}

/*
 * The print fmt is omitted. Nothing is printed by it here, and libtraceevent (1.7 at least) follows null pointers if
 * one byte of it is damaged. Its parser also needs a terminated text, which that of a file is not.
 */
struct tep_event *rs_format_parse(struct tep_handle *tep, const struct rs_format_text *format)
{
	return formats_parse_with(tep, format, false);
}

struct tep_event *rs_format_parse_whole(struct tep_handle *tep, const struct rs_format_text *format)
{
	struct tep_event *event = formats_parse_with(tep, format, true);

	return event && !(event->flags & TEP_EVENT_FL_FAILED) ? event : NULL;
}

static struct tep_event *formats_parse(struct rs_formats *f, struct formats_format *format)
{
	if (format->event || format->bad)
		return format->event;
	format->event = rs_format_parse(f->tep, format->text);
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

/* The format of an event without required fields is not parsed: a trace declares hundreds that are only counted. */
static bool formats_needs_parsing(const struct rs_formats *f, const char *const *names)
{
	return names[0] || !f->have_common;
}

enum rs_bind rs_formats_bind(struct rs_formats *f, const char *system, const char *name,
			     const char *const *names, struct rs_bound *bound, const char **missing)
{
	struct formats_format *format = formats_find(f, system, name);
	struct tep_event *event;

	memset(bound, 0, sizeof *bound);
	if (!format)
		return RS_BIND_NO_EVENT;
	event = formats_needs_parsing(f, names) ? formats_parse(f, format) : NULL;
	if ((!event && names[0]) || !f->have_common)
		return RS_BIND_BAD;
	bound->id = (uint16_t)format->id;
	bound->min_len_bytes = f->common.min_len_bytes;
	for (int i = 0; i < RS_MAX_FIELDS && names[i]; i++) {
		bool optional = names[i][0] == '?';
		struct tep_format_field *field = tep_find_any_field(event, names[i] + optional);
		uint32_t end;

		if (!field || !formats_bind_field(f, field, &bound->fields[i])) {
			if (optional)
				continue;
			if (missing)
				*missing = names[i];
			return RS_BIND_NO_FIELD;
		}
		end = (uint32_t)bound->fields[i].offset_bytes + bound->fields[i].size_bytes;
		if (end > bound->min_len_bytes)
			bound->min_len_bytes = end;
	}
	return RS_BIND_OK;
}

struct rs_text rs_formats_text(const struct rs_formats *f, const char *system, const char *name)
{
	const struct formats_format *format = formats_find(f, system, name);

	return format ? format->text->text : (struct rs_text){ 0 };
}

bool rs_formats_nth(const struct rs_formats *f, size_t i, const char **system, const char **name, unsigned int *id)
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

enum rs_bind rs_formats_bind_own(struct rs_formats *f, unsigned int id, struct rs_bound *bound, unsigned int *nr)
{
	struct formats_format *format = formats_find_id(f, id);
	struct tep_event *event = format ? formats_parse(f, format) : NULL;

	*nr = 0;
	memset(bound, 0, sizeof *bound);
	if (!event || !f->have_common)
		return RS_BIND_BAD;
	bound->id = (uint16_t)id;
	bound->min_len_bytes = f->common.min_len_bytes;
	for (struct tep_format_field *field = event->format.fields; field && *nr < RS_MAX_FIELDS; field = field->next) {
		struct rs_field *out = &bound->fields[*nr];

		if (!formats_bind_field(f, field, out))
			return RS_BIND_BAD;
		if (out->offset_bytes + out->size_bytes > bound->min_len_bytes)
			bound->min_len_bytes = (uint32_t)out->offset_bytes + out->size_bytes;
		++*nr;
	}
	return RS_BIND_OK;
}

bool rs_formats_common(const struct rs_formats *f, struct rs_common *common)
{
	*common = f->common;
	return f->have_common;
}

/*
 * The kernel prints prev_state by __print_flags(REC->prev_state & ..., "|",
 * { 0x00000001, "S" }, { 0x00000002, "D" }, ...): the pairs are the table.
 */
void rs_formats_state_letters(const struct rs_formats *f, char letters[32])
{
	const struct formats_format *format = formats_find(f, "sched", "sched_switch");
	const char *p, *end;
	char *text;

	memset(letters, 0, 32);
	text = format ? strndup(format->text->text.data, format->text->text.len) : NULL;
	p = text ? strstr(text, "__print_flags(REC->prev_state") : NULL;
	end = p ? strstr(p, "REC->next_comm") : NULL;
	while (p && end && (p = strchr(p, '{')) && p < end) {
		long long bit;
		char letter;

		if (sscanf(p, "{ %lli , \"%c\"", &bit, &letter) == 2 && bit > 0 && !(bit & (bit - 1)) && bit <= UINT32_MAX)
			letters[__builtin_ctzll((unsigned long long)bit)] = letter;
		p++;
	}
	free(text);
}

/* Entries are "{ 4, "NAME" }" or "{ (1U << 2), "NAME" }", as spelled in the kernel's macros. */
static uint64_t formats_flag_value(const char *entry)
{
	unsigned int shift;
	long long value;

	if (sscanf(entry, "{ (1U << %u)", &shift) == 1 || sscanf(entry, "{ (1UL << %u)", &shift) == 1 ||
	    sscanf(entry, "{ (1 << %u)", &shift) == 1)
		return shift < 64 ? 1ull << shift : 0;
	return sscanf(entry, "{ %lli", &value) == 1 && value > 0 ? (uint64_t)value : 0;
}

uint64_t rs_formats_flag(const struct rs_formats *f, const char *system, const char *event, const char *name)
{
	const struct formats_format *format = formats_find(f, system, event);
	char *text = format ? strndup(format->text->text.data, format->text->text.len) : NULL;
	const char *entry = text ? strstr(text, "__print_flags(") : NULL;
	char quoted[32];
	uint64_t value = 0;

	snprintf(quoted, sizeof quoted, "\"%s\" }", name);
	while (entry && !value && (entry = strchr(entry + 1, '{'))) {
		const char *end = strchr(entry, '}'), *comma = strchr(entry, ',');

		if (end && comma && comma < end && !strncmp(comma + 2, quoted, strlen(quoted)))
			value = formats_flag_value(entry);
	}
	free(text);
	return value;
}

/*
 * The kernel prints vec by __print_symbolic(REC->vec, { 0, "HI" }, { 1, "TIMER" }, ...).
 * A kernel that has names of constants there instead of their numbers has them in this order.
 */
static bool formats_read_softirq_names(const char *text, char (*names)[16], unsigned int nr)
{
	const char *p = strstr(text, "__print_symbolic(REC->vec");
	bool any = false;

	while (p && (p = strchr(p, '{'))) {
		unsigned int vec;
		char name[16];

		if (sscanf(p, "{ %u , \"%15[^\"]\"", &vec, name) == 2 && vec < nr) {
			snprintf(names[vec], sizeof names[vec], "%s", name);
			any = true;
		}
		p++;
	}
	return any;
}

void rs_formats_softirq_names(const struct rs_formats *f, char (*names)[16], unsigned int nr)
{
	static const char *const known[] = {
		"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU",
	};
	const struct formats_format *format = formats_find(f, "irq", "softirq_entry");
	char *text = format ? strndup(format->text->text.data, format->text->text.len) : NULL;

	memset(names, 0, nr * sizeof *names);
	if (!text || !formats_read_softirq_names(text, names, nr))
		for (unsigned int vec = 0; vec < sizeof known / sizeof *known && vec < nr; vec++)
			snprintf(names[vec], sizeof names[vec], "%s", known[vec]);
	free(text);
}

/* "__print_symbolic(REC->member, { 2, "MM_SWAPENTS" }, ...": the entry of that name. */
bool rs_formats_symbol(const struct rs_formats *f, const char *system, const char *event, const char *name, uint64_t *value)
{
	const struct formats_format *format = formats_find(f, system, event);
	char *text = format ? strndup(format->text->text.data, format->text->text.len) : NULL;
	const char *entry = text ? strstr(text, "__print_symbolic(") : NULL;
	unsigned long long number;
	char found[64];
	bool ok = false;

	while (entry && !ok && (entry = strchr(entry + 1, '{')))
		ok = sscanf(entry, "{ %lli , \"%63[^\"]\" }", (long long *)&number, found) == 2 && !strcmp(found, name);
	if (ok)
		*value = number;
	free(text);
	return ok;
}
