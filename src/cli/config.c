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

/* In the trace clock; false where no clock goes that far. */
static bool moment(uint64_t ns, bool is_clock, uint64_t begin_ns, uint64_t *at_ns)
{
	return !__builtin_add_overflow(ns, is_clock ? 0 : begin_ns, at_ns);
}

int rs_config_times(const struct rs_options *opt, uint64_t begin_ns, struct rs_session_config *config, struct rs_error *err)
{
	if (opt->from_known && !moment(opt->from_ns, opt->from_is_clock, begin_ns, &config->from_ns))
		return rs_fail_usage(err, "--from: past the end of all time");
	if (opt->to_known && !moment(opt->to_ns, opt->to_is_clock, begin_ns, &config->to_ns))
		return rs_fail_usage(err, "--to: past the end of all time");
	if (config->to_ns && config->from_ns >= config->to_ns)
		return rs_fail_usage(err, "--from is not before --to");
	return 0;
}

static const struct rs_analysis *find_analysis(const char *name, struct rs_error *err)
{
	const struct rs_analysis *const *all = rs_analyses();
	struct rs_view_ref view;
	const char *names[RS_MAX_ANALYSES + 1] = { NULL }, *near;
	struct rs_error ignored = { 0 };

	for (size_t i = 0; all[i]; i++) {
		if (!strcmp(all[i]->name, name))
			return all[i];
		if (i < RS_MAX_ANALYSES)
			names[i] = all[i]->name;
	}
	if (rs_view_find(name, &view, &ignored)) /* people know the views' names better */
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
	for (size_t i = 0; !opt->nr_analyses && rs_analyses()[i]; i++)
		if (!rs_analyses()[i]->by_name && rs_config_add(config, rs_analyses()[i], err) < 0)
			return -1;
	for (size_t i = 0; i < opt->nr_analyses; i++) {
		const struct rs_analysis *analysis = find_analysis(opt->analyses[i], err);

		if (!analysis || rs_config_add(config, analysis, err) < 0)
			return -1;
	}
	return 0;
}
