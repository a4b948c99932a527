// SPDX-License-Identifier: GPL-2.0-or-later
/* chrome-path.c - critical paths: slices and flows of their own category */
#include "export/chrome/chrome.h"
#include "export/path-slices.h"

static void chrome_path_slice(void *arg, struct rs_ctx *c, const struct rs_path_slice *slice)
{
	struct rs_chrome_track at;

	rs_chrome_name_link(c, slice->link);
	rs_chrome_track_link(arg, slice->link, &at);
	rs_chrome_link(arg, &at, slice->from_ns, slice->to_ns, slice->name, slice->path, slice->number,
		       slice->text);
}

static void chrome_path_flow(void *arg, struct rs_ctx *c, const struct rs_path_slice *slice, bool begins,
			     bool ends)
{
	struct rs_chrome *ch = arg;
	struct rs_chrome_track at;

	(void)c;
	rs_chrome_track_link(ch, slice->link, &at);
	ch->next_id += begins;
	if (!begins || !ends)
		rs_chrome_path_flow(ch, begins ? 's' : ends ? 'f' : 't', &at, slice->to_ns - 1);
}

void rs_chrome_put_paths(struct rs_ctx *c, struct rs_chrome *ch, const struct rs_chain_list *chains)
{
	rs_path_slices_draw(c, chains,
			    &(struct rs_path_slices_drawer){ chrome_path_slice, chrome_path_flow, ch });
}
