// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/live.h"

enum rs_exit rs_show_live(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			  const struct rs_options *opt, struct rs_error *err)
{
	rs_fail(err, "%s: no recording is given (-i FILE)", views->view->name);
	return err->status;
}
