// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-ring - the ring of a perf event: the kernel writes records, this process reads them in place */
#include "source/perf/perf-ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_RECORD_BYTES 65536u              /* its size is 16 bits */

static size_t perf_ring_head_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

int rs_perf_ring_map(struct rs_perf_ring *r, int fd, uint64_t size_bytes, uint64_t least_bytes)
{
	r->whole = malloc(MAX_RECORD_BYTES);
	if (!r->whole)
		return -ENOMEM;
	for (r->size_bytes = size_bytes; r->size_bytes >= least_bytes; r->size_bytes /= 2) {
		void *at = mmap(NULL, perf_ring_head_bytes() + r->size_bytes, PROT_READ | PROT_WRITE,
				MAP_SHARED, fd, 0);

		if (at != MAP_FAILED) {
			r->page = at;
			return 0;
		}
	}
	return -errno;
}

void rs_perf_ring_done(struct rs_perf_ring *r)
{
	if (r->page)
		munmap(r->page, perf_ring_head_bytes() + r->size_bytes);
	free(r->whole);
	*r = (struct rs_perf_ring){ 0 };
}

bool rs_perf_ring_next(struct rs_perf_ring *r, struct rs_sample_record *record)
{
	const uint8_t *data = (const uint8_t *)r->page + perf_ring_head_bytes();
	uint64_t head = atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)&r->page->data_head,
					     memory_order_acquire),
		 at;
	struct perf_event_header header;

	r->tail += r->held_bytes;
	r->held_bytes = 0;
	atomic_store_explicit((_Atomic uint64_t *)(uintptr_t)&r->page->data_tail, r->tail,
			      memory_order_release);
	if (head == r->tail)
		return false;
	at = r->tail & (r->size_bytes - 1);
	/* records are a multiple of 8 bytes, so that a header never wraps */
	memcpy(&header, data + at, sizeof header);
	if (header.size < sizeof header || header.size > head - r->tail) { /* the kernel's own: cannot be */
		r->held_bytes = head - r->tail;
		return false;
	}
	*record = (struct rs_sample_record){ data + at, header.size };
	r->held_bytes = header.size;
	if (at + header.size > r->size_bytes) {
		memcpy(r->whole, data + at, r->size_bytes - at);
		memcpy(r->whole + (r->size_bytes - at), data, header.size - (r->size_bytes - at));
		record->data = r->whole;
	}
	return true;
}
