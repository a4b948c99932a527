// SPDX-License-Identifier: GPL-2.0-or-later
/* event-text - a record as text: its fields by name, or what it prints */
#include "decode/event-text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/crash.h"
#include "base/memory-watch.h"
#include "decode/bprint.h"

/*
 * Zeros after a record that is printed: a text without an end stops there, and so does an array that is
 * shorter than in its format.
 */
#define PRINT_SLACK_BYTES 256
#define MAX_ELEMENTS 32 /* of an array; the rest is "..." */

/*
 * ---- as the kernel prints it ----
 *
 * libtraceevent parses the print fmt and prints: names of symbols and flags, and functions of the kernel if
 * the recording has their addresses. It trusts both, so it gets a copy of the record with zeros behind it, in
 * which each field lies inside the record or in these zeros. If it crashes all the same, it is not called
 * again.
 */

#define NR_IDS (1u << 16)

struct printer {
	const struct rs_trace_info *info;
	struct tep_handle *tep;
	struct tep_event *events[NR_IDS];  /* the events printed so far */
	bool tried[NR_IDS];
	bool has_functions, has_strings;
	bool broken;                   /* it has crashed: its memory is not used any more */
	struct trace_seq text;
	uint8_t *copy;                 /* of the record at hand */
	size_t copy_bytes;
};

static void printer_free(struct printer *p)
{
	if (!p)
		return;
	if (!p->broken) {
		tep_free(p->tep);
		trace_seq_destroy(&p->text);
	}
	free(p->copy);
	free(p);
}

static struct printer *printer_new(const struct rs_trace_info *info)
{
	struct printer *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->info = info;
	p->tep = rs_formats_tep_new(info);
	trace_seq_init(&p->text);
	if (p->tep && p->text.buffer)
		return p;
	printer_free(p);
	return NULL;
}

static const struct rs_format_text *printer_format_of(const struct rs_trace_info *info, unsigned int id)
{
	for (size_t i = 0; i < info->nr_formats; i++)
		if (rs_format_id(&info->formats[i]) == (int)id)
			return &info->formats[i];
	return NULL;
}

/* Some 100,000 functions: read for the first event that prints one ("%pS", "%ps"). */
static void printer_add_functions(struct printer *p, const struct rs_format_text *format)
{
	const struct rs_text *text = &p->info->kallsyms;
	char *copy;

	if (p->has_functions || !text->len || !memmem(format->text.data, format->text.len, "%p", 2))
		return;
	p->has_functions = true;
	copy = strndup(text->data, text->len);
	if (copy)
		tep_parse_kallsyms(p->tep, copy);
	free(copy);
}

/* Texts of the kernel that events point to, such as those of rcu_utilization. */
static void printer_add_strings(struct printer *p)
{
	const struct rs_text *text = &p->info->printk_formats;
	char *copy = p->has_strings || !text->len ? NULL : strndup(text->data, text->len);

	p->has_strings = true;
	if (copy)
		tep_parse_printk_formats(p->tep, copy);
	free(copy);
}

static struct tep_event *printer_event_of(struct printer *p, unsigned int id)
{
	const struct rs_format_text *format;

	if (p->tried[id])
		return p->events[id];
	p->tried[id] = true;
	printer_add_strings(p);
	format = printer_format_of(p->info, id);
	if (!format)
		return NULL;
	printer_add_functions(p, format);
	p->events[id] = rs_format_parse(p->tep, format, true);
	return p->events[id];
}

static bool printer_copy_record(struct printer *p, const struct rs_event *ev)
{
	if (p->copy_bytes < ev->len_bytes + (size_t)PRINT_SLACK_BYTES) {
		free(p->copy);
		p->copy_bytes = 2 * ((size_t)ev->len_bytes + PRINT_SLACK_BYTES);
		p->copy = malloc(p->copy_bytes);
	}
	if (!p->copy) {
		p->copy_bytes = 0;
		return false;
	}
	memcpy(p->copy, ev->data, ev->len_bytes);
	memset(p->copy + ev->len_bytes, 0, p->copy_bytes - ev->len_bytes);
	return true;
}

