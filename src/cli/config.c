// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/config.h"

#include <string.h>

#include "base/nearest.h"

void rs_config_select(const struct rs_options *opt, struct rs_session_config *config)
{
	config->selection = (struct rs_selection){
		.pids = opt->pids, .nr_pids = opt->nr_pids,
		.tids = opt->tids, .nr_tids = opt->nr_tids,
		.no_children = opt->no_children,
		.comm_glob = opt->comm, .cpus = opt->cpus, .self = opt->self,
	};
	config->exact = opt->exact;
	config->filters = opt->filters;
	config->machine = opt->machine;
}

struct rs_capture_config rs_config_capture(const struct rs_options *opt)
{
	return (struct rs_capture_config){
		.events = opt->events, .nr_events = opt->nr_events, .clock = opt->clock,
		.buffer_kib = (unsigned int)opt->buffer_kib, .cpus = opt->cpus,
		.pids = opt->pids, .nr_pids = opt->nr_pids, .tids = opt->tids, .nr_tids = opt->nr_tids,
		.only_command = opt->only_command, .no_children = opt->no_children, .duration_ns = opt->duration_ns,
		.command = opt->command, .as_root = opt->as_root, .core = opt->core, .self = opt->self,
	};
}

static int resolve(const char *option, const struct rs_moment *m, const struct rs_moment_clock *clock, uint64_t *at_ns,
		   struct rs_error *err)
{
	if (m->kind == RS_MOMENT_NONE)
		return 0;
	switch (rs_moment_resolve(m, clock, at_ns)) {
	case RS_MOMENT_NO_WALL:
		return rs_fail(err, "%s: it is not recorded what time of day it was (say seconds since the begin, as %s 1.5, or "
				    "before the end, as %s -10s)", option, option, option);
	case RS_MOMENT_TOO_FAR:
		return rs_fail_usage(err, "%s: later than the largest timestamp", option);
	default:
		return 0;
	}
}

bool rs_config_needs_end(const struct rs_options *opt)
{
	return rs_moment_needs_end(&opt->from) || rs_moment_needs_end(&opt->to) || (opt->last_ns && !opt->from.kind && !opt->to.kind);
}

/* --last counts from --from, else back from --to, else back from the end. */
static void settle_last(const struct rs_options *opt, const struct rs_moment_clock *clock, struct rs_session_config *config)
{
	uint64_t to_ns = opt->to.kind ? config->to_ns : clock->end_ns;

	if (opt->from.kind)
		config->to_ns = config->from_ns < UINT64_MAX - opt->last_ns ? config->from_ns + opt->last_ns : UINT64_MAX;
	else
		config->from_ns = to_ns > opt->last_ns ? to_ns - opt->last_ns : 0;
}

int rs_config_times(const struct rs_options *opt, const struct rs_moment_clock *clock, struct rs_session_config *config,
		    struct rs_error *err)
{
	if (resolve("--from", &opt->from, clock, &config->from_ns, err) < 0 ||
	    resolve("--to", &opt->to, clock, &config->to_ns, err) < 0)
		return -1;
	if (opt->last_ns)
		settle_last(opt, clock, config);
	if ((opt->to.kind || config->to_ns) && config->from_ns >= config->to_ns)
		return rs_fail_usage(err, "--from is not before --to");
	return 0;
}

static const struct rs_analysis *find_analysis(const char *name, struct rs_error *err)
{
	const struct rs_analysis *const *all = rs_plugins_all();
	struct rs_view_ref view;
	const char *names[RS_MAX_ANALYSES + 1] = { NULL }, *near;
	struct rs_error ignored = { 0 };

	for (size_t i = 0; all[i]; i++) {
		if (!strcmp(all[i]->name, name))
			return all[i];
		if (i < RS_MAX_ANALYSES)
			names[i] = all[i]->name;
	}
	if (rs_requirements_find_view(name, &view, &ignored)) /* people know the views' names better */
		return view.analysis;
	near = rs_nearest(name, names);
	rs_fail_usage(err, "unknown analysis '%s' (%s%s%s)", name,
		      near ? "did you mean '" : "see ringside list views", near ? near : "",
		      near ? "'?" : "");
	return NULL;
}

int rs_config_add(struct rs_session_config *config, const struct rs_analysis *analysis, struct rs_error *err)
{
	for (unsigned int i = 0; i < config->nr_analyses; i++)
		if (config->analyses[i] == analysis)
			return 0;
	if (config->nr_analyses == RS_MAX_ANALYSES)
		return rs_fail(err, "more than %d analyses", RS_MAX_ANALYSES);
	config->analyses[config->nr_analyses++] = analysis;
	return 0;
}

int rs_config_analyses(const struct rs_options *opt, struct rs_session_config *config, struct rs_error *err)
{
	for (size_t i = 0; !opt->nr_analyses && rs_plugins_all()[i]; i++)
		if (!rs_plugins_all()[i]->by_name && rs_config_add(config, rs_plugins_all()[i], err) < 0)
			return -1;
	for (size_t i = 0; i < opt->nr_analyses; i++) {
		const struct rs_analysis *analysis = find_analysis(opt->analyses[i], err);

		if (!analysis || rs_config_add(config, analysis, err) < 0)
			return -1;
	}
	return 0;
}
