// SPDX-License-Identifier: GPL-2.0-or-later
/* machines - the recordings that a command reads: one, or those of a host and its guests on one clock */
#include "cli/show/machines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/show/show.h"
#include "model/quality.h"

static int find_paths(const char *command, struct rs_machines *m, const struct rs_options *opt,
		      struct rs_error *err)
{
	if (opt->nr_arguments && opt->input)
		return rs_fail_usage(err,
				     "%s: '%.60s' is one file too many beside -i (name all files without -i)",
				     command, opt->arguments[0]);
	if (opt->nr_arguments > RS_MAX_MACHINES)
		return rs_fail_usage(err, "%s: at most %d files at a time", command, RS_MAX_MACHINES);
	m->nr = opt->nr_arguments ? opt->nr_arguments : 1;
	for (size_t i = 0; i < m->nr; i++) {
		m->at[i].opt = *opt;
		m->options[i] = &m->at[i].opt;
		m->at[i].vcpus = (struct rs_buf)RS_BUF_INIT;
		if (opt->nr_arguments)
			m->at[i].opt.input = opt->arguments[i];
		else if (!opt->input)
			m->at[i].opt.input = "trace.dat";
	}
	return 0;
}

static const struct rs_trace_info *info_of(const struct rs_machine *m)
{
	return &m->source->info;
}

/* The name of a guest in its host's recording; NULL: not a guest of that host. */
static const char *guest_name(const struct rs_machine *host, const struct rs_machine *guest)
{
	const struct rs_trace_info *info = info_of(host);

	for (size_t i = 0; info_of(guest)->trace_id && i < info->nr_guests; i++)
		if (info->guests[i].trace_id == info_of(guest)->trace_id)
			return info->guests[i].name;
	return NULL;
}

static bool is_host_of(const struct rs_machine *host, const struct rs_machine *guest)
{
	uint64_t id = info_of(host)->trace_id;

	return (id && id == info_of(guest)->host_id) || guest_name(host, guest);
}

static bool share_clock(const struct rs_machine *a, const struct rs_machine *b)
{
	uint64_t host_id = info_of(a)->host_id;

	return is_host_of(a, b) || is_host_of(b, a) || (host_id && host_id == info_of(b)->host_id);
}

static bool machines_has_name(const struct rs_machines *m, const struct rs_machine *but, const char *name)
{
	for (size_t i = 0; i < m->nr; i++)
		if (&m->at[i] != but && !strcmp(m->at[i].name, name))
			return true;
	return false;
}

/* Guests of one image have one name: their files' tell them apart. */
static void name_machine(const struct rs_machines *m, struct rs_machine *of)
{
	const char *name = info_of(of)->host, *slash = strrchr(of->opt.input, '/');

	for (size_t i = 0; i < m->nr; i++) {
		const char *as_guest = &m->at[i] == of ? NULL : guest_name(&m->at[i], of);

		if (as_guest)
			name = as_guest;
	}
	if (!name || machines_has_name(m, of, name))
		name = slash ? slash + 1 : of->opt.input;
	snprintf(of->name, sizeof of->name, "%s", name);
}

static bool machines_is_guest(const struct rs_machines *m, const struct rs_machine *of)
{
	for (size_t i = 0; i < m->nr; i++)
		if (&m->at[i] != of && guest_name(&m->at[i], of))
			return true;
	return false;
}

/* Warns of a guest whose clock was not compared with its host's: it is shown all the same. */
static void note_guest(const struct rs_machines *m, const struct rs_machine *of)
{
	if (!info_of(of)->host_id && machines_is_guest(m, of))
		rs_out_warn("%s: its clock was not compared with its host's: its times are its own",
			    of->name);
}

/* "web vcpu 0 is task 1000, web vcpu 1 is task 1001" */
static void list_vcpus(struct rs_machine *of)
{
	const struct rs_trace_info *info = info_of(of);

	for (size_t i = 0; i < info->nr_vcpus; i++)
		rs_buf_printf(&of->vcpus, "%s%.64s vcpu %" PRIu32 " is task %" PRId32, i ? ", " : "",
			      info->vcpus[i].guest, info->vcpus[i].cpu, info->vcpus[i].tid);
}

static int check_shared(const struct rs_machines *m, const struct rs_machine *of, struct rs_error *err)
{
	const char *unit = rs_quality_clock_unit(info_of(of)->clock),
		   *first = rs_quality_clock_unit(info_of(&m->at[0])->clock);
	bool shared = false;

	for (size_t i = 0; i < m->nr; i++)
		shared |= &m->at[i] != of && share_clock(&m->at[i], of);
	if (!shared)
		return rs_fail(err,
			       "'%.100s' shares its clock with none of the others: it is neither their host "
			       "nor a guest"
			       " (give it alone)",
			       of->opt.input);
	if (strcmp(unit, first))
		return rs_fail(err,
			       "the times of '%.100s' are %s, those of '%.100s' %s (give them one by one)",
			       of->opt.input, unit, m->at[0].opt.input, first);
	return 0;
}

