// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * latency-time.c - the time range of the latency screens: live as much history as the user asks for, else the
 * app's time, or what the user zoomed to
 */
#include "tui/app/app.h"
#include "tui/latency/latency.h"

#define LIVE_NS 30000000000ull  /* initially: the window may have hours */
#define LEAST_NS 1000000000ull
#define ASKED_OF_EACH 40        /* refreshes while the shown time range passes, if that is longer */

struct latency_range {
	uint64_t from_ns, to_ns;
};

static bool latency_is_live_now(const struct rs_app *app)
{
	return app->live && app->time.now && app->now_ns;
}

static uint64_t latency_oldest_ns(const struct rs_app *app)
{
	uint64_t oldest_ns = rs_app_pin_oldest_ns(app);

	return oldest_ns < app->now_ns ? oldest_ns : 0;
}

static bool latency_is_zoomed(const struct rs_app *app, const struct rs_latency_of *of)
{
	const struct rs_shown_time *a = &of->zoom_time, *b = &app->time;

	return of->zoom_to_ns && a->now == b->now &&
	       (a->now || (a->from_ns == b->from_ns && a->to_ns == b->to_ns));
}

static struct latency_range latency_range_of(const struct rs_app *app, const struct rs_latency_of *of)
{
	uint64_t last_ns = of->last_ns ? of->last_ns : LIVE_NS, all_ns = app->now_ns - latency_oldest_ns(app);

	if (latency_is_zoomed(app, of))
		return (struct latency_range){ of->zoom_from_ns, of->zoom_to_ns };
	if (of->to_ns)
		return (struct latency_range){ of->from_ns, of->to_ns };
	return (struct latency_range){ app->now_ns - (last_ns < all_ns ? last_ns : all_ns), app->now_ns + 1 };
}

struct rs_asked_time rs_latency_asked_time(const struct rs_app *app, const struct rs_latency_of *of)
{
	struct latency_range range = latency_range_of(app, of);

	return latency_is_live_now(app) || latency_is_zoomed(app, of) ?
		       (struct rs_asked_time){ rs_u(range.from_ns), rs_u(range.to_ns) } :
		       rs_app_asked_time(app);
}

void rs_latency_put_range(const struct rs_app *app, const struct rs_latency_of *of, struct rs_buf *out)
{
	char length[RS_SCREEN_TEXT];
	struct latency_range range;

	if (!latency_is_live_now(app) && !latency_is_zoomed(app, of))
		return;
	range = latency_range_of(app, of);
	rs_screen_duration(range.to_ns - range.from_ns - !(of->to_ns || latency_is_zoomed(app, of)), length);
	if (of->to_ns || latency_is_zoomed(app, of)) {
		rs_buf_printf(out, " of %s from ", length);
		rs_app_moment(app, range.from_ns, out);
	} else {
		rs_buf_printf(out, range.from_ns == latency_oldest_ns(app) ? " of all %s" : " of the last %s",
			      length);
	}
}

bool rs_latency_is_due(const struct rs_app *app, const struct rs_latency_of *of, uint64_t *asked_ns)
{
	struct latency_range range = latency_range_of(app, of);
	uint64_t duration_ns = range.to_ns - range.from_ns;

	if (latency_is_live_now(app) && *asked_ns && app->now_ns >= *asked_ns &&
	    duration_ns > LIVE_NS + 1 &&
	    app->now_ns - *asked_ns < duration_ns / ASKED_OF_EACH)
		return false;
	*asked_ns = app->now_ns;
	return true;
}

/* Moves both ends outward by by_ns, within the available data. */
static void latency_widen(const struct rs_app *app, struct rs_latency_of *of, uint64_t by_ns)
{
	uint64_t room_ns = of->from_ns > latency_oldest_ns(app) ? of->from_ns - latency_oldest_ns(app) : 0;

	of->from_ns -= by_ns < room_ns ? by_ns : room_ns;
	of->to_ns = of->to_ns + by_ns < app->now_ns + 1 ? of->to_ns + by_ns : app->now_ns + 1;
}

bool rs_latency_lengthen(const struct rs_app *app, struct rs_latency_of *of, bool longer)
{
	struct latency_range range = latency_range_of(app, of);
	uint64_t duration_ns = range.to_ns - range.from_ns;

	if (!latency_is_live_now(app))
		return false;
	if (!longer && duration_ns < 2 * LEAST_NS)
		return true;
	if (!of->to_ns) {
		duration_ns = of->last_ns && of->last_ns < duration_ns ? of->last_ns : duration_ns - 1;
		of->last_ns = longer ? 2 * duration_ns : duration_ns / 2;
	} else if (longer) {
		latency_widen(app, of, duration_ns / 2);
	} else {
		of->from_ns += duration_ns / 4;
		of->to_ns -= duration_ns / 4;
	}
	return true;
}

bool rs_latency_unzoom(struct rs_latency_of *of)
{
	bool was = of->zoom_to_ns;

	of->zoom_from_ns = of->zoom_to_ns = 0;
	return was;
}

void rs_latency_zoom(const struct rs_app *app, struct rs_latency_of *of, const struct rs_axis *axis,
		     uint64_t at_ns, bool in)
{
	uint64_t width_ns = axis->cell_ns * axis->nr_cells, from_ns = axis->from_ns, most_from_ns, most_to_ns;
	uint64_t new_ns = in ? width_ns - width_ns / 3 : width_ns + width_ns / 2, before_ns;

	if (!width_ns || new_ns < axis->nr_cells || (!in && !latency_is_zoomed(app, of)))
		return;
	before_ns = at_ns > from_ns ? at_ns - from_ns : 0;
	before_ns = (uint64_t)((unsigned __int128)before_ns * new_ns / width_ns);
	rs_app_time_bounds(app, &app->time, &most_from_ns, &most_to_ns);
	if (most_from_ns < latency_oldest_ns(app))
		most_from_ns = latency_oldest_ns(app);
	from_ns = at_ns > before_ns && at_ns - before_ns > most_from_ns ? at_ns - before_ns : most_from_ns;
	if (from_ns + new_ns >= most_to_ns)
		from_ns = most_to_ns - most_from_ns > new_ns ? most_to_ns - new_ns : most_from_ns;
	rs_latency_unzoom(of);
	if (!in && new_ns >= most_to_ns - most_from_ns)
		return;
	of->zoom_from_ns = from_ns;
	of->zoom_to_ns = from_ns + new_ns < most_to_ns ? from_ns + new_ns : most_to_ns;
	of->zoom_time = app->time;
}

void rs_latency_cover(const struct rs_app *app, struct rs_latency_of *of, uint64_t from_ns, uint64_t to_ns)
{
	if (!latency_is_live_now(app))
		return;
	if (to_ns >= app->now_ns || app->now_ns - to_ns < LIVE_NS / 2) {
		of->last_ns = app->now_ns > from_ns && app->now_ns - from_ns > LIVE_NS ?
				      app->now_ns - from_ns :
				      0;
		return;
	}
	of->from_ns = from_ns > latency_oldest_ns(app) ? from_ns : latency_oldest_ns(app);
	of->to_ns = to_ns > of->from_ns ? to_ns : of->from_ns + 1;
	if (of->to_ns - of->from_ns < LIVE_NS)
		latency_widen(app, of, (LIVE_NS - (of->to_ns - of->from_ns)) / 2);
}
