// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bprint - the texts of trace_printk where the kernel recorded only a format's address and packed arguments
 */
#include "decode/bprint.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vector.h"
#include "ringside/event.h"

/* One line of printk_formats, "0xffffffff81234567 : "text %d\n""; the text is still escaped as in C. */
struct bprint_format {
	uint64_t addr;
	const char *text;
	size_t len;
};

struct rs_bprint {
	const struct rs_trace_info *info;
	bool swap;
	struct bprint_format *all;   /* by address */
	size_t nr;
};

/* ---- the list ---- */

static int bprint_by_addr(const void *a, const void *b)
{
	const struct bprint_format *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static bool bprint_read_line(const char *line, const char *end, struct bprint_format *f)
{
	const char *first = memchr(line, '"', (size_t)(end - line)),
		   *last = memrchr(line, '"', (size_t)(end - line));

	if (!first || last == first)
		return false;
	/* the number ends at the quote at the latest */
	*f = (struct bprint_format){ strtoull(line, NULL, 16), first + 1, (size_t)(last - first - 1) };
	return true;
}

struct rs_bprint *rs_bprint_new(const struct rs_trace_info *info)
{
	const char *at = info->printk_formats.data, *end = at + info->printk_formats.len, *stop;
	struct rs_bprint *b = calloc(1, sizeof *b);
	struct bprint_format format;
	size_t room = 0;

	if (!b)
		return NULL;
	b->info = info;
	b->swap = info->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	for (; at && at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		if (!bprint_read_line(at, stop, &format))
			continue;
		if (!RS_VECTOR_RESERVE(&b->all, &room, b->nr + 1)) {
			rs_bprint_free(b);
			return NULL;
		}
		b->all[b->nr++] = format;
	}
	if (b->nr)
		qsort(b->all, b->nr, sizeof *b->all, bprint_by_addr);
	return b;
}

void rs_bprint_free(struct rs_bprint *b)
{
	if (b)
		free(b->all);
	free(b);
}

/* ---- the arguments ---- */

struct args {
	const struct rs_bprint *b;
	const uint8_t *data;
	size_t len, at;
};

/*
 * Returns false if there are no more. Offsets count from the begin of the arguments, which is a multiple of
 * 4.
 */
static bool bprint_take_number(struct args *a, size_t size, bool is_signed, uint64_t *v)
{
	size_t align = size < 4 ? size : 4;
	struct rs_event ev = { 0 };
	struct rs_field f = { .size_bytes = (uint16_t)size };

	a->at = (a->at + align - 1) & ~(align - 1);
	if (a->at > a->len || size > a->len - a->at)
		return false;
	ev.data = a->data + a->at;
	f.flags = (uint16_t)((a->b->swap ? RS_FIELD_SWAP : 0) | (is_signed ? RS_FIELD_SIGNED : 0));
	*v = rs_u64_any(&ev, &f);
	a->at += size;
	return true;
}

static bool bprint_take_string(struct args *a, const char **text, size_t *len)
{
	size_t nr = a->at < a->len ? strnlen((const char *)a->data + a->at, a->len - a->at) : 0;

	if (a->at >= a->len)
		return false;
	*text = (const char *)a->data + a->at;
	*len = nr;
	a->at += nr + 1;
	return true;
}

/* ---- the format ---- */

#define MAX_WIDTH 256

/* "%-08llx": what comes between the % and the letter. */
struct spec {
	bool left, zero, plus, alternative, precise;
	uint64_t width, precision;
	size_t size_bytes;    /* of a number */
	char letter;
};

static void bprint_read_width(struct args *a, const char **at, const char *end, uint64_t *width)
{
	*width = 0;
	if (*at < end && **at == '*') {
		(*at)++;
		bprint_take_number(a, 4, false, width);
	}
	for (; *at < end && isdigit((unsigned char)**at); (*at)++)
		*width = *width * 10 + (uint64_t)(**at - '0');
	if (*width > MAX_WIDTH)
		*width = MAX_WIDTH;
}

static void bprint_read_size(const struct args *a, const char **at, const char *end, struct spec *s)
{
	size_t long_bytes = a->b->info->long_bytes;
	unsigned int nr_h = 0, nr_l = 0;

	s->size_bytes = 4;
	for (; *at < end && **at && strchr("hlLzt", **at); (*at)++) {
		nr_h += **at == 'h';
		nr_l += **at == 'l' ? 1 : **at == 'L' ? 2 : 0;
		if (**at == 'z' || **at == 't')
			s->size_bytes = long_bytes;
	}
	if (nr_l)
		s->size_bytes = nr_l > 1 ? 8 : long_bytes;
	else if (nr_h)
		s->size_bytes = nr_h > 1 ? 1 : 2;
}

/* *at is behind the %; false: the format ends in the middle. */
static bool bprint_read_spec(struct args *a, const char **at, const char *end, struct spec *s)
{
	*s = (struct spec){ 0 };
	for (; *at < end && strchr("-0+ #", **at) && **at; (*at)++) {
		s->left |= **at == '-';
		s->zero |= **at == '0';
		s->plus |= **at == '+';
		s->alternative |= **at == '#';
	}
	bprint_read_width(a, at, end, &s->width);
	if (*at < end && **at == '.') {
		(*at)++;
		s->precise = true;
		bprint_read_width(a, at, end, &s->precision);
	}
	bprint_read_size(a, at, end, s);
	if (*at >= end)
		return false;
	s->letter = *(*at)++;
	return true;
}

static void bprint_put_padded(const struct spec *s, const char *text, size_t len, struct rs_buf *out)
{
	size_t pad = s->width > len ? (size_t)s->width - len : 0;

	if (!s->left)
		rs_buf_pad(out, ' ', pad);
	rs_buf_add(out, text, len);
	if (s->left)
		rs_buf_pad(out, ' ', pad);
}

static bool bprint_put_number(struct args *a, const struct spec *s, struct rs_buf *out)
{
	bool is_signed = s->letter == 'd' || s->letter == 'i';
	char text[MAX_WIDTH + 32];
	const char *prefix = s->plus && is_signed ? "+" : "";
	uint64_t v;
	int len, zeros = s->precise ? (int)s->precision : s->zero && !s->left ? (int)s->width : 1;

	if (!bprint_take_number(a, s->size_bytes, is_signed, &v))
		return false;
	if (is_signed)
		len = snprintf(text, sizeof text, "%s%0*" PRId64, (int64_t)v < 0 ? "" : prefix,
			       zeros + (s->precise && (int64_t)v < 0), (int64_t)v);
	else if (s->letter == 'o')
		len = snprintf(text, sizeof text, "%0*" PRIo64, zeros, v);
	else if (s->letter == 'u')
		len = snprintf(text, sizeof text, "%0*" PRIu64, zeros, v);
	else
		len = snprintf(text, sizeof text, s->letter == 'X' ? "%s%0*" PRIX64 : "%s%0*" PRIx64,
			       s->alternative ? "0x" : "", zeros, v);
	bprint_put_padded(s, text, (size_t)len, out);
	return true;
}

static bool bprint_put_string(struct args *a, const struct spec *s, struct rs_buf *out)
{
	const char *text;
	size_t len;

	if (!bprint_take_string(a, &text, &len))
		return false;
	if (s->precise && len > s->precision)
		len = (size_t)s->precision;
	bprint_put_padded(s, text, len, out);
	return true;
}

/*
 * "%p", "%px", "%pS" and the like are packed as an address; for the others the kernel packs the text ("%pI4",
 * since 5.1), or something that cannot be followed here.
 */
static bool bprint_put_pointer(struct args *a, const struct spec *s, const char **at, const char *end,
			       struct rs_buf *out)
{
	char kind = *at < end && isalnum((unsigned char)**at) ? **at : '\0';
	uint64_t v;

	while (*at < end && isalnum((unsigned char)**at))
		(*at)++;
	if (kind && !strchr("sSfFBKx", kind))
		return bprint_put_string(a, s, out);
	if (!bprint_take_number(a, a->b->info->long_bytes, false, &v))
		return false;
	rs_buf_printf(out, "0x%" PRIx64, v);
	return true;
}

static bool bprint_put_char(struct args *a, struct rs_buf *out)
{
	uint64_t v;

	if (!bprint_take_number(a, 1, false, &v))
		return false;
	if (v)
		rs_buf_putc(out, (char)v);
	return true;
}

static bool bprint_put_one(struct args *a, const struct spec *s, const char **at, const char *end,
			   struct rs_buf *out)
{
	switch (s->letter) {
	case '%':
		rs_buf_putc(out, '%');
		return true;
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
		return bprint_put_number(a, s, out);
	case 's':
		return bprint_put_string(a, s, out);
	case 'p':
		return bprint_put_pointer(a, s, at, end, out);
	case 'c':
		return bprint_put_char(a, out);
	default:
		return false;
	}
}

/* The formats are written as in C: "\n" is two characters. */
static char bprint_unescape(const char **at, const char *end)
{
	char c = *(*at)++;

	if (c != '\\' || *at >= end)
		return c;
	c = *(*at)++;
	return c == 'n' ? '\n' : c == 't' ? '\t' : c;
}

static void bprint_put_format(struct args *a, const struct bprint_format *f, struct rs_buf *out)
{
	const char *at = f->text, *end = f->text + f->len;
	size_t begin = out->len;
	struct spec spec;

	while (at < end && *at) {
		char c = bprint_unescape(&at, end);

		if (c != '%') {
			rs_buf_putc(out, c);
			continue;
		}
		if (!bprint_read_spec(a, &at, end, &spec) || !bprint_put_one(a, &spec, &at, end, out)) {
			rs_buf_putc(out, '?');
			a->at = a->len; /* the offset of what follows is unknown */
		}
	}
	while (out->len > begin && out->data[out->len - 1] == '\n')
		out->data[--out->len] = '\0';
}

void rs_bprint_put(const struct rs_bprint *b, uint64_t fmt, const uint8_t *args, size_t len_bytes,
		   struct rs_buf *out)
{
	struct args a = { b, args, len_bytes, 0 };
	const struct bprint_format key = { .addr = fmt };
	const struct bprint_format *f = b->nr ? bsearch(&key, b->all, b->nr, sizeof key, bprint_by_addr) :
						NULL;

	if (f)
		bprint_put_format(&a, f, out);
	else
		rs_buf_printf(out, "0x%" PRIx64, fmt);
}
