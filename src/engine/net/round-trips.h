/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * round-trips.h - waits for the answer to what a task has sent before
 *
 * rs_engine_round_trips: one call or more that send to a descriptor, and then a wait for the answer, in a
 * call that receives from it, or in a poll. See RS_ON_ROUND_TRIP.
 */
#ifndef RS_ENGINE_NET_ROUND_TRIPS_H
#define RS_ENGINE_NET_ROUND_TRIPS_H

#include <stdbool.h>

struct rs_analysis;
struct rs_ctx;
struct rs_interval;
struct rs_socket;

/*
 * Was that wait, the last of its task that has ended, one for an ACK that the peer delays? See
 * rs_round_trip.is_delayed.
 */
bool rs_round_trips_is_delayed(const struct rs_ctx *c, const struct rs_interval *wait);

/*
 * Was that wait, the last of its task that has ended, for the answer to what it has sent on that connection,
 * of which it is the client?
 */
bool rs_round_trips_asks(const struct rs_ctx *c, const struct rs_interval *wait,
			 const struct rs_socket *socket);

extern const struct rs_analysis rs_engine_round_trips;

#endif
