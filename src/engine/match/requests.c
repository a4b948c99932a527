// SPDX-License-Identifier: GPL-2.0-or-later
/* requests - block requests matched from insert over issue to completion, by SEMANTICS "Block" */
#include "engine/match/requests.h"

#include <stdio.h>
#include <stdlib.h>

#include "ringside/event.h"
#include "engine/internal.h"

/*
 * A request that waits for its issue began recently: search no further back. (-C hides issues: inserts pile
 * up.)
 */
#define MAX_MERGE_STEPS 4096
#define MAX_STACK_STEPS 64 /* a stack comes with its event: it is of one of the last */

void rs_dev_text(uint32_t dev, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%u,%u", dev >> 20, dev & 0xfffffu); /* as in the events' own print fmt */
}

struct rs_value rs_show_dev(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	rs_dev_text((uint32_t)g->keys[0], buf, RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

static struct rs_request_begun **requests_bucket_of(struct rs_requests *q, uint32_t dev, uint64_t sector)
{
	uint64_t h = rs_hash_u64(sector ^ (uint64_t)dev << 40);

	return &q->buckets[h >> 52 & (RS_NR_REQUEST_BUCKETS - 1)];
}

/* The sector that identifies a request: those without data have (dev, rwbs) instead. */
static uint64_t requests_key_sector(const struct rs_request_event *ev)
{
	return ev->nr_sectors ? ev->sector : 0;
}

static bool requests_belongs_to(const struct rs_request_begun *o, const struct rs_request_event *ev)
{
	if (o->r.dev != ev->dev || o->at_sector != requests_key_sector(ev) ||
	    !o->nr_sectors != !ev->nr_sectors)
		return false;
	return ev->nr_sectors || !strcmp(o->r.rwbs, ev->rwbs);
}

static void requests_unchain(struct rs_requests *q, struct rs_request_begun *o)
{
	struct rs_request_begun **at = requests_bucket_of(q, o->r.dev, o->at_sector);

	while (*at && *at != o)
		at = &(*at)->chain;
	if (*at)
		*at = o->chain;
}

static bool requests_is_discarded(const struct rs_requests *q, uint64_t from_ns, uint64_t to_ns)
{
	return rs_gaps_hit(q->gaps, from_ns, to_ns);
}

static bool requests_is_uncertain(const struct rs_requests *q, const struct rs_request_begun *o,
				  uint64_t now_ns)
{
	return requests_is_discarded(q, o->r.issue_ns ? o->r.issue_ns : o->r.begin_ns, now_ns);
}

static void requests_depth_down(struct rs_requests *q, struct rs_request_begun *o, uint64_t ts_ns)
{
	if (o->counted && !requests_is_discarded(q, o->r.issue_ns, ts_ns))
		q->on_depth(q->arg, o->r.dev, -1, ts_ns);
	o->counted = false;
}

static void requests_drop_request(struct rs_requests *q, struct rs_request_begun *o, uint64_t ts_ns)
{
	requests_depth_down(q, o, ts_ns);
	requests_unchain(q, o);
	*(o->older ? &o->older->newer : &q->oldest) = o->newer;
	*(o->newer ? &o->newer->older : &q->newest) = o->older;
	q->nr_open--;
	q->nr_waiting -= !o->r.issue_ns;
	o->chain = q->free;
	q->free = o;
}

/*
 * Real traces never have so many in one bucket: without a limit each event of a hostile file could walk all.
 */
static void requests_chain(struct rs_requests *q, struct rs_request_begun *o, uint64_t ts_ns)
{
	struct rs_request_begun **first = requests_bucket_of(q, o->r.dev, o->at_sector), **at = first;
	unsigned int nr = 0;

	for (; *at; at = &(*at)->chain)
		nr++;
	o->chain = NULL;
	*at = o;
	if (nr >= RS_MAX_CHAIN) {
		q->matcher.counts.evicted++;
		requests_drop_request(q, *first, ts_ns);
	}
}

static void requests_set_task(struct rs_request *r, const struct rs_request_event *ev)
{
	if (r->tid || !ev->task)
		return;
	r->tid = ev->task->tid;
	r->pid = ev->task->pid;
	memcpy(r->comm, ev->task->comm, sizeof r->comm);
	r->shown = ev->shown;
	r->file = ev->file;
}

static struct rs_bio *requests_bio_of(struct rs_requests *q, uint32_t dev, uint64_t sector)
{
	return &q->bios[rs_hash_u64(sector ^ (uint64_t)dev << 40) % RS_NR_BIOS];
}

/*
 * Fires in the context of the task that wants the data, before there is a request: a worker may issue it
 * later.
 */
void rs_requests_bio(struct rs_requests *q, const struct rs_request_event *ev)
{
	struct rs_bio *bio = requests_bio_of(q, ev->dev, ev->sector);

	if (!ev->task || !ev->nr_sectors)
		return;
	*bio = (struct rs_bio){ .sector = ev->sector, .ts_ns = ev->ts_ns, .dev = ev->dev,
				.tid = ev->task->tid };
	memcpy(bio->comm, ev->task->comm, sizeof bio->comm);
}

static void requests_take_bio(struct rs_requests *q, struct rs_request *r, const struct rs_request_event *ev)
{
	struct rs_bio *bio = requests_bio_of(q, ev->dev, ev->sector);

	if (!bio->tid || bio->dev != ev->dev || bio->sector != ev->sector)
		return;
	if (!requests_is_discarded(q, bio->ts_ns, ev->ts_ns)) {
		r->bio_tid = bio->tid;
		memcpy(r->bio_comm, bio->comm, sizeof r->bio_comm);
	}
	bio->tid = 0;
}

static struct rs_request_begun *requests_add(struct rs_requests *q, const struct rs_request_event *ev)
{
	struct rs_request_begun *o;

	if (q->nr_open >= RS_MAX_REQUESTS) {
		q->matcher.counts.evicted++;
		requests_drop_request(q, q->oldest, ev->ts_ns);
	}
	o = q->free;
	if (o)
		q->free = o->chain;
	else if (!(o = malloc(sizeof *o)))
		return NULL;
	*o = (struct rs_request_begun){
		.at_sector = requests_key_sector(ev), .nr_sectors = ev->nr_sectors, .older = q->newest,
		.r = { .begin_ns = ev->ts_ns, .dev = ev->dev, .sector = requests_key_sector(ev),
		       .shown = !ev->task && ev->shown },
	};
	memcpy(o->r.rwbs, ev->rwbs, sizeof o->r.rwbs);
	requests_take_bio(q, &o->r, ev);
	*(q->newest ? &q->newest->newer : &q->oldest) = o;
	q->newest = o;
	q->nr_open++;
	q->nr_waiting++;
	requests_chain(q, o, ev->ts_ns);
	return o;
}

/* Begun before a gap and not ended: its end may be lost, and its sector may belong to another request now. */
static bool requests_drop_if_discarded(struct rs_requests *q, struct rs_request_begun *o, uint64_t ts_ns)
{
	if (!requests_is_uncertain(q, o, ts_ns))
		return false;
	q->matcher.counts.discarded_begins++;
	requests_drop_request(q, o, ts_ns);
	return true;
}

/* The first request of that key that is not issued yet (for an insert: nor inserted); else a new one. */
static struct rs_request_begun *requests_find_waiting(struct rs_requests *q,
						      const struct rs_request_event *ev, bool inserted_too)
{
	struct rs_request_begun *o = *requests_bucket_of(q, ev->dev, requests_key_sector(ev)), *next;

	for (; o; o = next) {
		next = o->chain;
		if (!requests_belongs_to(o, ev) || requests_drop_if_discarded(q, o, ev->ts_ns))
			continue;
		if (!o->r.issue_ns && (inserted_too || !o->r.insert_ns))
			return o;
	}
	return requests_add(q, ev);
}

void rs_requests_start(struct rs_requests *q, const struct rs_request_event *ev)
{
	struct rs_request_begun *o;

	/* a flush as such is never issued: the kernel issues one of its own */
	if (!ev->nr_sectors)
		return;
	q->starts_seen = true;
	o = requests_add(q, ev);
	if (o)
		requests_set_task(&o->r, ev);
}

void rs_requests_insert(struct rs_requests *q, const struct rs_request_event *ev)
{
	struct rs_request_begun *o = requests_find_waiting(q, ev, false);

	if (!o)
		return;
	o->r.insert_ns = ev->ts_ns;
	o->nr_sectors = ev->nr_sectors;
	requests_set_task(&o->r, ev);
}

/* The sectors are untrusted: nothing may wrap around. */
static bool requests_lies_inside(const struct rs_request_begun *o, const struct rs_request_begun *issued)
{
	uint64_t offset = o->at_sector - issued->at_sector;

	if (o->r.dev != issued->r.dev || !o->nr_sectors || o->at_sector < issued->at_sector)
		return false;
	return offset <= issued->nr_sectors && o->nr_sectors <= issued->nr_sectors - offset;
}

/*
 * Requests inserted inside the issued one were merged into it. A front merge moves a request to before its
 * own insert: then the first of these inserts is its own, and that insert's task asked for it. Returns false
 * if loss makes one of them uncertain.
 */
static bool requests_swallow_merged(struct rs_requests *q, struct rs_request_begun *issued, uint64_t ts_ns)
{
	bool has_insert = issued->r.insert_ns, has_task = issued->r.tid;
	unsigned int left = q->nr_waiting, steps = 0;
	struct rs_request_begun *older;
	bool all_known = true;

	for (struct rs_request_begun *o = q->newest; o && left && steps++ < MAX_MERGE_STEPS; o = older) {
		older = o->older;
		if (o->r.issue_ns)
			continue;
		left--;
		if (!requests_lies_inside(o, issued)) {
			requests_drop_if_discarded(q, o, ts_ns);
			continue;
		}
		if (requests_drop_if_discarded(q, o, ts_ns)) {
			all_known = false;
			continue;
		}
		if (!has_insert && o->r.insert_ns)
			issued->r.insert_ns = o->r.insert_ns;
		if (!has_task && o->r.tid) {
			issued->r.tid = o->r.tid;
			issued->r.pid = o->r.pid;
			issued->r.shown = o->r.shown;
			memcpy(issued->r.comm, o->r.comm, sizeof issued->r.comm);
		}
		requests_drop_request(q, o, ts_ns);
	}
	return all_known;
}

/* Was its begin lost? Else its issuer has just created it: without a scheduler there is no insert. */
static bool requests_begin_is_lost(const struct rs_requests *q, const struct rs_request_event *ev)
{
	return q->starts_seen && ev->nr_sectors && rs_gaps_to_ns(q->gaps);
}

void rs_requests_issue(struct rs_requests *q, const struct rs_request_event *ev)
{
	uint64_t nr_discarded = q->matcher.counts.discarded_begins;
	struct rs_request_begun *o = requests_find_waiting(q, ev, true);
	bool known = q->matcher.counts.discarded_begins == nr_discarded;

	if (!o)
		return;
	if (!o->r.insert_ns && o->r.begin_ns == ev->ts_ns && requests_begin_is_lost(q, ev))
		known = false;
	o->r.issue_ns = ev->ts_ns;
	q->nr_waiting--;
	o->r.bytes = ev->bytes;
	o->nr_sectors = ev->nr_sectors;
	memcpy(o->r.rwbs, ev->rwbs, sizeof o->r.rwbs);
	if (ev->nr_sectors)
		known &= requests_swallow_merged(q, o, ev->ts_ns);
	if (known)
		requests_set_task(&o->r, ev);
	else if (!o->r.tid) /* not the issuer: that is often a kworker */
		o->r.shown = ev->shown_unnamed;
	if (ev->task) {
		o->r.issuer_tid = ev->task->tid;
		memcpy(o->r.issuer_comm, ev->task->comm, sizeof o->r.issuer_comm);
	}
	o->counted = ev->ts_ns >= rs_gaps_to_ns(q->gaps); /* else its completion may be in the gap */
	if (o->counted)
		q->on_depth(q->arg, ev->dev, +1, ev->ts_ns);
}

void rs_requests_set_stack(struct rs_requests *q, uint64_t ts_ns, uint32_t stack)
{
	struct rs_request_begun *o = q->newest;

	for (unsigned int steps = 0; o && steps < MAX_STACK_STEPS; o = o->older, steps++)
		if (o->r.begin_ns == ts_ns || o->r.insert_ns == ts_ns || o->r.issue_ns == ts_ns) {
			o->r.stack = o->r.stack && o->stack_ns != ts_ns ? o->r.stack : stack;
			o->stack_ns = ts_ns;
			return;
		}
}

/* First in, first out, but one of the same size comes first. */
static struct rs_request_begun *requests_find_issued(struct rs_requests *q, const struct rs_request_event *ev)
{
	struct rs_request_begun *first = NULL;

	for (struct rs_request_begun *o = *requests_bucket_of(q, ev->dev, requests_key_sector(ev)); o;
	     o = o->chain) {
		if (!o->r.issue_ns || !requests_belongs_to(o, ev))
			continue;
		if (o->nr_sectors == ev->nr_sectors)
			return o;
		first = first ? first : o;
	}
	return first;
}

void rs_requests_requeue(struct rs_requests *q, const struct rs_request_event *ev)
{
	struct rs_request_begun *o = requests_find_issued(q, ev);

	if (!o)
		return;
	requests_depth_down(q, o, ev->ts_ns);
	o->r.issue_ns = 0;
	q->nr_waiting++;
}

static void requests_notify(struct rs_requests *q, struct rs_request_begun *o, uint64_t ts_ns)
{
	struct rs_request *r = &o->r;

	r->complete_ns = ts_ns;
	r->discarded = requests_is_discarded(q, r->issue_ns, ts_ns);
	r->i2d_known = r->insert_ns && r->insert_ns <= r->issue_ns &&
		!requests_is_discarded(q, r->insert_ns, r->issue_ns);
	r->i2c_known = r->insert_ns && !requests_is_discarded(q, r->insert_ns, ts_ns);
	q->matcher.counts.discarded_begins += r->discarded;
	q->on_request(q->arg, r);
}

void rs_requests_complete(struct rs_requests *q, const struct rs_request_event *ev)
{
	struct rs_request_begun *o = requests_find_issued(q, ev);

	if (!o) {
		q->matcher.counts.unmatched_ends++;
		return;
	}
	if (ev->nr_sectors && ev->nr_sectors < o->nr_sectors) { /* a part: the device still has the rest */
		requests_unchain(q, o);
		o->at_sector += ev->nr_sectors;
		o->nr_sectors -= ev->nr_sectors;
		requests_chain(q, o, ev->ts_ns);
		return;
	}
	requests_notify(q, o, ev->ts_ns);
	requests_drop_request(q, o, ev->ts_ns);
}

struct rs_match_open rs_requests_count_open(const struct rs_session *s, const struct rs_matcher *m)
{
	struct rs_match_open open = { 0 };

	for (const struct rs_request_begun *o = s->requests.oldest; o; o = o->newer)
		++*(requests_is_uncertain(&s->requests, o, s->now_ns) ? &open.discarded : &open.in_flight);
	return open;
}

const struct rs_request *rs_request_next(const struct rs_ctx *c, const struct rs_request *after)
{
	const struct rs_requests *q = &c->session->requests;
	const struct rs_request_begun *o = q->oldest;

	if (after)
		o = ((const struct rs_request_begun *)(const void *)((const char *)after -
								     offsetof(struct rs_request_begun, r)))
			    ->newer;
	while (o && requests_is_uncertain(q, o, c->session->now_ns))
		o = o->newer;
	return o ? &o->r : NULL;
}

void rs_requests_done(struct rs_requests *q)
{
	struct rs_request_begun *next;

	for (; q->oldest; q->oldest = next) {
		next = q->oldest->newer;
		free(q->oldest);
	}
	for (; q->free; q->free = next) {
		next = q->free->chain;
		free(q->free);
	}
}
