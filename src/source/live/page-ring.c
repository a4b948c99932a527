// SPDX-License-Identifier: GPL-2.0-or-later
/* page-ring - a bounded ring of pages from one reader thread to the consumer */
#include "source/live/page-ring.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PREFAULTED_PART 16 /* of the ring: a storm rarely needs more */

static int slot_ring_init(struct rs_slot_ring *r, uint32_t nr_slots)
{
	uint32_t size = 1;

	while (size < nr_slots)
		size *= 2;
	r->slots = malloc(size * sizeof *r->slots);
	r->mask = size - 1;
	return r->slots ? 0 : -1;
}

static void slot_ring_add(struct rs_slot_ring *r, uint32_t slot)
{
	uint32_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

	r->slots[tail & r->mask] = slot;
	/* Release: a thread that sees the new tail also sees the slot's number and its page. */
	atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
}

static bool slot_ring_take(struct rs_slot_ring *r, uint32_t *slot)
{
	uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed);

	if (head == atomic_load_explicit(&r->tail, memory_order_acquire))
		return false;
	*slot = r->slots[head & r->mask];
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
	return true;
}

int rs_page_ring_init(struct rs_page_ring *ring, size_t ring_bytes, size_t page_bytes, uint32_t nr_cpus)
{
	size_t nr_slots = ring_bytes / page_bytes;

	*ring = (struct rs_page_ring){ .page_bytes = page_bytes, .nr_cpus = nr_cpus, .pages = MAP_FAILED };
	if (nr_slots < (size_t)nr_cpus * 2)
		nr_slots = (size_t)nr_cpus * 2;
	if (nr_slots > 1u << 24 || __builtin_mul_overflow(nr_slots, page_bytes, &ring->map_bytes))
		return -1;
	ring->nr_slots = (uint32_t)nr_slots;
	ring->pages = mmap(NULL, ring->map_bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ring->slot = malloc(nr_slots * sizeof *ring->slot);
	ring->free = malloc(nr_slots * sizeof *ring->free);
	ring->nr_out = calloc(nr_cpus, sizeof *ring->nr_out);
	if (ring->pages == MAP_FAILED || !ring->slot || !ring->free || !ring->nr_out ||
	    slot_ring_init(&ring->filled, ring->nr_slots) < 0 ||
	    slot_ring_init(&ring->returned, ring->nr_slots) < 0) {
		rs_page_ring_done(ring);
		return -1;
	}
	/* Huge pages would make each of the few slots in use cost 2 MiB. */
	madvise(ring->pages, ring->map_bytes, MADV_NOHUGEPAGE);
	for (uint32_t i = 0; i < ring->nr_slots; i++)
		ring->free[i] = ring->nr_slots - 1 - i;
	ring->nr_free = ring->nr_slots;
	return 0;
}

/* Since Linux 5.14. Where it fails, the first use of each page takes a page fault. */
void rs_page_ring_prefault(struct rs_page_ring *ring)
{
#ifdef MADV_POPULATE_WRITE
	size_t len_bytes = ring->map_bytes / PREFAULTED_PART;

	madvise(ring->pages, len_bytes - len_bytes % (size_t)getpagesize(), MADV_POPULATE_WRITE);
#endif
}

void rs_page_ring_done(struct rs_page_ring *ring)
{
	if (ring->pages != MAP_FAILED && ring->pages)
		munmap(ring->pages, ring->map_bytes);
	free(ring->slot);
	free(ring->free);
	free(ring->nr_out);
	free(ring->filled.slots);
	free(ring->returned.slots);
	memset(ring, 0, sizeof *ring);
}

static void collect_returned(struct rs_page_ring *ring)
{
	uint32_t slot;

	while (slot_ring_take(&ring->returned, &slot)) {
		ring->nr_out[ring->slot[slot].cpu]--;
		ring->free[ring->nr_free++] = slot;
	}
}

uint32_t rs_page_ring_reserve(struct rs_page_ring *ring, uint32_t cpu)
{
	uint32_t slot;

	collect_returned(ring);
	if (!ring->nr_free || (ring->nr_free <= ring->nr_cpus && ring->nr_out[cpu]))
		return RS_NO_SLOT;
	slot = ring->free[--ring->nr_free];
	ring->slot[slot].cpu = cpu;
	ring->nr_out[cpu]++;
	return slot;
}

void rs_page_ring_unreserve(struct rs_page_ring *ring, uint32_t slot)
{
	ring->nr_out[ring->slot[slot].cpu]--;
	ring->free[ring->nr_free++] = slot;
}

void rs_page_ring_push(struct rs_page_ring *ring, uint32_t slot, uint32_t len_bytes, uint64_t empty_at_ns)
{
	uint32_t nr_used = ring->nr_slots - ring->nr_free;

	ring->slot[slot].len_bytes = len_bytes;
	ring->slot[slot].empty_at_ns = empty_at_ns;
	if (nr_used > atomic_load_explicit(&ring->nr_peak, memory_order_relaxed))
		atomic_store_explicit(&ring->nr_peak, nr_used, memory_order_relaxed);
	slot_ring_add(&ring->filled, slot);
}

bool rs_page_ring_pop(struct rs_page_ring *ring, uint32_t *slot)
{
	return slot_ring_take(&ring->filled, slot);
}

void rs_page_ring_return(struct rs_page_ring *ring, uint32_t slot)
{
	slot_ring_add(&ring->returned, slot);
}

bool rs_page_ring_has_pages(struct rs_page_ring *ring)
{
	return atomic_load_explicit(&ring->filled.head, memory_order_relaxed) !=
	       atomic_load_explicit(&ring->filled.tail, memory_order_relaxed);
}

uint32_t rs_page_ring_nr_moved(struct rs_page_ring *ring)
{
	return atomic_load_explicit(&ring->filled.head, memory_order_relaxed) +
	       atomic_load_explicit(&ring->returned.tail, memory_order_relaxed);
}
