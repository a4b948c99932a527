// SPDX-License-Identifier: GPL-2.0-or-later
/* time-range - analyzes a time range again: a part of a window or of a file, in a separate session */
#include "query/time-range.h"

#include <stdlib.h>

#include "base/log.h"
#include "decode/time-range-source.h"
#include "stacks/sample-window.h"

#define TIME_RANGE_EVENTS_PER_BATCH 10000
#define NAMES_BYTES (64ull << 20) /* limit for the search of names */
#define SOON_EVICTED_PART 16            /* the part of a moving window that is not read: 1/16 */

/*
 * The oldest pages are overwritten next: a reader that begins there is overtaken before its second page.
 * Before the first eviction nothing is about to be overwritten.
 */
static uint64_t begin_ns_of(const struct rs_time_range_source_config *origin,
			    const struct rs_time_range_config *config)
{
	struct rs_window_stats stats;

	if (!origin->window)
		return 0;
	if (config->first_ns)
		return config->first_ns;
	rs_window_stats(origin->window, &stats);
	if (!stats.nr_evicted)
		return 0;
	return stats.whole_after_ns + 1 + (stats.latest_ns - stats.whole_after_ns) / SOON_EVICTED_PART;
}

/* ---- the pages ---- */

static struct rs_source *time_range_open_file(const struct rs_time_range_source_config *origin,
					      uint64_t begin_ns, uint64_t behind_ns, struct rs_error *err)
{
	struct rs_source *source = NULL;

	if (origin->of->ops->again)
		source = origin->of->ops->again(origin->of, err);
	else
		rs_fail(err, "this source cannot be read again");
	/* if it cannot seek, earlier events are read and dropped */
	if (source && source->ops->seek && source->ops->seek(source, begin_ns, behind_ns, err) < 0) {
		source->ops->close(source);
		return NULL;
	}
	return source;
}

/*
 * Moves *from_ns to the first available data, and sets where reading begins. Returns false if all of it has
 * expired.
 */
static bool time_range_find_begin(const struct rs_time_range_source_config *origin,
				  const struct rs_time_range_config *config, uint64_t *from_ns,
				  uint64_t *begin_ns)
{
	uint64_t first_ns = begin_ns_of(origin, config), to_ns = config->session.to_ns;

	*from_ns = config->session.from_ns > first_ns ? config->session.from_ns : first_ns;
	*begin_ns = *from_ns > config->before_ns ? *from_ns - config->before_ns : 0;
	if (*begin_ns < first_ns)
		*begin_ns = first_ns;
	return !to_ns || *from_ns <= to_ns;
}

static uint64_t bytes_left(struct rs_source *source)
{
	uint64_t nr = 0;

	for (unsigned int cpu = 0; source->ops->left && cpu < source->info.nr_cpus; cpu++)
		nr += source->ops->left(source, cpu);
	return nr * source->info.page_bytes;
}

static struct rs_source *open_pages(const struct rs_time_range_source_config *origin,
				    const struct rs_time_range_config *config, uint64_t begin_ns,
				    struct rs_error *err)
{
	uint64_t to_ns = config->session.to_ns ? config->session.to_ns : UINT64_MAX;
	uint64_t behind_ns = to_ns == UINT64_MAX ? to_ns : to_ns + 1;
	struct rs_source *source = origin->window ? rs_window_open(origin->window, origin->of, begin_ns,
								   behind_ns, RS_WINDOW_LOSS_IS_GAP, err) :
						    time_range_open_file(origin, begin_ns, behind_ns, err);

	if (source && origin->window && origin->of->sample_window)
		source->samples = rs_sample_window_open(origin->of->sample_window);
	else if (source && origin->window)
		source->no_samples = origin->of->no_samples ?
					     origin->of->no_samples :
					     "nothing here samples the CPUs (start it with -a profile)";
	/* without exact the page behind the end stays: it tells the session that the end was reached */
	source = source ? rs_time_range_source_open(source, begin_ns, config->exact ? to_ns : UINT64_MAX, err)
		: NULL;
	if (source && config->snapshot) {
		source->info.snapshot = config->snapshot;
		source->info.nr_initial = config->nr_initial;
	}
	if (source && config->nr_cgroup_rows) {
		source->info.cgroup_rows = config->cgroup_rows;
		source->info.nr_cgroup_rows = config->nr_cgroup_rows;
		source->info.cgroup_rows_of_range = true;
		source->info.pressure = config->pressure;
		source->info.nr_pressure = config->nr_pressure;
	}
	if (source && config->fd_sockets) {
		source->info.fd_sockets = config->fd_sockets;
		source->info.nr_fd_sockets = config->nr_fd_sockets;
	}
	return source;
}

/*
 * Operations in flight at from_ns may have begun at any time: if the data before it is small, reads all of
 * it.
 */
