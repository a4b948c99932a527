// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usual-days - days and nights of the seconds of recordings, as a daemon that learns would see them
 *
 *	usual-days [-d DAYS] [-n TIMES] [-s SECONDS] [-v] HEALTHY... -- FAULT...
 *
 * DAYS (3) of healthy seconds are learned, a further one is judged: whatever is told in it is a false alarm.
 * Then each fault is dropped TIMES (8) at random times into further days: it is found if something begins to
 * be told in its first five seconds. Runs of healthy seconds follow one another at random, 10 to 60 at a time;
 * by night there is a fifth as much of everything, an hour is in between. The seed is fixed. Prints
 * name=number words; exit status 3: more than 2 false alarms, or fewer than 90 % found. -s: of each ten minutes
 * that are learned so many seconds alone, which is quicker. -v: what is told.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/recording.h"
#include "usual/log-scale.h"
#include "usual/usual-parts.h"
#include "usual/usual-reader.h"
#include "usual/usual-sources.h"

#define SECOND_NS UINT64_C(1000000000)
#define DAY_S 86400
#define FIRST_DAY_S (INT64_C(20000) * DAY_S)
#define SETTLES_S 600  /* between two faults, and up to three times as much */
#define FOUND_S 5
#define RUN_APART 15 /* seconds: no run begins with what the one before it ended with */
#define NIGHT 0.2
#define FALSE_ALARMS 2

/* What one series has in a second. */
struct sample {
	unsigned int source;
	char key[RS_SERIES_KEY];
	size_t key_bytes;
	bool can_be_slow, can_be_less, can_be_more;
	struct rs_short_dist dist;
};

struct second {
	struct sample *samples;
	size_t nr;
};

struct pool {
	const char *name;
	struct second *seconds;
	size_t nr;
	struct rs_usual_reader *reader;
	struct rs_usual *scratch;
	bool has_begun;
};

/* ---- recordings as seconds ---- */

static void pool_add(struct pool *p)
{
	const struct rs_usual *u = p->scratch;
	struct second *second;

	p->seconds = realloc(p->seconds, (p->nr + 1) * sizeof *p->seconds);
	second = &p->seconds[p->nr++];
	second->samples = calloc(u->nr_series + 1, sizeof *second->samples);
	second->nr = 0;
	for (size_t i = 0; i < u->nr_series; i++) {
		const struct rs_series *s = u->series[i];
		struct sample *to = &second->samples[second->nr];

		*to = (struct sample){ s->source, .key_bytes = s->key_bytes, .can_be_slow = s->can_be_slow,
				       .can_be_less = s->can_be_less, .can_be_more = s->can_be_more,
				       .dist = s->intervals[u->slot] };
		memcpy(to->key, s->key, s->key_bytes);
		second->nr += to->dist.nr || to->dist.nr_ended;
	}
}

/* The first and the last are not whole. */
static void pool_end_step(void *arg, struct rs_session *s, uint64_t from_ns, uint64_t to_ns)
{
	struct pool *p = arg;

	if (to_ns - from_ns < SECOND_NS * 9 / 10)
		return;
	rs_usual_forget(p->scratch);
	rs_usual_begin_interval(p->scratch);
	rs_usual_reader_add(p->reader, s, p->scratch);
	if (p->has_begun)
		pool_add(p);
	p->has_begun = true;
}

static void pool_fail(const char *path, const struct rs_error *err)
{
	fprintf(stderr, "usual-days: %s: %s\n", path, err->text);
	exit(1);
}