/*
 * Finds the host to whose counter a guest's times were converted, if its file says how long a cycle is; else
 * NULL.
 */
static const struct rs_machine *lender_of(const struct rs_machines *m, const struct rs_machine *guest)
{
	const struct rs_trace_info *info = info_of(guest);

	if (strcmp(rs_quality_clock_unit(info->clock), "cycles") || !info->host_id)
		return NULL;
	for (size_t i = 0; i < m->nr; i++)
		if (info_of(&m->at[i])->trace_id == info->host_id && info_of(&m->at[i])->cycles_mult)
			return &m->at[i];
	return NULL;
}

/*
 * trace-cmd record -C tsc2nsec writes the host's factor into the guest's file, too (host_tsync_complete() in
 * its trace-record.c), and so does trace-cmd attach; -C x86-tsc alone writes none into either. Where the
 * guest's file has none, its cycles are the host's all the same once its differences from it are applied.
 */
static int lend_factor(const struct rs_machines *m, struct rs_machine *guest, struct rs_error *err)
{
	const struct rs_machine *host = lender_of(m, guest);

	if (!host)
		return 0;
	guest->opt.cycles_mult = info_of(host)->cycles_mult;
	guest->opt.cycles_shift = info_of(host)->cycles_shift;
	guest->source->ops->close(guest->source);
	guest->source = rs_show_file_open(&guest->opt, &guest->clock, err);
	return guest->source ? 0 : -1;
}

static int machines_open_all(struct rs_machines *m, struct rs_error *err)
{
	for (size_t i = 0; i < m->nr; i++) {
		struct rs_machine *of = &m->at[i];

		if (rs_show_file_unpack(&of->opt, err) < 0)
			return -1;
		if (m->nr > 1 && !(of->source = rs_show_file_open(&of->opt, &of->clock, err)))
			return -1;
	}
	for (size_t i = 0; m->nr > 1 && i < m->nr; i++)
		if (lend_factor(m, &m->at[i], err) < 0)
			return -1;
	return 0;
}

/*
 * What all have together, on the clock that they share: from the first event of any to the last; the host's
 * wall clock.
 */
static void add_to_base(struct rs_moment_clock *base, const struct rs_moment_clock *clock)
{
	if (clock->begin_ns && clock->begin_ns < base->begin_ns)
		base->begin_ns = clock->begin_ns;
	if (clock->end_ns > base->end_ns)
		base->end_ns = clock->end_ns;
	if (base->has_wall || !clock->has_wall)
		return;
	base->has_wall = true;
	base->wall_offset_ns = clock->wall_offset_ns;
}

/* Names, and the time from which those of all are counted. */
static int relate(struct rs_machines *m, struct rs_error *err)
{
	struct rs_moment_clock base = { .begin_ns = UINT64_MAX };

	for (size_t i = m->nr; i--;) /* from the last on: the first is the host, mostly, and not to blame */
		if (check_shared(m, &m->at[i], err) < 0)
			return -1;
	for (size_t i = 0; i < m->nr; i++) {
		name_machine(m, &m->at[i]);
		note_guest(m, &m->at[i]);
		m->at[i].is_on_clock = info_of(&m->at[i])->host_id || !machines_is_guest(m, &m->at[i]);
		list_vcpus(&m->at[i]);
		add_to_base(&base, &m->at[i].clock);
	}
	for (size_t i = 0; i < m->nr; i++) {
		m->at[i].opt.machine = m->at[i].name;
		m->at[i].opt.base_known = base.begin_ns != UINT64_MAX;
		m->at[i].opt.base = base;
	}
	return 0;
}

static void close_sources(struct rs_machines *m)
{
	for (size_t i = 0; i < m->nr; i++) {
		if (m->at[i].source)
			m->at[i].source->ops->close(m->at[i].source);
		m->at[i].source = NULL;
	}
}

struct rs_machines *rs_machines_open(const char *command, const struct rs_options *opt, struct rs_error *err)
{
	struct rs_machines *m = calloc(1, sizeof *m);
	bool good;

	if (!m) {
		rs_fail(err, "cannot open a recording: out of memory");
		return NULL;
	}
	good = find_paths(command, m, opt, err) == 0 && machines_open_all(m, err) == 0 &&
	       (m->nr == 1 || relate(m, err) == 0);
	close_sources(m);
	if (good)
		return m;
	rs_machines_close(m);
	return NULL;
}

void rs_machines_close(struct rs_machines *m)
{
	for (size_t i = 0; m && i < m->nr; i++) {
		rs_show_file_close(&m->at[i].opt);
		rs_buf_done(&m->at[i].vcpus);
	}
	if (m)
		rs_machine_ends_done(&m->ends);
	free(m);
}
