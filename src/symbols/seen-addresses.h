/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seen-addresses.h - addresses that processes had in stacks of events, for a recorder: whose symbols to save
 *
 *	rs_seen_addresses_map(s, pid, &mapping);        // each mapping, in any order
 *	rs_seen_addresses_fork(s, parent, child);
 *	rs_seen_addresses_add(s, pid, address);
 *	rs_seen_addresses_for_each(s, fn, arg);         // at the end
 *
 * A page of events comes later than the records of mappings of its time. So an address is looked up at the
 * end, in each mapping that its process, or one that it is a fork of, ever had there: some symbols that no
 * stack has are harmless.
 */
#ifndef RS_SYMBOLS_SEEN_ADDRESSES_H
#define RS_SYMBOLS_SEEN_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_SEEN_ADDRESSES_MAX (1u << 19)
#define RS_SEEN_MAPPINGS_MAX (1u << 20)

struct rs_mapping;
struct rs_seen_addresses;

/* NULL: no memory. */
struct rs_seen_addresses *rs_seen_addresses_new(void);
void rs_seen_addresses_free(struct rs_seen_addresses *s);
/* What is beyond the limits, or has no memory, is left out. */
void rs_seen_addresses_map(struct rs_seen_addresses *s, int32_t pid, const struct rs_mapping *mapping);
void rs_seen_addresses_fork(struct rs_seen_addresses *s, int32_t parent, int32_t child);
void rs_seen_addresses_add(struct rs_seen_addresses *s, int32_t pid, uint64_t address);
/* Calls fn for each place of an address in a module; the same place may come several times. */
void rs_seen_addresses_for_each(struct rs_seen_addresses *s,
				void (*fn)(void *arg, uint32_t module, uint64_t offset), void *arg);

#endif
