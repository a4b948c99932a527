// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-speed - what it costs to emit a span and to ask for a window, as name=number words
 *
 *	timeline-speed [MIB [SPANS [TRACKS]]]     256 5000000 200
 *
 * Seven of eight spans go to a hundredth of the tracks; one in a thousand is long.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/timeline.h"

static struct rs_timeline *tl;
static uint64_t seed = 88172645463325252ull;

static uint64_t random_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t emit(uint64_t nr, uint64_t nr_tracks)
{
	uint64_t begin_ns = now_ns(), few = nr_tracks / 100 + 1;

	for (uint64_t i = 1; i <= nr; i++) {
		uint64_t r = random_below(1 << 30), id = r & 7 ? r % few : (r >> 3) % nr_tracks, length_ns = r >> 20;
		struct rs_timeline_span s = { .end_ns = i * 200, .kind = (uint16_t)(r & 3), .arg = i };

		if (r % 1000 == 7)
			length_ns = r % (i * 100);
		s.start_ns = s.end_ns > length_ns ? s.end_ns - length_ns : 0;
		rs_timeline_add_span(tl, rs_timeline_track(tl, 0, id), &s);
	}
	return now_ns() - begin_ns;
}

static bool count(void *arg, const struct rs_timeline_span *s)
{
	++*(uint64_t *)arg;
	return true;
}

/* Windows of a fixed width at random places of the busiest track, from which time on all is there. */
static void ask(const char *name, uint64_t from_ns, uint64_t to_ns, uint64_t width_ns,
		uint64_t min_duration_ns)
{
	uint32_t track = rs_timeline_find(tl, 0, 0);
	uint64_t nr_asked = 2000, nr_found = 0, begin_ns = now_ns();

	for (uint64_t i = 0; i < nr_asked; i++) {
		struct rs_timeline_range r = { .min_duration_ns = min_duration_ns };

		r.from_ns = from_ns + random_below(to_ns - from_ns);
		r.to_ns = r.from_ns + width_ns;
		rs_timeline_query(tl, track, &r, count, &nr_found);
	}
	printf("%s_ns=%lu %s_found=%.1f\n", name, (now_ns() - begin_ns) / nr_asked, name,
	       (double)nr_found / (double)nr_asked);
}

static void next(uint64_t from_ns, uint64_t to_ns)
{
	uint32_t track = rs_timeline_find(tl, 0, 0);
	uint64_t nr_asked = 2000, begin_ns = now_ns();
	struct rs_timeline_span s;

	for (uint64_t i = 0; i < nr_asked; i++) {
		s.end_ns = s.start_ns = from_ns + random_below(to_ns - from_ns);
		rs_timeline_nearest(tl, track, false, &s, 10000, NULL, NULL, &s);
	}
	printf("next_ns=%lu\n", (now_ns() - begin_ns) / nr_asked);
}

int main(int argc, char **argv)
{
	size_t mib = argc > 1 ? strtoul(argv[1], NULL, 0) : 256;
	uint64_t nr = argc > 2 ? strtoul(argv[2], NULL, 0) : 5000000;
	uint64_t nr_tracks = argc > 3 ? strtoul(argv[3], NULL, 0) : 200;
	uint64_t took_ns, begin_ns = now_ns();
	struct rs_timeline_stats stats;
	struct rs_error err = { 0 };

	tl = rs_timeline_new(mib << 20, 0, &err);
	if (!tl || !nr || !nr_tracks) {
		fprintf(stderr, "timeline-speed: %s\n", *err.text ? err.text : "wrong numbers");
		return 1;
	}
	printf("make_ms=%lu\n", (now_ns() - begin_ns) / 1000000);
	took_ns = emit(nr, nr_tracks);
	rs_timeline_stats(tl, &stats);
	printf("lay_ns=%.1f spans=%lu evicted=%lu\n", (double)took_ns / (double)nr, stats.nr_spans, stats.nr_evicted);
	ask("narrow", stats.whole_after_ns, nr * 200, 10000, 0);
	ask("screen", stats.whole_after_ns, nr * 200, 1000000, 0);
	ask("hour", stats.whole_after_ns, nr * 200, nr * 100, 5000000);
	next(stats.whole_after_ns, nr * 200);
	rs_timeline_free(tl);
	return 0;
}