static void pool_read(struct pool *p, const char *path)
{
	struct rs_session_config config = { .step_ns = SECOND_NS, .end_step = pool_end_step, .step_arg = p };
	struct rs_error err = { 0 };
	struct rs_source *source = rs_tracedat_open(path, NULL, &err);
	struct rs_session *session;
	struct rs_view_ref ref;

	if (!source)
		pool_fail(path, &err);
	for (unsigned int i = 0; i < RS_USUAL_SOURCES && rs_usual_sources[i].view; i++)
		if (rs_requirements_find_view(rs_usual_sources[i].view, &ref, &err))
			config.analyses[config.nr_analyses++] = ref.analysis;
	p->name = path;
	p->has_begun = false;
	p->scratch = rs_usual_new(&err);
	p->reader = rs_usual_reader_new(&config, &err);
	session = rs_session_new(&config, &err);
	if (!p->reader || !session || rs_session_attach(session, source, &err) < 0)
		pool_fail(path, &err);
	while (rs_session_run(session, 10000, &err) == RS_RUN_MORE)
		;
	rs_session_end(session);
	rs_session_free(session);
	rs_usual_reader_free(p->reader);
	rs_usual_free(p->scratch);
	source->ops->close(source);
}

static void pool_free(struct pool *p)
{
	for (size_t i = 0; i < p->nr; i++)
		free(p->seconds[i].samples);
	free(p->seconds);
}

/* ---- days ---- */

static uint64_t seed = 88172645463325252ull;

static uint64_t random_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

struct days {
	struct rs_usual *usual;
	const struct pool *healthy;
	uint64_t now_ns;
	size_t at, left;             /* of the run of healthy seconds */
	unsigned int sparse;         /* seconds of each block */
	bool verbose;
};

/* 1 from 8 to 20 o'clock, less by night, an hour each between. */
static double days_load(const struct days *d)
{
	double hour = (double)(d->now_ns / SECOND_NS % DAY_S) / 3600, from_day = fabs(hour - 14) - 6;

	return from_day <= 0 ? 1 : from_day >= 1 ? NIGHT : 1 - (1 - NIGHT) * from_day;
}

/* So much of a number, the rest at random. */
static uint64_t days_part(uint64_t nr, double load)
{
	double part = (double)nr * load;
	uint64_t whole = (uint64_t)part;

	return whole + ((double)random_below(1 << 20) / (1 << 20) < part - (double)whole);
}

static void days_add_sample(struct days *d, const struct sample *s, double load)
{
	uint64_t sum = (uint64_t)((double)s->dist.sum * load);
	struct rs_usual_key key = { s->source, s->key, s->key_bytes, sum, s->can_be_slow, s->can_be_less,
				    s->can_be_more };
	struct rs_short_dist *to = rs_usual_get(d->usual, &key);

	if (!to)
		return;
	to->sum += sum;
	to->nr += days_part(s->dist.nr, load);
	for (uint32_t i = s->dist.first; i < s->dist.end; i++) {
		uint64_t nr = s->dist.steps[i] ? days_part(s->dist.steps[i], load) : 0;

		if (nr)
			rs_short_dist_add(to, rs_log_scale_middle(i, RS_SHORT_DIST_BITS), nr);
	}
}

static void days_run_second(struct days *d, const struct second *second)
{
	double load = days_load(d);
	struct rs_usual_interval interval = { d->now_ns, d->now_ns + SECOND_NS, (int64_t)(d->now_ns / SECOND_NS),
					      false };

	rs_usual_begin_interval(d->usual);
	for (size_t i = 0; i < second->nr; i++)
		days_add_sample(d, &second->samples[i], load);
	rs_usual_end_interval(d->usual, &interval);
	d->now_ns += SECOND_NS;
}

static void days_run(struct days *d, uint64_t seconds)
{
	for (uint64_t i = 0; i < seconds; i++) {
		uint64_t in_block = d->now_ns / SECOND_NS % RS_BLOCK_RING_SECONDS;

		if (in_block >= d->sparse) {
			d->now_ns += SECOND_NS;
			continue;
		}
		if (!d->left || d->at == d->healthy->nr) {
			d->left = 10 + random_below(51);
			d->at = (d->at + RUN_APART + random_below(d->healthy->nr - 2 * RUN_APART)) % d->healthy->nr;
		}
		days_run_second(d, &d->healthy->seconds[d->at++]);
		d->left--;
	}
}

static uint64_t days_nr_begun(const struct days *d)
{
	struct rs_usual_stats stats;

	rs_usual_stats(d->usual, &stats);
	return stats.nr_begun;
}