static struct rs_source *open_from_first(const struct rs_time_range_source_config *origin,
					 const struct rs_time_range_config *config)
{
	struct rs_error ignored = { 0 };
	struct rs_source *source = config->before_bytes ?
					   open_pages(origin, config, begin_ns_of(origin, config),
						      &ignored) :
					   NULL;

	if (!source || bytes_left(source) <= config->before_bytes)
		return source;
	source->ops->close(source);
	return NULL;
}

static struct rs_source *open_source(const struct rs_time_range_source_config *origin,
				     const struct rs_time_range_config *config, uint64_t *from_ns,
				     enum rs_time_range_why *why, struct rs_error *err)
{
	struct rs_source *source;
	uint64_t begin_ns, bytes;

	*why = RS_TIME_RANGE_EXPIRED;
	if (!time_range_find_begin(origin, config, from_ns, &begin_ns)) {
		rs_fail(err,
			"nothing of that time is kept any more (choose a later one, or a larger --window)");
		return NULL;
	}
	*why = RS_TIME_RANGE_FAILED;
	source = open_from_first(origin, config);
	if (!source)
		source = open_pages(origin, config, begin_ns, err);
	bytes = source ? bytes_left(source) : 0;
	if (!config->max_bytes || bytes <= config->max_bytes)
		return source;
	*why = RS_TIME_RANGE_EXPENSIVE;
	rs_fail(err,
		"%llu MiB of events lie in that time, and at most %llu are read at once (ask for a shorter "
		"time)",
		(unsigned long long)(bytes >> 20), (unsigned long long)(config->max_bytes >> 20));
	source->ops->close(source);
	return NULL;
}

struct rs_source *rs_time_range_source(const struct rs_time_range_source_config *origin,
				       const struct rs_time_range_config *config, enum rs_time_range_why *why,
				       struct rs_error *err)
{
	uint64_t from_ns;

	return open_source(origin, config, &from_ns, why, err);
}

/* ---- the session ---- */

/* Names are optional: if they cannot be searched, those of the initial task snapshot are used. */
static void open_ahead(struct rs_time_range *st, const struct rs_time_range_source_config *origin,
		       const struct rs_time_range_config *config, struct rs_session_config *session)
{
	struct rs_error ignored = { 0 };
	enum rs_time_range_why why;
	uint64_t from_ns;

	if (config->ahead)
		st->ahead = open_source(origin, config, &from_ns, &why, &ignored);
	session->ahead = st->ahead;
	session->ahead_bytes = NAMES_BYTES;
}

struct rs_time_range *rs_time_range_open(const struct rs_time_range_source_config *origin,
					 const struct rs_time_range_config *config,
					 enum rs_time_range_why *why, struct rs_error *err)
{
	struct rs_session_config session = config->session;
	struct rs_time_range *st = calloc(1, sizeof *st);

	*why = RS_TIME_RANGE_FAILED;
	if (!st) {
		rs_fail(err, "cannot read a time range: out of memory");
		return NULL;
	}
	st->source = open_source(origin, config, &st->from_ns, why, err);
	if (st->source) {
		session.from_ns = st->from_ns;
		session.is_part = session.names_code = true; /* samples that are stored cost nothing more */
		session.to_is_known = origin->window; /* the requester has seen the clock pass that time */
		open_ahead(st, origin, config, &session);
		st->session = rs_session_new(&session, err);
	}
	if (st->session)
		return st;
	rs_time_range_free(st);
	return NULL;
}

void rs_time_range_free(struct rs_time_range *st)
{
	if (!st)
		return;
	rs_session_free(st->session);
	if (st->ahead)
		st->ahead->ops->close(st->ahead);
	if (st->source)
		st->source->ops->close(st->source);
	free(st);
}

int rs_time_range_attach(struct rs_time_range *st, struct rs_error *err)
{
	if (!st->attached && rs_session_attach(st->session, st->source, err) < 0)
		return -1;
	st->attached = true;
	return 0;
}

int rs_time_range_run(struct rs_time_range *st, bool (*go_on)(void *arg), void *arg, struct rs_error *err)
{
	enum rs_run_result result;

	if (rs_time_range_attach(st, err) < 0)
		return -1;
	do {
		result = rs_session_run(st->session, TIME_RANGE_EVENTS_PER_BATCH, err);
		if (err->status != RS_OK)
			return -1;
		if (go_on && !go_on(arg))
			return 1;
	} while (result == RS_RUN_MORE);
	rs_session_end(st->session);
	RS_LOG(RS_LOG_RANGE, "read from %llu ns up to %llu ns", (unsigned long long)st->from_ns,
	       (unsigned long long)rs_session_now_ns(st->session));
	return 0;
}
