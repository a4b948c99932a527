// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * window-pins.c - pages of a window that stay while a client looks at their time
 *
 * A pin is a range of places. When the window's `first` comes to it, its records are passed by and not
 * evicted, and when the ring comes round, new records are put behind it.
 */
#include "source/window-parts.h"

#define WINDOW_PINS_PART 2 /* of the window: half */
/*
 * A page that began longer ago than this before a time has no event of it, mostly: a CPU that is so quiet has
 * its last page far back in the ring, and all pages of the others since then would be pinned with it.
 */
#define WINDOW_PINS_QUIET_NS 1000000000ull

static void pins_lock(const struct rs_window *w)
{
	pthread_mutex_lock((pthread_mutex_t *)(uintptr_t)&w->lock);
}

static void pins_unlock(const struct rs_window *w)
{
	pthread_mutex_unlock((pthread_mutex_t *)(uintptr_t)&w->lock);
}

/* ---- for window.c ---- */

bool rs_window_pins_hold(const struct rs_window *w, uint64_t place)
{
	for (const struct rs_window_pinned *p = w->pins; p < w->pins + w->nr_pins; p++)
		if (place >= p->from_place && place < p->to_place)
			return true;
	return false;
}

bool rs_window_pins_cover(const struct rs_window *w, uint64_t from_ns, uint64_t to_ns)
{
	for (const struct rs_window_pinned *p = w->pins; p < w->pins + w->nr_pins; p++)
		if (from_ns >= p->from_ns && to_ns <= p->to_ns)
			return true;
	return false;
}

uint64_t rs_window_pins_skip(const struct rs_window *w, uint64_t place, size_t bytes)
{
	uint64_t size = w->stats.size_bytes;

	for (const struct rs_window_pinned *p = w->pins; p < w->pins + w->nr_pins; p++) {
		uint64_t pinned_bytes = p->to_place - p->from_place, into = (place - p->from_place) % size;

		if (into < pinned_bytes)
			place += pinned_bytes - into;
		else if (into + bytes > size) /* it would end in the pin */
			place += size - into + pinned_bytes;
	}
	return place;
}

/* ---- which places have a time ---- */

/*
 * Returns the first place with events of from_ns or later, UINT64_MAX if there is none. Not of CPUs that are
 * quiet then, unless .quiet.
 */
static uint64_t pins_first_place(const struct rs_window *w, uint64_t from_ns, bool quiet)
{
	uint64_t first = UINT64_MAX, place;

	for (unsigned int cpu = 0; cpu < w->nr_cpus; cpu++) {
		place = from_ns ? rs_window_find(w, cpu, from_ns - 1) : 0;
		if (!place)
			place = w->cpus[cpu].head[0];
		if (place && !quiet && rs_window_at(w, place)->begin_ns + WINDOW_PINS_QUIET_NS < from_ns)
			place = rs_window_at(w, place)->next[0];
		if (place && place < first)
			first = place;
	}
	return first;
}

/* Returns the place behind the pages with events of to_ns or earlier; 0: there are none. */
static uint64_t pins_behind_place(const struct rs_window *w, uint64_t to_ns)
{
	uint64_t behind = 0;

	for (unsigned int cpu = 0; cpu < w->nr_cpus; cpu++) {
		uint64_t place = rs_window_find(w, cpu, to_ns);
		const struct rs_window_record *r = place ? rs_window_at(w, place) : NULL;

		if (r && place + rs_window_record_bytes(r->nr_levels, r->len_bytes) > behind)
			behind = place + rs_window_record_bytes(r->nr_levels, r->len_bytes);
	}
	return behind;
}

/* Returns the place from which on all records up to `behind` are still there. */
static uint64_t pins_whole_from(const struct rs_window *w, uint64_t behind)
{
	uint64_t from = behind > w->first ? w->first : behind, before;

	do {
		before = from;
		for (const struct rs_window_pinned *p = w->pins; p < w->pins + w->nr_pins; p++)
			if (p->from_place < from && p->to_place >= from)
				from = p->from_place;
	} while (from != before);
	return from;
}

/* Returns up to when all pages with events are pinned where that one is. */
static uint64_t pins_last_ns(const struct rs_window *w, uint64_t place)
{
	uint64_t last_ns = 0;

	for (const struct rs_window_pinned *p = w->pins; p < w->pins + w->nr_pins; p++)
		if (place >= p->from_place && place < p->to_place && p->to_ns > last_ns)
			last_ns = p->to_ns;
	return last_ns;
}

