// SPDX-License-Identifier: GPL-2.0-or-later
/* latency-time.c - the time range of the latency screens: live, as much history as the user asks for */
#include "tui/toolkit/app.h"
#include "tui/latency/latency.h"

#define LIVE_NS 30000000000ull  /* initially: the window may have hours */
#define LEAST_NS 1000000000ull
#define ASKED_OF_EACH 40        /* refreshes while the shown time range passes, if that is longer */

struct latency_range {
	uint64_t from_ns, to_ns;
};

static bool latency_time_is_live_now(const struct rs_app *app)
{
	return app->live && app->time.now && app->now_ns;
}

static uint64_t oldest_ns(const struct rs_app *app)
{
	return app->oldest_ns < app->now_ns ? app->oldest_ns : 0;
}

static struct latency_range latency_time_range(const struct rs_app *app, const struct rs_latency_of *of)
{
	uint64_t last_ns = of->last_ns ? of->last_ns : LIVE_NS, all_ns = app->now_ns - oldest_ns(app);

	if (of->to_ns)
		return (struct latency_range){ of->from_ns, of->to_ns };
	return (struct latency_range){ app->now_ns - (last_ns < all_ns ? last_ns : all_ns), app->now_ns + 1 };
}

struct rs_asked_time rs_latency_asked_time(const struct rs_app *app, const struct rs_latency_of *of)
{
	struct latency_range range = latency_time_range(app, of);

	return latency_time_is_live_now(app) ? (struct rs_asked_time){ rs_u(range.from_ns), rs_u(range.to_ns) } : rs_app_asked_time(app);
}

void rs_latency_put_range(const struct rs_app *app, const struct rs_latency_of *of, struct rs_buf *out)
{
	char length[48];
	struct latency_range range;

	if (!latency_time_is_live_now(app))
		return;
	range = latency_time_range(app, of);
	rs_axis_length(range.to_ns - range.from_ns - !of->to_ns, length);
	if (of->to_ns) {
		rs_buf_printf(out, " of %s from ", length);
		rs_app_moment(app, range.from_ns, out);
	} else {
		rs_buf_printf(out, range.from_ns == oldest_ns(app) ? " of all %s" : " of the last %s", length);
	}
}

bool rs_latency_is_due(const struct rs_app *app, const struct rs_latency_of *of, uint64_t *asked_ns)
{
	struct latency_range range = latency_time_range(app, of);
	uint64_t duration_ns = range.to_ns - range.from_ns;

	if (latency_time_is_live_now(app) && *asked_ns && app->now_ns >= *asked_ns &&
	    duration_ns > LIVE_NS + 1 &&
	    app->now_ns - *asked_ns < duration_ns / ASKED_OF_EACH)
		return false;
	*asked_ns = app->now_ns;
	return true;
}

/* Moves both ends outward by by_ns, within the available data. */
static void widen(const struct rs_app *app, struct rs_latency_of *of, uint64_t by_ns)
{
	uint64_t room_ns = of->from_ns > oldest_ns(app) ? of->from_ns - oldest_ns(app) : 0;

	of->from_ns -= by_ns < room_ns ? by_ns : room_ns;
	of->to_ns = of->to_ns + by_ns < app->now_ns + 1 ? of->to_ns + by_ns : app->now_ns + 1;
}

bool rs_latency_zoom(const struct rs_app *app, struct rs_latency_of *of, bool longer)
{
	struct latency_range range = latency_time_range(app, of);
	uint64_t duration_ns = range.to_ns - range.from_ns;

	if (!latency_time_is_live_now(app))
		return false;
	if (!longer && duration_ns < 2 * LEAST_NS)
		return true;
	if (!of->to_ns) {
		duration_ns = of->last_ns && of->last_ns < duration_ns ? of->last_ns : duration_ns - 1;
		of->last_ns = longer ? 2 * duration_ns : duration_ns / 2;
	} else if (longer) {
		widen(app, of, duration_ns / 2);
	} else {
		of->from_ns += duration_ns / 4;
		of->to_ns -= duration_ns / 4;
	}
	return true;
}

void rs_latency_cover(const struct rs_app *app, struct rs_latency_of *of, uint64_t from_ns, uint64_t to_ns)
{
	if (!latency_time_is_live_now(app))
		return;
	if (to_ns >= app->now_ns || app->now_ns - to_ns < LIVE_NS / 2) {
		of->last_ns = app->now_ns > from_ns && app->now_ns - from_ns > LIVE_NS ? app->now_ns - from_ns : 0;
		return;
	}
	of->from_ns = from_ns > oldest_ns(app) ? from_ns : oldest_ns(app);
	of->to_ns = to_ns > of->from_ns ? to_ns : of->from_ns + 1;
	if (of->to_ns - of->from_ns < LIVE_NS)
		widen(app, of, (LIVE_NS - (of->to_ns - of->from_ns)) / 2);
}
