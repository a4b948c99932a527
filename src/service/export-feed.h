/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export-feed.h - connects a format (export/export.h) with the session that feeds it
 *
 *	rs_export_feed_config(e, pass, &config, &err);   // which analyses run
 *	s = rs_session_new(&config, &err);
 *	rs_export_feed_spans(e, pass, s);
 *	rs_session_attach(s, source, &err);
 *	rs_export_feed_begin(&feed, e, pass, s, &config, source, begin_ns);
 *	... run the session to its end
 *	rs_export_feed_end(&feed, &err);                 // also after an error of the run
 *	rs_session_free(s);
 *	rs_export_feed_done(&config);                    // also without a session
 */
#ifndef RS_SERVICE_EXPORT_FEED_H
#define RS_SERVICE_EXPORT_FEED_H

#include "engine/session.h"
#include "export/export.h"

#define RS_EXPORT_FEED_MAX_VIEWS 160

struct rs_incidents;

struct rs_export_feed {
	struct rs_export *export;
	unsigned int pass;
	struct rs_session *session;
	struct rs_export_feed_view {
		struct rs_view_ref ref;
		struct rs_sink *sink;
	} views[RS_EXPORT_FEED_MAX_VIEWS];
	size_t nr_views;
	const struct rs_incidents *incidents; /* of a pass with steps: the config's */
};

/* Leaves out of the analyses those that the format has no use for, and adds its own. */
int rs_export_feed_config(struct rs_export *e, unsigned int pass, struct rs_session_config *config,
			  struct rs_error *err);
void rs_export_feed_done(struct rs_session_config *config);
/* Before rs_session_attach. */
void rs_export_feed_spans(struct rs_export *e, unsigned int pass, struct rs_session *s);
/* begin_ns: time of the first event. config: of the session. */
void rs_export_feed_begin(struct rs_export_feed *feed, struct rs_export *e, unsigned int pass,
			  struct rs_session *s, const struct rs_session_config *config,
			  const struct rs_source *source, uint64_t begin_ns);
/* After rs_session_end: rows of tables, findings, the data quality. -1: rows are missing. */
int rs_export_feed_end(struct rs_export_feed *feed, struct rs_error *err);

#endif
