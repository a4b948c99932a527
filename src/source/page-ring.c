// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/page-ring.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TOUCHED_PART 16 /* of the store: a storm rarely needs more */

static int ring_init(struct rs_slot_ring *r, uint32_t nr_slots)
{
	uint32_t size = 1;

	while (size < nr_slots)
		size *= 2;
	r->slots = malloc(size * sizeof *r->slots);
	r->mask = size - 1;
	return r->slots ? 0 : -1;
}

static void ring_add(struct rs_slot_ring *r, uint32_t slot)
{
	uint32_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

	r->slots[tail & r->mask] = slot;
	/* Release: a thread that sees the new tail also sees the slot's number and its page. */
	atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
}

static bool ring_take(struct rs_slot_ring *r, uint32_t *slot)
{
	uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed);

	if (head == atomic_load_explicit(&r->tail, memory_order_acquire))
		return false;
	*slot = r->slots[head & r->mask];
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
	return true;
}

int rs_page_ring_init(struct rs_page_ring *h, size_t store_bytes, size_t page_bytes, uint32_t nr_cpus)
{
	size_t nr_slots = store_bytes / page_bytes;

	*h = (struct rs_page_ring){ .page_bytes = page_bytes, .nr_cpus = nr_cpus, .pages = MAP_FAILED };
	if (nr_slots < (size_t)nr_cpus * 2)
		nr_slots = (size_t)nr_cpus * 2;
	if (nr_slots > 1u << 24 || __builtin_mul_overflow(nr_slots, page_bytes, &h->map_bytes))
		return -1;
	h->nr_slots = (uint32_t)nr_slots;
	h->pages = mmap(NULL, h->map_bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	h->slot = malloc(nr_slots * sizeof *h->slot);
	h->free = malloc(nr_slots * sizeof *h->free);
	h->nr_out = calloc(nr_cpus, sizeof *h->nr_out);
	if (h->pages == MAP_FAILED || !h->slot || !h->free || !h->nr_out ||
	    ring_init(&h->filled, h->nr_slots) < 0 || ring_init(&h->returned, h->nr_slots) < 0) {
		rs_page_ring_done(h);
		return -1;
	}
	/* Huge pages would make each of the few slots in use cost 2 MiB. */
	madvise(h->pages, h->map_bytes, MADV_NOHUGEPAGE);
	for (uint32_t i = 0; i < h->nr_slots; i++)
		h->free[i] = h->nr_slots - 1 - i;
	h->nr_free = h->nr_slots;
	return 0;
}

/* 5.14; where it is refused the first use of each page costs its fault, as it would have. */
void rs_page_ring_touch(struct rs_page_ring *h)
{
#ifdef MADV_POPULATE_WRITE
	size_t len_bytes = h->map_bytes / TOUCHED_PART;

	madvise(h->pages, len_bytes - len_bytes % (size_t)getpagesize(), MADV_POPULATE_WRITE);
#endif
}

void rs_page_ring_done(struct rs_page_ring *h)
{
	if (h->pages != MAP_FAILED && h->pages)
		munmap(h->pages, h->map_bytes);
	free(h->slot);
	free(h->free);
	free(h->nr_out);
	free(h->filled.slots);
	free(h->returned.slots);
	memset(h, 0, sizeof *h);
}

static void collect_returned(struct rs_page_ring *h)
{
	uint32_t slot;

	while (ring_take(&h->returned, &slot)) {
		h->nr_out[h->slot[slot].cpu]--;
		h->free[h->nr_free++] = slot;
	}
}

uint32_t rs_page_ring_reserve(struct rs_page_ring *h, uint32_t cpu)
{
	uint32_t slot;

	collect_returned(h);
	if (!h->nr_free || (h->nr_free <= h->nr_cpus && h->nr_out[cpu]))
		return RS_NO_SLOT;
	slot = h->free[--h->nr_free];
	h->slot[slot].cpu = cpu;
	h->nr_out[cpu]++;
	return slot;
}

void rs_page_ring_unreserve(struct rs_page_ring *h, uint32_t slot)
{
	h->nr_out[h->slot[slot].cpu]--;
	h->free[h->nr_free++] = slot;
}

void rs_page_ring_push(struct rs_page_ring *h, uint32_t slot, uint32_t len_bytes, uint64_t empty_at_ns)
{
	uint32_t nr_used = h->nr_slots - h->nr_free;

	h->slot[slot].len_bytes = len_bytes;
	h->slot[slot].empty_at_ns = empty_at_ns;
	if (nr_used > atomic_load_explicit(&h->nr_peak, memory_order_relaxed))
		atomic_store_explicit(&h->nr_peak, nr_used, memory_order_relaxed);
	ring_add(&h->filled, slot);
}

bool rs_page_ring_pop(struct rs_page_ring *h, uint32_t *slot)
{
	return ring_take(&h->filled, slot);
}

void rs_page_ring_return(struct rs_page_ring *h, uint32_t slot)
{
	ring_add(&h->returned, slot);
}

bool rs_page_ring_waits(struct rs_page_ring *h)
{
	return atomic_load_explicit(&h->filled.head, memory_order_relaxed) !=
	       atomic_load_explicit(&h->filled.tail, memory_order_relaxed);
}

uint32_t rs_page_ring_nr_reserved(struct rs_page_ring *h)
{
	return atomic_load_explicit(&h->filled.head, memory_order_relaxed) +
	       atomic_load_explicit(&h->returned.tail, memory_order_relaxed);
}
