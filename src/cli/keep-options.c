// SPDX-License-Identifier: GPL-2.0-or-later
/* keep-options - the options of what a daemon does when a condition fires: --keep..., --run */
#include "cli/keep-options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/options/config.h"
#include "daemon/keep-findings.h"
#include "service/save.h"

#define KEEP_MOST 20
#define KEEP_MOST_LIMIT 100000
#define KEEP_BYTES (2ull << 30)
#define KEEP_BEFORE_NS 10000000000u
#define KEEP_AFTER_NS 5000000000u

/* "20", "20,2G", "0" */
static int keep_set_limits(const char *text, struct rs_responder_config *config, struct rs_error *err)
{
	char *end;
	unsigned long most = strtoul(text, &end, 10);

	if (end == text || *text == '-' || most > KEEP_MOST_LIMIT || (*end && *end != ','))
		return rs_fail_usage(err, "--keep '%.40s': how many, and how much (write it as 20,2G)", text);
	config->most = (unsigned int)most;
	return *end ? rs_config_size("--keep", end + 1, &config->most_bytes, err) : 0;
}

static bool keep_take_time(const char **text, uint64_t *ns)
{
	size_t len = strcspn(*text, ",");
	char part[40];

	if (!len || len >= sizeof part)
		return false;
	snprintf(part, sizeof part, "%.*s", (int)len, *text);
	*text += len;
	return rs_units_parse_duration(part, "s", ns) == RS_PARSE_OK;
}

/* "10s,5s" */
static int keep_set_times(const char *text, struct rs_responder_config *config, struct rs_error *err)
{
	const char *at = text;

	if (keep_take_time(&at, &config->before_ns) && *at++ == ',' &&
	    keep_take_time(&at, &config->after_ns) && !*at)
		return 0;
	return rs_fail_usage(err, "--keep-around '%.40s': two times (write it as 10s,5s)", text);
}

static bool keep_is_format(const char *name)
{
	struct rs_save_format f;

	if (!strcmp(name, RS_KEEP_FINDINGS))
		return true;
	for (size_t n = 0; rs_save_format(n, &f); n++)
		if (!strcmp(f.name, name))
			return true;
	return false;
}

static int keep_set_formats(const char *list, struct rs_responder_config *config, char *text,
			    struct rs_error *err)
{
	size_t nr = 0;
	char *save = NULL;

	if (strlen(list) >= RS_KEEP_FORMATS_TEXT)
		return rs_fail_usage(err, "--keep-as: too long");
	strcpy(text, list);
	for (char *name = strtok_r(text, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		if (!keep_is_format(name))
			return rs_fail_usage(err,
					     "--keep-as: no format '%.40s' (findings, and what "
					     "\"ringside list formats\" names)",
					     name);
		if (nr == RS_KEEP_FORMATS)
			return rs_fail_usage(err, "--keep-as: more than %d formats", RS_KEEP_FORMATS);
		config->formats[nr++] = name;
	}
	return nr ? 0 : rs_fail_usage(err, "--keep-as: which format?");
}

int rs_keep_options_read(const struct rs_options *opt, struct rs_responder_config *config,
		   char formats[RS_KEEP_FORMATS_TEXT], struct rs_error *err)
{
	*config = (struct rs_responder_config){
		.folder = opt->keep_in ? opt->keep_in : RS_RESPONDER_FOLDER, .most = KEEP_MOST,
		.most_bytes = KEEP_BYTES, .before_ns = KEEP_BEFORE_NS, .after_ns = KEEP_AFTER_NS,
		.formats = { "trace.dat", RS_KEEP_FINDINGS }, .command = opt->run,
	};
	if ((opt->keep && keep_set_limits(opt->keep, config, err) < 0) ||
	    (opt->keep_around && keep_set_times(opt->keep_around, config, err) < 0) ||
	    (opt->keep_as && keep_set_formats(opt->keep_as, config, formats, err) < 0))
		return -1;
	return 0;
}
