/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - every option of every command, as rows: letter, name, type, unit, help
 *
 * Letters mean the same in every subcommand (DESIGN section 1). The parser, the
 * help and the documents read the same rows.
 */
#ifndef RS_CLI_OPTIONS_H
#define RS_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define RS_MAX_LIST 64

struct rs_options {
	const char *input, *output;         /* -i -o */
	uint64_t interval_ns, duration_ns;  /* -I -d: seconds with a fraction, or with a unit (ms, s, min) */
	uint64_t nr_rows;                   /* -n */
	const char *sort;                   /* -s */
	int32_t pids[RS_MAX_LIST], tids[RS_MAX_LIST]; /* -p -t */
	size_t nr_pids, nr_tids;
	const char *comm, *cpus;            /* -c -C */
	bool min_known; uint64_t min_ns;    /* -m: a number is ms; or with a unit (10us, 1ms) */
	const char *by;                     /* --by a,b */
	bool from_known, to_known;
	uint64_t from_ns, to_ns;            /* --from --to: seconds since the begin, or in the trace clock with '@' before */
	const char *time;                   /* --time boot|wall|rel */
	const char *columns;                /* --columns */
	bool json, csv, exact, self, check; /* --json --csv --exact --self --check */
	const char *view, *buffer_name;     /* --view --buffer */
	const char *dev, *type, *syscall, *disk; /* --dev --type --syscall */
	bool queue, failed_only;            /* -Q -x */
	bool starts, ends;                  /* --starts --ends */
	uint64_t buffer_kib;                /* -b */
	const char *clock;                  /* --clock */
	const char *events[RS_MAX_LIST], *analyses[RS_MAX_LIST]; /* -e -a, repeatable */
	size_t nr_events, nr_analyses;
	bool as_root, core, quiet;          /* --as-root --core -q */
	const char *as_tool;                /* --as */
	char **command;                     /* after --, NULL none */
	char **arguments;                   /* what is no option; ends with NULL */
	size_t nr_arguments;
};

#endif
