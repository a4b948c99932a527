// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pinned-open.c - what was in flight when a client pinned a time: once it has ended, its begin may be in no
 * page
 */
#include "service/pinned-open.h"

#include <stdlib.h>

#include "engine/match/in-flight-list.h"
#include "service/service.h"

#define PINNED_OPEN_MAX 4096 /* items of a client: a few hundred bytes each */

struct rs_pinned_open {
	uint32_t client;
	struct rs_in_flight_list list;
	struct rs_pinned_open *next;
};

static void pinned_open_remove(struct rs_pinned_open **at)
{
	struct rs_pinned_open *p = *at;

	*at = p->next;
	rs_in_flight_list_done(&p->list);
	free(p);
}

static struct rs_pinned_open **pinned_open_find(struct rs_service *s, uint32_t client)
{
	struct rs_pinned_open **at = &s->pinned_open;

	while (*at && (*at)->client != client)
		at = &(*at)->next;
	return at;
}

void rs_pinned_open_set(struct rs_service *s, uint32_t client)
{
	struct rs_pinned_open **before = pinned_open_find(s, client), *p = calloc(1, sizeof *p);

	if (*before)
		pinned_open_remove(before);
	if (!p || !rs_in_flight_list_init(&p->list, PINNED_OPEN_MAX)) {
		free(p);
		return;
	}
	p->client = client;
	p->list.latest_ns = UINT64_MAX;
	p->list.idle_too = true;
	rs_session_list_in_flight(s->session, &p->list);
	p->next = s->pinned_open;
	s->pinned_open = p;
}

const struct rs_in_flight_list *rs_pinned_open_of(struct rs_service *s, uint32_t client, uint64_t at_ns)
{
	struct rs_pinned_open *p = *pinned_open_find(s, client);
	struct rs_window_pin pin;

	if (!p || !rs_window_pins_find(s->window, client, &pin))
		return NULL;
	return at_ns >= pin.from_ns && at_ns <= pin.to_ns ? &p->list : NULL;
}

void rs_pinned_open_expire(struct rs_service *s)
{
	struct rs_pinned_open **at = &s->pinned_open;
	struct rs_window_pin pin;

	while (*at)
		if (rs_window_pins_find(s->window, (*at)->client, &pin))
			at = &(*at)->next;
		else
			pinned_open_remove(at);
}

void rs_pinned_open_done(struct rs_service *s)
{
	while (s->pinned_open)
		pinned_open_remove(&s->pinned_open);
}