struct print_job {
	struct printer *p;
	const struct rs_event *ev;
	bool done;
};

static void printer_print(void *arg)
{
	struct print_job *job = arg;
	struct printer *p = job->p;
	struct tep_event *event = printer_event_of(p, job->ev->id);
	struct tep_record record = { .ts = job->ev->ts_ns, .cpu = job->ev->cpu,
				     .size = (int)job->ev->len_bytes, .data = p->copy };

	if (!event)
		return;
	trace_seq_reset(&p->text);
	tep_print_event(p->tep, &p->text, &record, "%s", TEP_PRINT_INFO);
	job->done = p->text.state == TRACE_SEQ__GOOD;
}

/* A stack is printed in several lines, a row has one. */
static void printer_put_line(struct rs_buf *out, const char *text, size_t len)
{
	size_t i = 0;

	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	while (i < len && isspace((unsigned char)text[i]))
		i++;
	while (i < len) {
		if (text[i] != '\n') {
			rs_buf_putc(out, text[i++]);
			continue;
		}
		while (isspace((unsigned char)text[i]))
			i++;
		rs_buf_putc(out, ' ');
	}
}

static bool printer_put(struct printer *p, const struct rs_event *ev, struct rs_buf *out)
{
	struct print_job job = { .p = p, .ev = ev };

	if (p->broken || !printer_copy_record(p, ev))
		return false;
	if (!rs_crash_survive("libtraceevent, printing an event", printer_print, &job)) {
		p->broken = true;
		return false;
	}
	rs_memory_library_failed();
	if (!job.done)
		return false;
	printer_put_line(out, p->text.buffer, p->text.len);
	return true;
}

/* ---- the fields ---- */

struct rs_event_texts {
	struct rs_formats *formats;
	const struct rs_trace_info *info;
	struct rs_bprint *bprint;    /* made when first needed */
	struct printer *printer; /* likewise */
	bool swap;
};

struct rs_event_texts *rs_event_texts_new(struct rs_formats *formats, const struct rs_trace_info *info)
{
	struct rs_event_texts *t = calloc(1, sizeof *t);

	if (t)
		*t = (struct rs_event_texts){
			.formats = formats, .info = info,
			.swap = info->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
		};
	return t;
}

void rs_event_texts_free(struct rs_event_texts *t)
{
	if (t) {
		rs_bprint_free(t->bprint);
		printer_free(t->printer);
	}
	free(t);
}

/* The bytes of a field in this record. */
struct event_text_place {
	const uint8_t *data;
	size_t len;
};

static uint64_t event_text_read_number(const struct rs_event_texts *t, const uint8_t *at, size_t size,
				       bool is_signed)
{
	struct rs_event ev = { .data = at };
	struct rs_field f = { .size_bytes = (uint16_t)size };

	f.flags = (uint16_t)((t->swap ? RS_FIELD_SWAP : 0) | (is_signed ? RS_FIELD_SIGNED : 0));
	return rs_u64_any(&ev, &f);
}

/* __data_loc: the length and the offset, from the record's begin; __rel_loc: from the field's end. */
static bool event_text_place_dynamic(const struct rs_event_texts *t, const struct tep_format_field *field,
				     const struct rs_event *ev, struct event_text_place *place)
{
	uint32_t word;
	size_t offset;

	if (field->size != 4)
		return false;
	word = (uint32_t)event_text_read_number(t, place->data, 4, false);
	offset = word & 0xffff;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		offset += (size_t)field->offset + 4;
	if (offset > ev->len_bytes || word >> 16 > ev->len_bytes - offset)
		return false;
	*place = (struct event_text_place){ ev->data + offset, word >> 16 };
	return true;
}

