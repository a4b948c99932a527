// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/nearest.h"
#include "export/chrome.h"
#include "export/export.h"

#include <string.h>

const struct rs_export_format rs_export_formats[] = {
	{ "chrome", "Chrome trace JSON: Perfetto, chrome://tracing, speedscope", rs_chrome_make },
	{ .name = NULL },
};

#define EXPORT_NR_FORMATS (sizeof rs_export_formats / sizeof *rs_export_formats)

const struct rs_export_format *rs_export_find(const char *name, struct rs_error *err)
{
	const char *names[EXPORT_NR_FORMATS] = { NULL }, *near;

	for (size_t i = 0; rs_export_formats[i].name; i++) {
		if (!strcmp(rs_export_formats[i].name, name))
			return &rs_export_formats[i];
		names[i] = rs_export_formats[i].name;
	}
	near = rs_nearest(name, names);
	if (near)
		rs_fail_usage(err, "unknown format '%.40s'; did you mean '%s'?", name, near);
	else
		rs_fail_usage(err, "unknown format '%.40s' (export writes chrome; a view writes rows: ringside VIEW -i FILE --csv, or --json)", name);
	return NULL;
}
