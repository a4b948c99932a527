/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event-ids.h - which kinds of events a recording has at all
 *
 * A file declares more events than were turned on. Who reads all of it counts them; who stops at the end of a time range
 * asks here: the file is read once more, beside the session, as far as the question needs and no farther. Only the type
 * of each record is looked at.
 */
#ifndef RS_DECODE_EVENT_IDS_H
#define RS_DECODE_EVENT_IDS_H

#include "decode/formats.h"

#define RS_NR_EVENT_IDS (1u << 16)

/* A bit for each kind. */
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
 * `of` belongs to the caller and is not touched; the formats must outlive it. NULL: it cannot be read again, or no
 * memory.
 */
struct rs_event_ids *rs_event_ids_new(const struct rs_source *of, struct rs_formats *formats);
void rs_event_ids_free(struct rs_event_ids *e); /* may be NULL */
/* Does the recording have one? Reads on until one comes, or to the end. */
bool rs_event_ids_has(struct rs_event_ids *e, uint32_t id);

#endif