/* Returns the earliest time from p->from_ns on that begins at that place or later; UINT64_MAX: none does. */
static uint64_t pins_earliest(const struct rs_window *w, const struct rs_window_pinned *p, uint64_t place)
{
	uint64_t from_ns = p->from_ns, to_ns = p->to_ns;

	if (pins_first_place(w, to_ns, false) < place)
		return UINT64_MAX;
	while (from_ns < to_ns) {
		uint64_t mid_ns = from_ns + (to_ns - from_ns) / 2;

		if (pins_first_place(w, mid_ns, false) >= place)
			to_ns = mid_ns;
		else
			from_ns = mid_ns + 1;
	}
	return from_ns;
}

static uint64_t pins_bytes(const struct rs_window_pinned *p)
{
	return p->to_place - p->from_place;
}

/* Moves the begin of p to the earliest that is at least_place or later. Returns false if none is. */
static bool pins_begin_at(const struct rs_window *w, struct rs_window_pinned *p, uint64_t least_place)
{
	p->from_place = pins_first_place(w, p->from_ns, true);
	if (p->from_place >= least_place && p->from_place < p->to_place)
		return true;
	p->from_ns = pins_earliest(w, p, least_place);
	if (p->from_ns == UINT64_MAX)
		return false;
	p->from_place = pins_first_place(w, p->from_ns, false);
	return p->from_place < p->to_place;
}

/*
 * Sets the places of p, and moves its times to what is there, and its begin to what takes at most max_bytes.
 * Returns false if nothing does.
 */
static bool pins_fit(const struct rs_window *w, struct rs_window_pinned *p, uint64_t max_bytes)
{
	uint64_t least, last_ns;

	p->to_place = pins_behind_place(w, p->to_ns);
	if (!p->to_place)
		return false;
	if (p->to_place <= w->first) { /* all in pins: it cannot go on behind them */
		last_ns = pins_last_ns(w, p->to_place - 1);
		p->to_ns = last_ns < p->to_ns ? last_ns : p->to_ns;
	}
	least = pins_whole_from(w, p->to_place);
	if (p->to_place - least > max_bytes)
		least = p->to_place - max_bytes;
	return p->from_ns <= p->to_ns && pins_begin_at(w, p, least);
}

/* ---- what is no longer pinned ---- */

/* Unlinks, at one level, the records before `first` that no pin has. */
static void pins_release_level(struct rs_window *w, struct rs_window_cpu *c, unsigned int level)
{
	uint64_t *link = &c->head[level], place = *link;

	c->held[level] = 0;
	for (; place && place < w->first; place = rs_window_at(w, place)->next[level]) {
		if (rs_window_pins_hold(w, place)) {
			*link = c->held[level] = place;
			link = &rs_window_at(w, place)->next[level];
		} else if (!level) {
			w->stats.nr_evicted++;
		}
	}
	*link = place;
	if (!place)
		c->tail[level] = c->held[level];
}

static void pins_release(struct rs_window *w)
{
	for (unsigned int cpu = 0; cpu < w->nr_cpus; cpu++)
		for (unsigned int level = 0; level < RS_WINDOW_LEVELS; level++)
			pins_release_level(w, &w->cpus[cpu], level);
}

static struct rs_window_pinned *pins_of(struct rs_window *w, uint32_t client)
{
	for (unsigned int i = 0; i < w->nr_pins; i++)
		if (w->pins[i].client == client)
			return &w->pins[i];
	return NULL;
}

static void pins_remove(struct rs_window *w, struct rs_window_pinned *p)
{
	*p = w->pins[--w->nr_pins];
}

/* ---- how much each may have ---- */

/* One client's part: all users that have pins get the same, and so do the clients of a user. */
static uint64_t pins_share(const struct rs_window *w, uint32_t uid)
{
	unsigned int nr_users = 0, nr_own = 0;

	for (unsigned int i = 0; i < w->nr_pins; i++) {
		unsigned int before = 0;

		while (before < i && w->pins[before].uid != w->pins[i].uid)
			before++;
		nr_users += before == i;
		nr_own += w->pins[i].uid == uid;
	}
	return w->stats.size_bytes / WINDOW_PINS_PART / (nr_users ? nr_users : 1) / (nr_own ? nr_own : 1);
}

/* Returns what the pins of the other clients leave. */
static uint64_t pins_left(const struct rs_window *w, uint32_t client)
{
	uint64_t left = w->stats.size_bytes / WINDOW_PINS_PART;

	for (const struct rs_window_pinned *p = w->pins; p < w->pins + w->nr_pins; p++)
		if (p->client != client)
			left -= pins_bytes(p) < left ? pins_bytes(p) : left;
	return left;
}

/* Shortens the pins of other clients that have more than their share; one of which nothing is left goes. */
static void pins_shorten_others(struct rs_window *w, uint32_t client)
{
	for (unsigned int i = w->nr_pins; i-- > 0;) {
		struct rs_window_pinned *p = &w->pins[i];
		uint64_t share = pins_share(w, p->uid);

		if (p->client != client && pins_bytes(p) > share &&
		    !pins_begin_at(w, p, p->to_place - share))
			pins_remove(w, p);
	}
}

