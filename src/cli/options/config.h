/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config.h - turns the options into the config of a session, of a capture, and into the question of one view
 */
#ifndef RS_CLI_OPTIONS_CONFIG_H
#define RS_CLI_OPTIONS_CONFIG_H

#include "capture/capture.h"
#include "cli/options/options.h"
#include "engine/session.h"
#include "view/formatter.h"

/* -p -t -c -C --self --exact; strings point into opt. */
void rs_config_select(const struct rs_options *opt, struct rs_session_config *config);
/* --from and --to, now that it is known when the trace begins. */
int rs_config_times(const struct rs_options *opt, const struct rs_moment_clock *clock,
		    struct rs_session_config *config, struct rs_error *err);
/* Does rs_config_times look at clock->end_ns? */
bool rs_config_needs_end(const struct rs_options *opt);

/* Adds an analysis, unless it is there already. */
int rs_config_add(struct rs_session_config *config, const struct rs_analysis *analysis, struct rs_error *err);
/* Live: adds what follows descriptors, where the user names a column of files that the view has. */
int rs_config_add_files(const struct rs_options *opt, const struct rs_view_ref *ref,
			struct rs_session_config *config, struct rs_error *err);
/* Adds all analyses of recordings, also those that are excluded by default. */
int rs_config_add_all(struct rs_session_config *config, struct rs_error *err);
/* Adds those of them that make spans of events: these would be drawn one by one. */
int rs_config_add_spans(struct rs_session_config *config, struct rs_error *err);
/* Adds those that draw what is sent and received: of a recording without these events they cost nothing. */
int rs_config_add_messages(struct rs_session_config *config, struct rs_error *err);
/* Adds the analyses that show samples of the CPUs, and stacks of waits. */
int rs_config_add_stacks(struct rs_session_config *config, bool of_samples, bool of_waits,
			 struct rs_error *err);
/* Adds the analyses that -a names, by their own name or a view's; without -a, all that do not need a name. */
int rs_config_analyses(const struct rs_options *opt, struct rs_session_config *config, struct rs_error *err);

/* Fills the members of a capture's config that options set; the others are 0. It points into opt. */
struct rs_capture_config rs_config_capture(const struct rs_options *opt);

/*
 * --window "256M", "30s", "1G,60s": each is set if it is given. --mem "256M", 4K to 1T. --max-overhead "5%",
 * "2.5": in thousandths.
 */
int rs_config_window(const char *text, size_t *bytes, uint64_t *ns, struct rs_error *err);
int rs_config_size(const char *option, const char *text, uint64_t *bytes, struct rs_error *err);
int rs_config_percent(const char *text, unsigned int *milli, struct rs_error *err);

/*
 * rs_config_query - for one view; strings point into opt and the view. With several
 * views at once (strict false) what this one does not know is left out.
 */
int rs_config_query(const struct rs_options *opt, const struct rs_view *view, bool strict,
		  struct rs_query *query, struct rs_error *err);

/* columns: scratch that must live as long as the formatter options. */
int rs_config_printer(const struct rs_options *opt, const struct rs_view *view,
			  struct rs_formatter_options *formatter,
			  struct rs_buf *columns, struct rs_error *err);

/* The views named in "a,b" or "all"; returns how many, 0 with err set. */
size_t rs_config_find_views(const char *names, struct rs_view_ref *refs, size_t max, struct rs_error *err);

#endif
