// SPDX-License-Identifier: GPL-2.0-or-later
/* usual-state - what was learned, as bytes */
#include "usual/usual-state.h"

#include <string.h>

#include "usual/usual-sources.h"
#include "usual/usual-parts.h"

#define STATE_MAGIC "rsusual"
#define STATE_MAGIC_BYTES 8u
#define STATE_VIEW_BYTES 16u
#define STATE_SERIES_BYTES (STATE_VIEW_BYTES + 4 + RS_SERIES_KEY + 8)
#define STATE_BLOCK_BYTES (RS_SERIES_NR_MEASURES * 2)

_Static_assert(RS_USUAL_STATE_HEADER + 12 + RS_BLOCK_RING_MOST * 4 +
			       RS_USUAL_SERIES * STATE_SERIES_BYTES +
			       RS_USUAL_SERIES * RS_BLOCK_RING_MOST * STATE_BLOCK_BYTES <=
		       RS_USUAL_STATE_MOST,
	       "the state has room");

static uint64_t state_checksum(const unsigned char *bytes, size_t len)
{
	uint64_t sum = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ bytes[i]) * UINT64_C(1099511628211);
	return sum;
}

/* ---- writing ---- */

static void state_put(struct rs_buf *out, uint64_t v, unsigned int nr_bytes)
{
	for (unsigned int i = 0; i < nr_bytes; i++)
		rs_buf_putc(out, (char)(v >> 8 * i & 255));
}

static void state_put_padded(struct rs_buf *out, const char *text, size_t len, size_t room)
{
	rs_buf_add(out, text, len);
	for (size_t i = len; i < room; i++)
		rs_buf_putc(out, '\0');
}

static void state_put_series(struct rs_buf *out, const struct rs_usual *u, const struct rs_series *s)
{
	const char *view = rs_usual_sources[s->source].view;

	state_put_padded(out, view, strlen(view), STATE_VIEW_BYTES);
	state_put(out, s->key_bytes, 4);
	state_put_padded(out, s->key, s->key_bytes, RS_SERIES_KEY);
	state_put(out, s->cost_ns, 8);
	for (uint32_t i = 0; i < u->blocks.nr; i++)
		for (unsigned int m = 0; m < RS_SERIES_NR_MEASURES; m++)
			state_put(out, s->blocks[i][m], 2);
}

static void state_put_header(struct rs_buf *out, uint64_t nr_bytes, uint64_t generation, uint64_t checksum)
{
	rs_buf_add(out, STATE_MAGIC, STATE_MAGIC_BYTES);
	state_put(out, RS_USUAL_STATE_VERSION, 4);
	state_put(out, nr_bytes, 4);
	state_put(out, generation, 8);
	state_put(out, checksum, 8);
}

void rs_usual_state_put(const struct rs_usual *u, uint64_t generation, struct rs_buf *out)
{
	struct rs_buf header = RS_BUF_INIT;

	rs_buf_clear(out);
	state_put_header(out, 0, 0, 0);
	state_put(out, u->blocks.nr, 4);
	state_put(out, u->blocks.next, 4);
	for (uint32_t i = 0; i < u->blocks.nr; i++)
		state_put(out, u->blocks.numbers[i], 4);
	state_put(out, u->nr_series, 4);
	for (size_t i = 0; i < u->nr_series; i++)
		state_put_series(out, u, u->series[i]);
	if (out->failed)
		return;
	state_put_header(&header, out->len, generation,
			 state_checksum((const unsigned char *)out->data + RS_USUAL_STATE_HEADER,
					out->len - RS_USUAL_STATE_HEADER));
	out->failed = header.failed;
	if (!header.failed)
		memcpy(out->data, header.data, RS_USUAL_STATE_HEADER);
	rs_buf_done(&header);
}

/* ---- reading: the bytes may be anything ---- */

struct state_from {
	const unsigned char *at, *end;
	bool failed;                 /* there were fewer */
};

static const unsigned char *state_take(struct state_from *from, size_t len)
{
	const unsigned char *at = from->at;

	if (from->failed || (size_t)(from->end - at) < len) {
		from->failed = true;
		return NULL;
	}
	from->at += len;
	return at;
}

