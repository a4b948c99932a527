/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pinned-open.h - what was in flight when a client pinned a time: once it has ended, its begin may be in no
 * page
 *
 * Only the analyzer thread uses it. Without memory what had begun before the pin is missing from its answers.
 */
#ifndef RS_SERVICE_PINNED_OPEN_H
#define RS_SERVICE_PINNED_OPEN_H

#include <stdint.h>

struct rs_in_flight_list;
struct rs_pinned_open;
struct rs_service;

/* Stores what is in flight now, instead of what the client had stored before. */
void rs_pinned_open_set(struct rs_service *s, uint32_t client);
/* NULL: the client has not pinned that time. Valid until the next call of another function. */
const struct rs_in_flight_list *rs_pinned_open_of(struct rs_service *s, uint32_t client, uint64_t at_ns);
/* Frees what belongs to clients that have pinned nothing any more. */
void rs_pinned_open_expire(struct rs_service *s);
void rs_pinned_open_done(struct rs_service *s);

#endif
