// SPDX-License-Identifier: GPL-2.0-or-later
/* lines-pages - records of named values, and ring-buffer pages of records, as the kernel writes them */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines-parts.h"

#define COMMIT_LOST (1ull << 31)
#define COMMIT_COUNTED (1ull << 30)
#define MAX_DELTA ((1ull << 27) - 1)

static void put(const struct lines *l, uint8_t *at, unsigned int size, uint64_t v)
{
	for (unsigned int i = 0; i < size; i++)
		at[l->layout->big_endian ? size - 1 - i : i] = v >> 8 * i;
}

/* As the kernel writes both kinds: IPv4 as ::ffff:a.b.c.d. None: zeros. */
static void put_address(uint8_t *at, const char *text)
{
	char mapped[64];

	snprintf(mapped, sizeof mapped, "%s%.40s", strchr(text, '.') ? "::ffff:" : "", text);
	if (*text)
		ck_assert_int_eq(inet_pton(AF_INET6, mapped, at), 1);
}

static void put_slot(const struct lines *l, uint8_t *record, size_t *len, const struct slot *slot)
{
	const struct value *v = rs_lines_get(l, slot->name);
	const char *text = v ? v->text : "";

	if (slot->is_data_loc) {
		put(l, record + slot->offset, 4, (strlen(text) + 1) << 16 | *len);
		memcpy(record + *len, text, strlen(text) + 1);
		*len += strlen(text) + 1;
	} else if (slot->is_text) {
		/* As the kernel's strncpy'd comm: cut, and always terminated. */
		snprintf((char *)record + slot->offset, slot->nr, "%.*s", (int)slot->nr - 1, text);
	} else if (slot->nr == 16) {
		put_address(record + slot->offset, text);
	} else if (slot->nr > 1) {
		for (unsigned int i = 0; i < slot->nr; i++) {
			char name[16];

			snprintf(name, sizeof name, "args%u", i);
			v = rs_lines_get(l, name);
			put(l, record + slot->offset + i * slot->size, slot->size, v ? v->number : 0);
		}
	} else {
		put(l, record + slot->offset, slot->size, v ? v->number : 0);
	}
}

size_t rs_lines_make_record(const struct lines *l, const struct event_layout *ev, uint8_t *record)
{
	const struct value *flags = rs_lines_get(l, "common_flags");
	size_t len = ev->size;

	memset(record, 0, 512);
	put(l, record, 2, ev->id);
	record[2] = flags ? flags->number : 0;
	record[3] = rs_lines_get(l, "preempt") ? rs_lines_get(l, "preempt")->number : 0;
	put(l, record + 4, 4, rs_lines_get(l, "common_pid")->number);
	for (unsigned int i = 0; i < ev->nr_slots; i++)
		put_slot(l, record, &len, &ev->slots[i]);
	if (!strcmp(ev->name, "kernel_stack")) /* it has no more than there are; the format says 8 */
		len -= (8 - rs_lines_get(l, "nr_callers")->number) * l->layout->long_bytes;
	return (len + 3) / 4 * 4;
}

static size_t header_bytes(const struct lines *l)
{
	return 8 + l->layout->long_bytes;
}

void rs_lines_close_page(struct lines *l, struct cpu *c)
{
	uint8_t *page = c->pages[c->nr_pages - 1];
	uint64_t commit = c->at - header_bytes(l);

	if (c->lost)
		commit |= COMMIT_LOST | (c->counted ? COMMIT_COUNTED : 0);
	if (c->lost && c->counted)
		put(l, page + c->at, l->layout->long_bytes, c->nr_lost);
	put(l, page + 8, l->layout->long_bytes, commit);
	c->lost = false;
}

static void begin_page(struct lines *l, struct cpu *c, uint64_t ts_ns)
{
	ck_assert_uint_lt(c->nr_pages, MAX_PAGES);
	c->pages[c->nr_pages] = calloc(1, PAGE);
	put(l, c->pages[c->nr_pages++], 8, ts_ns);
	c->at = header_bytes(l);
	c->ts_ns = ts_ns;
	c->begin_page = false;
}

static void put_head(struct lines *l, struct cpu *c, unsigned int type_len, uint64_t delta)
{
	uint32_t head = l->layout->big_endian ? (uint32_t)type_len << 27 | delta : delta << 5 | type_len;

	put(l, c->pages[c->nr_pages - 1] + c->at, 4, head);
	c->at += 4;
}

void rs_lines_put_record(struct lines *l, struct cpu *c, uint64_t ts_ns, const uint8_t *record, size_t len)
{
	bool full = c->nr_pages && c->at + len + 24 > PAGE;
	uint64_t delta;

	if (c->begin_page && c->nr_pages)
		; /* closed when the loss was read */
	else if (full)
		rs_lines_close_page(l, c);
	if (!c->nr_pages || c->begin_page || full)
		begin_page(l, c, ts_ns);
	delta = ts_ns - c->ts_ns;
	if (delta > MAX_DELTA) {
		put_head(l, c, 30, delta & MAX_DELTA);
		put(l, c->pages[c->nr_pages - 1] + c->at, 4, delta >> 27);
		c->at += 4;
		delta = 0;
	}
	put_head(l, c, len / 4 <= 28 ? len / 4 : 0, delta);
	if (len / 4 > 28) {
		put(l, c->pages[c->nr_pages - 1] + c->at, 4, len + 4);
		c->at += 4;
	}
	memcpy(c->pages[c->nr_pages - 1] + c->at, record, len);
	c->at += len;
	c->ts_ns = ts_ns;
}