/*
 * Returns false if the record is too short. A last field without a length ("u32 buf") extends to the record's
 * end.
 */
static bool event_text_find_place(const struct rs_event_texts *t, const struct tep_format_field *field,
				  const struct rs_event *ev, struct event_text_place *place)
{
	size_t offset, size;

	if (field->offset < 0 || field->size < 0)
		return false;
	offset = (size_t)field->offset;
	size = (size_t)field->size;
	if (offset > ev->len_bytes || size > ev->len_bytes - offset)
		return false;
	*place = (struct event_text_place){ ev->data + offset, size };
	if (field->flags & TEP_FIELD_IS_DYNAMIC)
		return event_text_place_dynamic(t, field, ev, place);
	if (!size)
		place->len = ev->len_bytes - offset;
	return true;
}

/* ---- values ---- */

static void event_text_put_text(struct rs_buf *out, const struct event_text_place *place)
{
	rs_buf_add(out, place->data, strnlen((const char *)place->data, place->len));
}

static bool event_text_is_address(const struct tep_format_field *field)
{
	return field->flags & (TEP_FIELD_IS_POINTER | TEP_FIELD_IS_LONG) &&
	       !(field->flags & TEP_FIELD_IS_SIGNED);
}

static void event_text_put_number(const struct rs_event_texts *t, const struct tep_format_field *field,
				  const uint8_t *at, size_t size, struct rs_buf *out)
{
	uint64_t v = event_text_read_number(t, at, size, field->flags & TEP_FIELD_IS_SIGNED);

	if (event_text_is_address(field))
		rs_buf_printf(out, "0x%" PRIx64, v);
	else if (field->flags & TEP_FIELD_IS_SIGNED)
		rs_buf_printf(out, "%" PRId64, (int64_t)v);
	else
		rs_buf_printf(out, "%" PRIu64, v);
}

