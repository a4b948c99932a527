// SPDX-License-Identifier: GPL-2.0-or-later
/* config - turns the options into the config of a session, of a capture, and into the question of one view */
#include "cli/options/config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/units.h"
#include "cli/command.h"

#define LEAST_WINDOW (1ull << 20)
#define LEAST_SIZE (4ull << 10)
#define MOST_SIZE (1ull << 40)

/* Do --by, --columns, --where or -s ask for it? A word of another kind that has it in it costs time alone. */
static bool config_names(const struct rs_options *opt, const char *column)
{
	const char *const texts[] = { opt->by, opt->columns, opt->where, opt->sort };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i] && strstr(texts[i], column))
			return true;
	return false;
}

void rs_config_select(const struct rs_options *opt, struct rs_session_config *config)
{
	config->selection = (struct rs_selection){
		.pids = opt->pids, .nr_pids = opt->nr_pids,
		.tids = opt->tids, .nr_tids = opt->nr_tids,
		.no_children = opt->no_children,
		.comm_glob = opt->comm, .cgroup_glob = opt->cgroup, .cpus = opt->cpus, .self = opt->self,
	};
	config->names_cgroups = config_names(opt, "cgroup") || config_names(opt, "unit");
	config->exact = opt->exact;
	config->filters = opt->filters;
	config->machine = opt->machine;
	config->machine_ends = opt->machine_ends;
	config->input = opt->input;
	config->of_window = opt->of_window;
	config->silence = opt->silence;
	config->asked_why = opt->asked_why;
}

struct rs_capture_config rs_config_capture(const struct rs_options *opt)
{
	return (struct rs_capture_config){
		.events = opt->events, .nr_events = opt->nr_events, .clock = opt->clock,
		.buffer_kib = (unsigned int)opt->buffer_kib, .cpus = opt->cpus,
		.pids = opt->pids, .nr_pids = opt->nr_pids, .tids = opt->tids, .nr_tids = opt->nr_tids,
		.only_command = opt->only_command, .no_children = opt->no_children,
		.duration_ns = opt->duration_ns,
		.stacks = opt->stacks, .live.sample_hz = (unsigned int)opt->sample_hz,
		.live.sample_stack_bytes = (unsigned int)opt->stack_bytes,
		.live.no_args = opt->no_args, .live.plain_args = opt->plain_args,
		.command = opt->command, .as_root = opt->as_root, .core = opt->core, .self = opt->self,
	};
}

static int resolve(const char *option, const struct rs_moment *m, const struct rs_moment_clock *clock,
		   uint64_t *at_ns, struct rs_error *err)
{
	enum rs_moment_result result = m->kind == RS_MOMENT_NONE ? RS_MOMENT_OK :
								   rs_moment_resolve(m, clock, at_ns);

	if (result == RS_MOMENT_NO_WALL)
		return rs_fail(err,
			       "%s: it is not recorded what time of day it was (say seconds since the begin, "
			       "as %s 1.5, or "
			       "before the end, as %s -10s)",
			       option, option, option);
	return result == RS_MOMENT_TOO_FAR ?
		       rs_fail_usage(err, "%s: later than the largest timestamp", option) :
		       0;
}

bool rs_config_needs_end(const struct rs_options *opt)
{
	return rs_moment_needs_end(&opt->from) || rs_moment_needs_end(&opt->slice_at) ||
	       rs_moment_needs_end(&opt->to) || (opt->last_ns && !opt->from.kind && !opt->to.kind) ||
	       opt->over_time || opt->side;
}

/* --last counts from --from, else back from --to, else back from the end. */
static void settle_last(const struct rs_options *opt, const struct rs_moment_clock *clock,
			struct rs_session_config *config)
{
	uint64_t to_ns = opt->to.kind ? config->to_ns : clock->end_ns;

	if (opt->from.kind)
		config->to_ns = config->from_ns < UINT64_MAX - opt->last_ns ? config->from_ns + opt->last_ns :
									      UINT64_MAX;
	else
		config->from_ns = to_ns > opt->last_ns ? to_ns - opt->last_ns : 0;
}

int rs_config_times(const struct rs_options *opt, const struct rs_moment_clock *clock,
		    struct rs_session_config *config, struct rs_error *err)
{
	if (resolve("--from", &opt->from, clock, &config->from_ns, err) < 0 ||
	    resolve("--to", &opt->to, clock, &config->to_ns, err) < 0 ||
	    resolve("--slice", &opt->slice_at, clock, &config->asked_why.at_ns, err) < 0)
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

int rs_config_add_all(struct rs_session_config *config, struct rs_error *err)
{
	for (const struct rs_analysis *const *all = rs_plugins_all(); *all; all++)
		if (!(*all)->live_only && !(*all)->pairs && rs_config_add(config, *all, err) < 0)
			return -1;
	return 0;
}

int rs_config_add_spans(struct rs_session_config *config, struct rs_error *err)
{
	for (const struct rs_analysis *const *all = rs_plugins_all(); *all; all++)
		if ((*all)->by_name && (*all)->requirements && (*all)->spans && !(*all)->live_only &&
		    !(*all)->pairs && rs_config_add(config, *all, err) < 0)
			return -1;
	return 0;
}

/* That follows the descriptors of all calls, and needs nothing else. */
static const struct rs_analysis *config_find_files(void)
{
	for (const struct rs_analysis *const *all = rs_plugins_all(); *all; all++)
		if ((*all)->requires_files && !(*all)->requires_names && !(*all)->requirements)
			return *all;
	return NULL;
}

int rs_config_add_files(const struct rs_options *opt, const struct rs_view_ref *ref,
			struct rs_session_config *config, struct rs_error *err)
{
	const struct rs_analysis *files = config_find_files();
	const struct rs_column *c = ref->view->columns;