static void days_print(const struct days *d, const char *of, bool has_ended)
{
	struct rs_usual_item items[RS_USUAL_RECENT];
	size_t nr = (has_ended ? rs_usual_list_ended : rs_usual_list)(d->usual, items, RS_USUAL_RECENT);

	for (size_t i = 0; d->verbose && i < nr; i++) {
		struct rs_buf text = RS_BUF_INIT;
		uint64_t s = items[i].since_ns / SECOND_NS % DAY_S;

		rs_usual_put_sentence(&text, &items[i]);
		printf("%s: %02d:%02d:%02d %s\n", of, (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60), text.data);
		rs_buf_done(&text);
	}
}

/* After how many seconds something is told that was not before; 0: not in the first five. */
static unsigned int days_drop(struct days *d, const struct pool *fault)
{
	uint64_t begun = days_nr_begun(d);
	unsigned int found = 0;

	for (unsigned int i = 0; i < fault->nr; i++) {
		days_run_second(d, &fault->seconds[i]);
		if (!found && i < FOUND_S && days_nr_begun(d) > begun)
			found = i + 1;
	}
	days_print(d, fault->name, false);
	return found;
}

static unsigned int days_run_faults(struct days *d, const struct pool *faults, size_t nr, unsigned int times)
{
	unsigned int nr_found = 0;

	for (size_t f = 0; f < nr; f++) {
		unsigned int found = 0, sum_s = 0;

		for (unsigned int i = 0; i < times; i++) {
			unsigned int s;

			days_run(d, SETTLES_S + random_below(2 * SETTLES_S));
			s = days_drop(d, &faults[f]);
			found += s > 0;
			sum_s += s;
		}
		printf("fault=%s found=%u of=%u after_s=%.1f\n", faults[f].name, found, times,
		       found ? (double)sum_s / found : 0.0);
		nr_found += found;
	}
	return nr_found;
}

int main(int argc, char **argv)
{
	struct pool healthy = { 0 }, *faults = calloc((size_t)argc, sizeof *faults);
	struct days d = { .healthy = &healthy, .now_ns = (uint64_t)FIRST_DAY_S * SECOND_NS };
	unsigned int nr_days = 3, times = 8, sparse = RS_BLOCK_RING_SECONDS, nr_faults = 0, found;
	uint64_t before, alarms;
	struct rs_error err = { 0 };
	int opt;

	while ((opt = getopt(argc, argv, "+d:n:s:v")) >= 0) {
		nr_days = opt == 'd' ? (unsigned int)atoi(optarg) : nr_days;
		times = opt == 'n' ? (unsigned int)atoi(optarg) : times;
		sparse = opt == 's' ? (unsigned int)atoi(optarg) : sparse;
		d.verbose = d.verbose || opt == 'v';
	}
	for (; optind < argc && strcmp(argv[optind], "--"); optind++)
		pool_read(&healthy, argv[optind]);
	for (optind++; optind < argc; optind++)
		pool_read(&faults[nr_faults++], argv[optind]);
	d.usual = rs_usual_new(&err);
	if (healthy.nr <= 2 * RUN_APART || !d.usual) {
		fprintf(stderr, "usual-days: needs a healthy recording of half a minute at least\n");
		return 2;
	}
	d.sparse = sparse;
	days_run(&d, (uint64_t)nr_days * DAY_S);
	d.sparse = RS_BLOCK_RING_SECONDS;
	before = days_nr_begun(&d);
	days_run(&d, DAY_S);
	alarms = days_nr_begun(&d) - before;
	days_print(&d, "false", true);
	printf("healthy_s=%zu series=%zu days=%u while_learning=%llu false_alarms=%llu\n", healthy.nr,
	       d.usual->nr_series, nr_days, (unsigned long long)before, (unsigned long long)alarms);
	found = days_run_faults(&d, faults, nr_faults, times);
	printf("found=%u of=%u\n", found, nr_faults * times);
	for (unsigned int i = 0; i < nr_faults; i++)
		pool_free(&faults[i]);
	pool_free(&healthy);
	rs_usual_free(d.usual);
	free(faults);
	return alarms <= FALSE_ALARMS && found * 10 >= nr_faults * times * 9 ? 0 : 3;
}