static bool event_text_is_number_size(size_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The size of an element; single bytes if libtraceevent does not know a number's size. */
static size_t event_text_element_size(const struct tep_format_field *field,
				      const struct event_text_place *place)
{
	size_t size = field->elementsize > 0 ? (size_t)field->elementsize : 1;

	return event_text_is_number_size(size) && size <= place->len ? size : 1;
}

static void event_text_put_array(const struct rs_event_texts *t, const struct tep_format_field *field,
				 const struct event_text_place *place, struct rs_buf *out)
{
	size_t size = event_text_element_size(field, place), nr = place->len / size;

	rs_buf_putc(out, '{');
	for (size_t i = 0; i < nr && i < MAX_ELEMENTS; i++) {
		if (i)
			rs_buf_putc(out, ',');
		event_text_put_number(t, field, place->data + i * size, size, out);
	}
	rs_buf_puts(out, nr > MAX_ELEMENTS ? ",...}" : "}");
}

static void event_text_put_value(const struct rs_event_texts *t, const struct tep_format_field *field,
				 const struct event_text_place *place, struct rs_buf *out)
{
	if (field->flags & TEP_FIELD_IS_STRING)
		event_text_put_text(out, place);
	else if (field->flags & TEP_FIELD_IS_ARRAY || !event_text_is_number_size(place->len))
		event_text_put_array(t, field, place, out);
	else
		event_text_put_number(t, field, place->data, place->len, out);
}

static void event_text_put_fields(const struct rs_event_texts *t, const struct tep_event *event,
				  const struct rs_event *ev, struct rs_buf *out)
{
	struct event_text_place place;
	bool any = false;

	for (const struct tep_format_field *field = event->format.fields; field; field = field->next) {
		if (!event_text_find_place(t, field, ev, &place))
			continue;
		rs_buf_printf(out, "%s%s=", any ? " " : "", field->name);
		event_text_put_value(t, field, &place, out);
		any = true;
	}
}

/* ---- the events that are a text ---- */

static bool event_text_find_member(const struct rs_event_texts *t, const struct tep_event *event,
				   const char *name, const struct rs_event *ev,
				   struct event_text_place *place)
{
	const struct tep_format_field *field = event->format.fields;

	while (field && strcmp(field->name, name) != 0)
		field = field->next;
	return field && event_text_find_place(t, field, ev, place);
}

/* The texts of trace_printk and of the trace marker include the line's end. */
static void event_text_put_print(struct rs_event_texts *t, const struct tep_event *event,
				 const struct rs_event *ev, struct rs_buf *out)
{
	struct event_text_place place;

	if (!event_text_find_member(t, event, "buf", ev, &place))
		return;
	place.len = strnlen((const char *)place.data, place.len);
	while (place.len && place.data[place.len - 1] == '\n')
		place.len--;
	rs_buf_add(out, place.data, place.len);
}

/* A format by its address in the kernel, and its arguments as the kernel packed them. */
static void event_text_put_bprint(struct rs_event_texts *t, const struct tep_event *event,
				  const struct rs_event *ev, struct rs_buf *out)
{
	struct event_text_place fmt, args;

	if (!t->bprint)
		t->bprint = rs_bprint_new(t->info);
	if (!t->bprint || !event_text_find_member(t, event, "fmt", ev, &fmt) ||
	    !event_text_is_number_size(fmt.len) || !event_text_find_member(t, event, "buf", ev, &args))
		return;
	rs_bprint_put(t->bprint, event_text_read_number(t, fmt.data, fmt.len, false), args.data, args.len,
		      out);
}

static const struct {
	const char *name;
	void (*put)(struct rs_event_texts *t, const struct tep_event *event, const struct rs_event *ev,
		    struct rs_buf *out);
} texts[] = {
	{ "print", event_text_put_print },
	{ "bprint", event_text_put_bprint },
};

/* Returns true if it is one of those. */
static bool event_text_put_own_text(struct rs_event_texts *t, const struct tep_event *event,
				    const struct rs_event *ev, struct rs_buf *out)
{
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!strcmp(event->system, "ftrace") && !strcmp(event->name, texts[i].name)) {
			texts[i].put(t, event, ev, out);
			return true;
		}
	return false;
}

void rs_event_texts_put(struct rs_event_texts *t, const struct rs_event *ev, struct rs_buf *out)
{
	const struct tep_event *event = rs_formats_event(t->formats, ev->id);

	if (event && !event_text_put_own_text(t, event, ev, out))
		event_text_put_fields(t, event, ev, out);
}

/* An array cut by the record's end, such as a stack of few callers: the rest reads as zeros. */
static bool event_text_is_cut_array(const struct tep_format_field *field, const struct rs_event *ev)
{
	return field->flags & TEP_FIELD_IS_ARRAY && !(field->flags & TEP_FIELD_IS_DYNAMIC) &&
	       field->offset >= 0 && field->size > 0 && (size_t)field->offset <= ev->len_bytes &&
	       (size_t)field->size <= PRINT_SLACK_BYTES;
}

static bool event_text_has_all_fields(const struct rs_event_texts *t, const struct tep_event *event,
				      const struct rs_event *ev)
{
	struct event_text_place place;

	for (const struct tep_format_field *field = event->format.fields; field; field = field->next)
		if (!event_text_find_place(t, field, ev, &place) && !event_text_is_cut_array(field, ev))
			return false;
	return true;
}

void rs_event_texts_print(struct rs_event_texts *t, const struct rs_event *ev, struct rs_buf *out)
{
	const struct tep_event *event = rs_formats_event(t->formats, ev->id);

	if (!event || event_text_put_own_text(t, event, ev, out))
		return;
	if (!t->printer)
		t->printer = printer_new(t->info);
	if (!t->printer || !event_text_has_all_fields(t, event, ev) || !printer_put(t->printer, ev, out))
		event_text_put_fields(t, event, ev, out);
}