/* Between pins and the ring's end must be room for a page, wherever they are. */
static bool pins_leave_room(const struct rs_window *w)
{
	size_t most = rs_window_record_bytes(RS_WINDOW_LEVELS, w->page_bytes);

	return w->nr_pins < RS_WINDOW_MAX_PINS &&
	       (w->stats.size_bytes - w->stats.size_bytes / WINDOW_PINS_PART) / (w->nr_pins + 3) >= most;
}

static int pins_set(struct rs_window *w, struct rs_window_pinned *p, struct rs_error *err)
{
	struct rs_window_pinned *own = pins_of(w, p->client);

	if (!own && !pins_leave_room(w))
		return rs_fail(err, "the window is too small to pin a part of it (choose a larger --window)");
	if (!own) {
		own = &w->pins[w->nr_pins++]; /* it counts for the shares */
		*own = (struct rs_window_pinned){ .client = p->client, .uid = p->uid };
	}
	if (!pins_fit(w, p, UINT64_MAX)) {
		pins_remove(w, own);
		return rs_fail(err, "nothing of that time is kept any more");
	}
	if (pins_bytes(p) > pins_left(w, p->client)) {
		pins_shorten_others(w, p->client);
		own = pins_of(w, p->client);
	}
	if (pins_bytes(p) > pins_left(w, p->client) && !pins_fit(w, p, pins_left(w, p->client))) {
		pins_remove(w, own);
		return rs_fail(err, "no part of that time fits in what the window has for pins "
			       "(choose a larger --window)");
	}
	*own = *p;
	return 0;
}

/* ---- the calls ---- */

static struct rs_window_pin pins_public(const struct rs_window_pinned *p)
{
	return (struct rs_window_pin){ p->client, p->uid, p->from_ns, p->to_ns, pins_bytes(p) };
}

int rs_window_pins_set(struct rs_window *w, struct rs_window_pin *pin, struct rs_error *err)
{
	struct rs_window_pinned p = {
		.client = pin->client, .uid = pin->uid, .from_ns = pin->from_ns, .to_ns = pin->to_ns,
	};
	int ret;

	pins_lock(w);
	ret = pins_set(w, &p, err);
	pins_release(w);
	pins_unlock(w);
	if (ret == 0)
		*pin = pins_public(&p);
	return ret;
}

void rs_window_pins_clear(struct rs_window *w, uint32_t client)
{
	struct rs_window_pinned *p;

	pins_lock(w);
	p = pins_of(w, client);
	if (p) {
		pins_remove(w, p);
		pins_release(w);
	}
	pins_unlock(w);
}

bool rs_window_pins_find(const struct rs_window *w, uint32_t client, struct rs_window_pin *pin)
{
	bool found = false;

	pins_lock(w);
	for (const struct rs_window_pinned *p = w->pins; p < w->pins + w->nr_pins && !found; p++)
		if (p->client == client) {
			*pin = pins_public(p);
			found = true;
		}
	pins_unlock(w);
	return found;
}

bool rs_window_pins_bounds(const struct rs_window *w, uint64_t *from_ns, uint64_t *to_ns)
{
	bool any;

	*from_ns = UINT64_MAX;
	*to_ns = 0;
	pins_lock(w);
	any = w->nr_pins;
	for (const struct rs_window_pinned *p = w->pins; p < w->pins + w->nr_pins; p++) {
		if (p->from_ns < *from_ns)
			*from_ns = p->from_ns;
		if (p->to_ns > *to_ns)
			*to_ns = p->to_ns;
	}
	pins_unlock(w);
	return any;
}

bool rs_window_pins_touch(const struct rs_window *w, uint64_t from_ns, uint64_t to_ns)
{
	bool found = false;

	pins_lock(w);
	for (const struct rs_window_pinned *p = w->pins; p < w->pins + w->nr_pins && !found; p++)
		found = p->from_ns <= to_ns && from_ns <= p->to_ns;
	pins_unlock(w);
	return found;
}

uint64_t rs_window_pins_oldest_ns(const struct rs_window *w)
{
	struct rs_window_stats stats;
	uint64_t from_ns, to_ns;

	rs_window_stats(w, &stats);
	rs_window_pins_bounds(w, &from_ns, &to_ns);
	return from_ns < stats.whole_after_ns ? from_ns : stats.whole_after_ns;
}

uint64_t rs_window_pins_estimate(const struct rs_window *w, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t behind, first, bytes;

	pins_lock(w);
	behind = pins_behind_place(w, to_ns);
	first = pins_first_place(w, from_ns, false);
	pins_unlock(w);
	bytes = behind > first ? behind - first : 0;
	return bytes < w->stats.size_bytes ? bytes : w->stats.size_bytes;
}
