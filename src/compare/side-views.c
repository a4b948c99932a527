// SPDX-License-Identifier: GPL-2.0-or-later
/* side-views - whose rows are compared, where nobody names any: each of other things than the others */
#include "compare/side-views.h"

struct side_views_row {
	const char *name, *by, *measure; /* by NULL: the view's own keys that last */
};

static const struct side_views_row side_views_process[] = {
	[RS_PROCESS_WHY] = { "why", RS_PROCESS_WHY_KEYS },
	[RS_PROCESS_CALLS] = { "syscall-latency", RS_PROCESS_CALLS_KEYS },
	[RS_PROCESS_ANSWERS] = { "connections", RS_PROCESS_ENDS_KEYS, RS_PROCESS_ANSWERS_MEASURE },
	[RS_PROCESS_SENDS] = { "connections", RS_PROCESS_ENDS_KEYS, RS_PROCESS_SENDS_MEASURE },
};

#define SIDE_VIEWS_NR(rows) (sizeof(rows) / sizeof((rows)[0]))

_Static_assert(SIDE_VIEWS_NR(side_views_process) < RS_SIDE_VIEWS_MOST, "there is room for others");

static int side_views_add(const struct side_views_row *rows, size_t nr_rows, struct rs_side_asked *asked,
			  size_t *nr, struct rs_error *err)
{
	for (size_t i = 0; i < nr_rows; i++) {
		struct rs_side_asked *to = &asked[*nr];

		if (!rs_requirements_find_view(rows[i].name, &to->ref, err))
			return -1;
		to->by = rows[i].by;
		to->measure = rows[i].measure;
		++*nr;
	}
	return 0;
}

int rs_side_views_add_process(struct rs_side_asked *asked, size_t *nr, struct rs_error *err)
{
	return side_views_add(side_views_process, SIDE_VIEWS_NR(side_views_process), asked, nr, err);
}

static void side_views_add_of_topic(struct rs_side_asked *asked, size_t *nr, enum rs_topic topic)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (unsigned int i = 0; (*a)->views && (*a)->views[i].name; i++) {
			const struct rs_view *view = &(*a)->views[i];

			if (!view->diff_by || view->topic != topic || *nr == RS_SIDE_VIEWS_MOST)
				continue;
			asked[(*nr)++] = (struct rs_side_asked){
				.ref = { *a, view, i }, .by = *view->diff_by ? view->diff_by : NULL };
		}
}

void rs_side_views_add_default(struct rs_side_asked *asked, size_t *nr)
{
	for (unsigned int n = 0; n < RS_NR_TOPICS; n++)
		side_views_add_of_topic(asked, nr, rs_topic_nth(n));
}