static uint64_t state_get(struct state_from *from, unsigned int nr_bytes)
{
	const unsigned char *at = state_take(from, nr_bytes);
	uint64_t v = 0;

	for (unsigned int i = 0; at && i < nr_bytes; i++)
		v |= (uint64_t)at[i] << 8 * i;
	return v;
}

bool rs_usual_state_header(const void *bytes, size_t len, size_t *nr_bytes, uint64_t *generation)
{
	struct state_from from = { bytes, (const unsigned char *)bytes + len, false };
	const unsigned char *magic = state_take(&from, STATE_MAGIC_BYTES);
	uint64_t version = state_get(&from, 4);

	*nr_bytes = (size_t)state_get(&from, 4);
	*generation = state_get(&from, 8);
	state_get(&from, 8);
	return !from.failed && !memcmp(magic, STATE_MAGIC, STATE_MAGIC_BYTES) &&
	       version == RS_USUAL_STATE_VERSION && *nr_bytes >= RS_USUAL_STATE_HEADER &&
	       *nr_bytes <= RS_USUAL_STATE_MOST;
}

static bool state_get_blocks(struct state_from *from, struct rs_block_ring *b)
{
	b->nr = (uint32_t)state_get(from, 4);
	b->next = (uint32_t)state_get(from, 4);
	if (b->nr > RS_BLOCK_RING_MOST || b->next >= RS_BLOCK_RING_MOST ||
	    (b->nr < RS_BLOCK_RING_MOST && b->next != b->nr))
		return false;
	for (uint32_t i = 0; i < b->nr; i++)
		b->numbers[i] = (uint32_t)state_get(from, 4);
	return !from->failed;
}

static bool state_key_is_good(const unsigned char *key, size_t key_bytes)
{
	return key_bytes > 0 && key_bytes < RS_SERIES_KEY && key[key_bytes - 1] == '\0';
}

static bool state_get_series(struct state_from *from, struct rs_usual *u)
{
	const unsigned char *view = state_take(from, STATE_VIEW_BYTES);
	size_t key_bytes = (size_t)state_get(from, 4);
	const unsigned char *key = state_take(from, RS_SERIES_KEY);
	uint64_t cost_ns = state_get(from, 8);
	struct rs_series *s = NULL;
	int source;

	if (from->failed || view[STATE_VIEW_BYTES - 1] || !state_key_is_good(key, key_bytes))
		return false;
	source = rs_usual_sources_find((const char *)view);
	if (source >= 0 && !(s = rs_usual_add_series(u, (unsigned int)source, (const char *)key, key_bytes)))
		return false;
	if (s)
		s->cost_ns = cost_ns;
	for (uint32_t i = 0; i < u->blocks.nr; i++)
		for (unsigned int m = 0; m < RS_SERIES_NR_MEASURES; m++) {
			uint16_t step = (uint16_t)state_get(from, 2);

			if (step > RS_SERIES_STEPS)
				return false;
			if (s)
				s->blocks[i][m] = step;
		}
	return !from->failed;
}

static bool state_get_all(struct state_from *from, struct rs_usual *u)
{
	uint64_t nr;

	if (!state_get_blocks(from, &u->blocks))
		return false;
	nr = state_get(from, 4);
	for (uint64_t i = 0; i < nr; i++)
		if (!state_get_series(from, u))
			return false;
	return !from->failed && from->at == from->end;
}

int rs_usual_state_get(struct rs_usual *u, const void *bytes, size_t len, struct rs_error *err)
{
	struct state_from from = { bytes, (const unsigned char *)bytes + len, false };
	size_t nr_bytes;
	uint64_t generation;

	rs_usual_forget(u);
	if (rs_usual_state_header(bytes, len, &nr_bytes, &generation) && nr_bytes == len) {
		from.at += RS_USUAL_STATE_HEADER - 8;
		if (state_get(&from, 8) == state_checksum(from.at, (size_t)(from.end - from.at)) &&
		    state_get_all(&from, u))
			return 0;
	}
	rs_usual_forget(u);
	return rs_fail(err, "what was learned is damaged");
}
