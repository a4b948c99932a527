// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode/event-text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>

#include "decode/bprint.h"
#include "decode/print-text.h"

#define MAX_ELEMENTS 32 /* of an array; the rest is "..." */

struct rs_event_texts {
	struct rs_formats *formats;
	const struct rs_trace_info *info;
	struct rs_bprint *bprint;    /* made when first needed */
	struct rs_print_texts *print; /* likewise */
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
		rs_print_texts_free(t->print);
	}
	free(t);
}

/* ---- where a field lies ---- */

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
static bool event_text_place_dynamic(const struct rs_event_texts *t, const struct tep_format_field *field, const struct rs_event *ev,
				     struct event_text_place *place)
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

/* Returns false if the record is too short. A last field without a length ("u32 buf") extends to the record's end. */
static bool event_text_find_place(const struct rs_event_texts *t, const struct tep_format_field *field, const struct rs_event *ev,
				  struct event_text_place *place)
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
	return field->flags & (TEP_FIELD_IS_POINTER | TEP_FIELD_IS_LONG) && !(field->flags & TEP_FIELD_IS_SIGNED);
}

static void event_text_put_number(const struct rs_event_texts *t, const struct tep_format_field *field, const uint8_t *at, size_t size,
				  struct rs_buf *out)
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
static size_t event_text_element_size(const struct tep_format_field *field, const struct event_text_place *place)
{
	size_t size = field->elementsize > 0 ? (size_t)field->elementsize : 1;

	return event_text_is_number_size(size) && size <= place->len ? size : 1;
}

static void event_text_put_array(const struct rs_event_texts *t, const struct tep_format_field *field, const struct event_text_place *place,
				 struct rs_buf *out)
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

static void event_text_put_value(const struct rs_event_texts *t, const struct tep_format_field *field, const struct event_text_place *place,
				 struct rs_buf *out)
{
	if (field->flags & TEP_FIELD_IS_STRING)
		event_text_put_text(out, place);
	else if (field->flags & TEP_FIELD_IS_ARRAY || !event_text_is_number_size(place->len))
		event_text_put_array(t, field, place, out);
	else
		event_text_put_number(t, field, place->data, place->len, out);
}

static void event_text_put_fields(const struct rs_event_texts *t, const struct tep_event *event, const struct rs_event *ev,
				  struct rs_buf *out)
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

static bool event_text_find_member(const struct rs_event_texts *t, const struct tep_event *event, const char *name, const struct rs_event *ev,
				   struct event_text_place *place)
{
	const struct tep_format_field *field = event->format.fields;

	while (field && strcmp(field->name, name) != 0)
		field = field->next;
	return field && event_text_find_place(t, field, ev, place);
}

/* The texts of trace_printk and of the trace marker include the line's end. */
static void event_text_put_print(struct rs_event_texts *t, const struct tep_event *event, const struct rs_event *ev, struct rs_buf *out)
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
static void event_text_put_bprint(struct rs_event_texts *t, const struct tep_event *event, const struct rs_event *ev, struct rs_buf *out)
{
	struct event_text_place fmt, args;

	if (!t->bprint)
		t->bprint = rs_bprint_new(t->info);
	if (!t->bprint || !event_text_find_member(t, event, "fmt", ev, &fmt) || !event_text_is_number_size(fmt.len) ||
	    !event_text_find_member(t, event, "buf", ev, &args))
		return;
	rs_bprint_put(t->bprint, event_text_read_number(t, fmt.data, fmt.len, false), args.data, args.len,
		      out);
}

static const struct {
	const char *name;
	void (*put)(struct rs_event_texts *t, const struct tep_event *event, const struct rs_event *ev, struct rs_buf *out);
} texts[] = {
	{ "print", event_text_put_print },
	{ "bprint", event_text_put_bprint },
};

/* Returns true if it is one of those. */
static bool event_text_put_own_text(struct rs_event_texts *t, const struct tep_event *event, const struct rs_event *ev, struct rs_buf *out)
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

/* ---- as the kernel prints it ---- */

/* An array cut by the record's end, such as a stack of few callers: the rest reads as zeros. */
static bool event_text_is_cut_array(const struct tep_format_field *field, const struct rs_event *ev)
{
	return field->flags & TEP_FIELD_IS_ARRAY && !(field->flags & TEP_FIELD_IS_DYNAMIC) && field->offset >= 0 && field->size > 0 &&
	       (size_t)field->offset <= ev->len_bytes && (size_t)field->size <= RS_PRINT_SLACK_BYTES;
}

static bool event_text_has_all_fields(const struct rs_event_texts *t, const struct tep_event *event, const struct rs_event *ev)
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
	if (!t->print)
		t->print = rs_print_texts_new(t->info);
	if (!t->print || !event_text_has_all_fields(t, event, ev) || !rs_print_texts_put(t->print, ev, out))
		event_text_put_fields(t, event, ev, out);
}
