/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page-ring.h - a bounded ring of pages from one reader thread to the consumer
 *
 *	slot = rs_page_ring_reserve(ring, cpu);          // reader; RS_NO_SLOT: full
 *	n = read(fd, rs_page_ring_page(ring, slot), ring->page_bytes);
 *	rs_page_ring_push(ring, slot, n, empty_at);   // or rs_page_ring_unreserve
 *
 *	while (rs_page_ring_pop(ring, &slot))         // consumer, in the order of pushing
 *		...  rs_page_ring_return(ring, slot);
 *
 * No locks: a lock that the consumer holds while it is preempted would stop the reader, which is real-time
 * (priority inversion). Slot numbers travel through two rings of one writer and one reader each; both have
 * room for every slot.
 *
 * Free slots are a stack: the page used last is reused first, so that a session that keeps up touches a few
 * pages only.
 */
#ifndef RS_SOURCE_LIVE_PAGE_RING_H
#define RS_SOURCE_LIVE_PAGE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_NO_SLOT UINT32_MAX

struct rs_page_slot {
	uint64_t empty_at_ns;  /* as in struct rs_page */
	uint32_t len_bytes;
	uint32_t cpu;          /* the reader's own number for it */
	uint32_t next;         /* the consumer's: of the same CPU's list */
};

/* One thread adds at tail, one takes at head. Both only grow; the size is a power of two. */
struct rs_slot_ring {
	uint32_t *slots;
	uint32_t mask;
	_Alignas(64) _Atomic uint32_t head;
	_Alignas(64) _Atomic uint32_t tail;
};

struct rs_page_ring {
	uint8_t *pages;
	size_t page_bytes, map_bytes;
	uint32_t nr_slots, nr_cpus;
	struct rs_page_slot *slot;
	struct rs_slot_ring filled, returned;
	uint32_t *free;           /* the reader's stack */
	uint32_t nr_free;
	uint32_t *nr_out;         /* the reader's: pages of each CPU that have not come back */
	_Atomic uint32_t nr_peak; /* most slots in use at once */
};

/* ring_bytes is rounded down to pages, and up to two for each CPU. -1: no memory. */
int rs_page_ring_init(struct rs_page_ring *ring, size_t ring_bytes, size_t page_bytes, uint32_t nr_cpus);
/* Prefaults the pages that are used first. Called by the reader before the first event. */
void rs_page_ring_prefault(struct rs_page_ring *ring);
void rs_page_ring_done(struct rs_page_ring *ring);

/*
 * Returns a free slot for a page of this CPU, or RS_NO_SLOT. The last slots, one for each CPU, are reserved
 * for a CPU that has no page out: the consumer holds pages of busy CPUs until the watermark of every other
 * CPU has passed them, so a quiet CPU that cannot hand over its page would block all others.
 */
uint32_t rs_page_ring_reserve(struct rs_page_ring *ring, uint32_t cpu);
void rs_page_ring_unreserve(struct rs_page_ring *ring, uint32_t slot);
void rs_page_ring_push(struct rs_page_ring *ring, uint32_t slot, uint32_t len_bytes, uint64_t empty_at_ns);

bool rs_page_ring_pop(struct rs_page_ring *ring, uint32_t *slot);
void rs_page_ring_return(struct rs_page_ring *ring, uint32_t slot);

/* For a third thread (the watchdog): is a page waiting for the consumer? */
bool rs_page_ring_has_pages(struct rs_page_ring *ring);
/* Likewise: grows whenever the consumer takes or returns a page. */
uint32_t rs_page_ring_nr_moved(struct rs_page_ring *ring);

static inline uint8_t *rs_page_ring_page(const struct rs_page_ring *ring, uint32_t slot)
{
	return ring->pages + (size_t)slot * ring->page_bytes;
}

#endif
