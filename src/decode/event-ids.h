/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event-ids.h - finds out which event types a recording contains
 *
 * A file declares more events than were enabled. A session that reads the whole file counts them. For a
 * session that reads only a time range, this reads the file a second time, only as far as needed, and only
 * the type of each record.
 */
#ifndef RS_DECODE_EVENT_IDS_H
#define RS_DECODE_EVENT_IDS_H

#include "decode/formats.h"

#define RS_NR_EVENT_IDS (1u << 16)

/* A bit for each event id. */
struct rs_event_id_set {
	uint64_t bits[RS_NR_EVENT_IDS / 64];
};

static inline bool rs_event_id_set_has(const struct rs_event_id_set *set, uint32_t id)
{
	return id < RS_NR_EVENT_IDS && set->bits[id / 64] >> id % 64 & 1;
}

static inline void rs_event_id_set_add(struct rs_event_id_set *set, uint16_t id)
{
	set->bits[id / 64] |= 1ull << id % 64;
}

struct rs_event_ids;

/*
 * The caller owns `of`, which is not changed; the formats must outlive the result. Returns NULL if the source
 * cannot be read again, or without memory.
 */
struct rs_event_ids *rs_event_ids_new(const struct rs_source *of, struct rs_formats *formats);
void rs_event_ids_free(struct rs_event_ids *e); /* may be NULL */
/* Does the recording contain this event? Reads on until it finds one, or to the end. */
bool rs_event_ids_has(struct rs_event_ids *e, uint32_t id);

#endif