	while (c->name && !(c->flags & RS_COLUMN_OF_FILE && config_names(opt, c->name)))
		c++;
	return c->name && files && !opt->input ? rs_config_add(config, files, err) : 0;
}

static bool config_follows_messages(const struct rs_analysis *analysis)
{
	for (const struct rs_callback *k = analysis->callbacks; k && k->on; k++)
		if (k->on == RS_ON_MESSAGE)
			return true;
	return false;
}

int rs_config_add_messages(struct rs_session_config *config, struct rs_error *err)
{
	for (const struct rs_analysis *const *all = rs_plugins_all(); *all; all++)
		if ((*all)->spans && config_follows_messages(*all) && rs_config_add(config, *all, err) < 0)
			return -1;
	return 0;
}

int rs_config_add_stacks(struct rs_session_config *config, bool of_samples, bool of_waits,
			 struct rs_error *err)
{
	for (const struct rs_analysis *const *all = rs_plugins_all(); *all; all++) {
		struct rs_session_config alone = { .analyses = { *all }, .nr_analyses = 1 };
		bool has_samples = rs_session_samples(&alone) & RS_SAMPLE_STACKS;

		if (((of_samples && has_samples) || (of_waits && (*all)->requires_stacks)) &&
		    rs_config_add(config, *all, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- amounts ---- */

/* "256M", "64MiB", "1g": powers of two, as every tool's sizes. False: it is none. */
static bool parse_bytes(const char *text, uint64_t *bytes)
{
	static const char letters[] = "kmgt";
	const char *letter;
	char *end;
	uint64_t n;

	if (!isdigit((unsigned char)*text))
		return false;
	n = strtoull(text, &end, 10);
	letter = *end ? strchr(letters, tolower((unsigned char)*end)) : NULL;
	if (!letter || n >> 40 ||
	    (strcmp(end + 1, "") && strcasecmp(end + 1, "b") && strcasecmp(end + 1, "ib")))
		return false;
	*bytes = n << 10 * (letter - letters + 1);
	return *bytes >> 10 * (letter - letters + 1) == n;
}

static int fail_window(const char *text, struct rs_error *err)
{
	return rs_fail_usage(
		err,
		"--window '%.40s': not a size from 1M to 1T, nor a time (write it as 256M, 30s or 1G,60s)",
		text);
}

int rs_config_window(const char *text, size_t *bytes, uint64_t *ns, struct rs_error *err)
{
	char part[40];

	for (const char *at = text;; at += strcspn(at, ",") + 1) {
		uint64_t n;
		int len = (int)strcspn(at, ",");

		if (len == 0 || (size_t)len >= sizeof part)
			return fail_window(text, err);
		snprintf(part, sizeof part, "%.*s", len, at);
		if (parse_bytes(part, &n)) {
			if (n < LEAST_WINDOW || n > MOST_SIZE)
				return fail_window(text, err);
			*bytes = n;
		} else if (isdigit((unsigned char)part[strlen(part) - 1]) ||
			   rs_units_parse_duration(part, "s", ns) != RS_PARSE_OK || !*ns) {
			return fail_window(text, err); /* a bare number could be either */
		}
		if (!at[len])
			return 0;
	}
}

int rs_config_size(const char *option, const char *text, uint64_t *bytes, struct rs_error *err)
{
	if (parse_bytes(text, bytes) && *bytes >= LEAST_SIZE && *bytes <= MOST_SIZE)
		return 0;
	return rs_fail_usage(err, "%s '%.40s': not a size from 4K to 1T (write it as 256M)", option, text);
}

int rs_config_percent(const char *text, unsigned int *milli, struct rs_error *err)
{
	unsigned long whole;
	unsigned int tenth = 0;
	char *end = (char *)text;

	whole = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 1000;
	if (*end == '.' && isdigit((unsigned char)end[1])) {
		tenth = (unsigned int)(end[1] - '0');
		end += 2;
	}
	end += *end == '%';
	if (*end || whole > 100 || whole * 10 + tenth > 1000 || whole + tenth == 0)
		return rs_fail_usage(
			err, "--max-overhead '%.40s': not a percentage from 0.1 to 100 (write it as 5%%)",
			text);
	*milli = (unsigned int)whole * 10 + tenth;
	return 0;
}

/* ---- the question of one view, and its printer ---- */

/* The column of a name that is len bytes long, NULL none. */
static const struct rs_column *config_find_column(const struct rs_view *view, const char *name, size_t len)
{
	for (const struct rs_column *c = view->columns; c->name; c++)
		if (strlen(c->name) == len && !memcmp(c->name, name, len))
			return c;
	return NULL;
}

static int no_key(const struct rs_view *view, const char *name, size_t len, struct rs_error *err)
{
	struct rs_buf keys = RS_BUF_INIT;

	for (const struct rs_column *c = view->columns; c->name; c++)
		if (c->flags & RS_COLUMN_KEY)
			rs_buf_printf(&keys, "%s%s", keys.len ? ", " : "", c->name);
	if (view->tasks_view)
		rs_fail_usage(err, "--by '%.*s': a row of %s is of no task (%s has rows of tasks)",
			      (int)(len > 40 ? 40 : len), name, view->name, view->tasks_view);
	else
		rs_fail_usage(err, "--by '%.*s': %s groups by %s", (int)(len > 40 ? 40 : len), name,
			      view->name, keys.len ? keys.data : "nothing");
	rs_buf_done(&keys);
	return -1;
}

static int make_by(const char *by, const struct rs_view *view, bool strict, struct rs_query *query,
		   struct rs_error *err)
{
	for (const char *at = by; at && *at; at += strcspn(at, ","), at += *at == ',') {
		size_t len = strcspn(at, ",");
		const struct rs_column *c = config_find_column(view, at, len);

		if (!c || !(c->flags & RS_COLUMN_KEY)) {
			if (!strict)
				continue;
			return no_key(view, at, len, err);
		}
		if (query->nr_by == RS_MAX_BY)
			return rs_fail_usage(err, "--by: at most %d columns", RS_MAX_BY);
		query->by[query->nr_by++] = c->name;
	}
	return 0;
}

int rs_config_query(const struct rs_options *opt, const struct rs_view *view, bool strict,
		  struct rs_query *query, struct rs_error *err)
{
	*query = (struct rs_query){ .queue = opt->queue, .older_ns = opt->older_ns };
	return make_by(opt->by, view, strict, query, err);
}

static const struct {
	const char *name;
	enum rs_time_mode mode;
} time_modes[] = {
	{ "rel", RS_TIME_REL }, { "boot", RS_TIME_BOOT }, { "wall", RS_TIME_WALL },
};

static void add_column(struct rs_buf *columns, const char *name)
{
	rs_buf_printf(columns, "%s%s", columns->len ? "," : "", name);
}

/* --starts and --ends stand before the others, as in iosnoop -st. */
static void make_columns(const struct rs_options *opt, const struct rs_view *view, struct rs_buf *columns)
{
	if (opt->starts)
		add_column(columns, "start_ns");
	if (opt->ends)
		add_column(columns, "end_ns");
	if (columns->len && view->text_columns)
		add_column(columns, view->text_columns);
}

/* Returns 0 if standard output is no terminal: then no line is truncated. */
static unsigned int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int rs_config_printer(const struct rs_options *opt, const struct rs_view *view,
			  struct rs_formatter_options *formatter,
			  struct rs_buf *columns, struct rs_error *err)
{
	*formatter = (struct rs_formatter_options){
		.format = opt->is_view && opt->format ? opt->format :
			  opt->json                   ? "json" :
			  opt->csv                    ? "csv" :
							"text",
		.machine = opt->machine,
		.where = opt->where,
		.columns = opt->columns,
		.by = opt->by,
		.sort = opt->sort,
		.nr_rows = opt->nr_rows,
		.largest_first = true,
		.width = terminal_width(),
	};
	for (size_t i = 0; opt->time && i < sizeof time_modes / sizeof *time_modes; i++)
		if (!strcmp(opt->time, time_modes[i].name))
			formatter->time = time_modes[i].mode;
	if (!(opt->is_view && opt->format) && !opt->columns && !opt->json && !opt->csv) {
		make_columns(opt, view, columns);
		formatter->columns = columns->len ? columns->data : NULL;
		formatter->has_default_columns = true;
	}
	if (opt->where && view->kind == RS_VIEW_HIST && !opt->by)
		return rs_fail_usage(err,
				     "--where: %s has one picture of all (with --by a picture for each key)",
				     view->name);
	if (columns->failed)
		return rs_fail(err, "%s: out of memory", view->name);
	return 0;
}

size_t rs_config_find_views(const char *names, struct rs_view_ref *refs, size_t max, struct rs_error *err)
{
	char name[64];
	size_t n = 0;

	if (!strcmp(names, "all"))
		return rs_commands_views(refs, max, false);
	for (const char *at = names; *at; at += strcspn(at, ","), at += *at == ',') {
		size_t len = strcspn(at, ",");

		snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name - 1), at);
		if (n == max || !rs_requirements_find_view(name, &refs[n], err)) {
			rs_fail_usage(err, "--view: too many views");
			return 0;
		}
		n++;
	}
	if (!n)
		rs_fail_usage(err, "--view: no view is named (see 'ringside list views')");
	return n;
}
