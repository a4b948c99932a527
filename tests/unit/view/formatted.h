/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faces.h - views and rows as analyses would emit them, and what a printer makes of them
 */
#ifndef TESTS_UNIT_FORMATTED_H
#define TESTS_UNIT_FORMATTED_H

#include <check.h>

#include "ringside/hist.h"
#include "view/formatter.h"

enum { TIME, COMM, PID, TYPE, DEV, SECTOR, BYTES, LAT, RET, ERRNO, UTIL };

extern const struct rs_column formatted_columns[];
extern const struct rs_column formatted_columns[];
extern const struct rs_view formatted_stream, formatted_table;   /* "snoop", "tasks" */
extern const struct rs_column formatted_hist_columns[];
extern const struct rs_view formatted_histogram;       /* "lat" */

#define NR_ROWS 4

/* A plain row, one with hostile names, one of nulls, one of numbers too long for their columns. */
extern const struct rs_value formatted_rows[NR_ROWS][UTIL + 1];
void formatted_add_rows(struct rs_sink *sink);

extern const uint64_t formatted_none_lost[2];
extern const struct rs_quality formatted_quality;

#define QUALITY_LINE \
	"# 6.1.0-50-amd64 boot  2.00 s  123,456 events  lost 0  unmatched 2  discarded 0  inferred 3  in flight 4\n"
#define META(view, rest) \
	"{\"_meta\":{\"view\":\"" view "\",\"version\":\"0.1.0\",\"kernel\":\"6.1.0-50-amd64\"," \
	"\"clock\":\"boot\",\"unit\":\"ns\",\"realtime_offset_ns\":1700000000000000000,\"filters\":\"\"," \
	"\"events\":123456,\"lost\":0,\"lost_by_cpu\":[0,0],\"gaps\":0,\"gaps_uncounted\":0," \
	"\"unmatched\":2,\"discarded\":0,\"inferred\":3,\"in_flight\":4,\"evicted\":0," \
	"\"from_ns\":1000000000,\"to_ns\":3004999999,\"late\":0,\"bad_pages\":0,\"bad_records\":0,\"all_tasks\":0,\"no_wakings\":0," \
	"\"rows_dropped\":0" rest "}}\n"

#define CSV_META(view) \
	"\nkey,value\nview," view "\nversion,0.1.0\nkernel,6.1.0-50-amd64\nclock,boot\nunit,ns\n" \
	"realtime_offset_ns,1700000000000000000\nfilters,\nevents,123456\nlost,0\nlost_by_cpu,0 0\ngaps,0\n" \
	"gaps_uncounted,0\nunmatched,2\ndiscarded,0\ninferred,3\nin_flight,4\nevicted,0\nfrom_ns,1000000000\n" \
	"to_ns,3004999999\nlate,0\nbad_pages,0\nbad_records,0\nall_tasks,0\nno_wakings,0\nrows_dropped,0\n"

/* In us: 1, 2, 3.999, 4 and 40. 2 us and 4 us are bounds: they open a line and do not end one. */
extern const uint64_t formatted_waits_ns[5], formatted_short_ns[3];
void formatted_add_group(struct rs_sink *sink, const char *comm, const char *label, const uint64_t *values,
		     size_t nr);

/* What was printed; emptied by the fixture. UTF-8 and UTC hold in it. */
extern struct rs_buf formatted_out;
extern struct rs_buf formatted_aside; /* for .aside; likewise */
void formatted_set_up(void);
void formatted_clean_up(void);
struct rs_printer *formatted_printer(const struct rs_view *view, const struct rs_formatter_options *opt);
/* The rows above through a printer; valid until the next. t NULL: no quality line. */
const char *formatted_print(const struct rs_view *view, struct rs_formatter_options opt,
			const struct rs_quality *t);

#endif
