/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - every option of every command, as rows: letter, name, type, unit, help
 *
 * Letters mean the same in every subcommand (DESIGN section 1). The parser, the
 * help and the documents read the same rows.
 *
 *	struct rs_options opt;
 *	rs_options_parse(&opt, "report", "input,view,json", argc, argv, &err);
 */
#ifndef RS_CLI_OPTIONS_OPTIONS_H
#define RS_CLI_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/host-clock.h"
#include "base/moment.h"
#include "ringside/culprit.h"

#define RS_MAX_LIST 64
#define RS_MAX_OPTIONS 112
#define RS_LATENCY_COLUMN "" /* the column with RS_COLUMN_LATENCY, whatever its name */

/* Of an option that asks something of a column. */
struct rs_option_value {
	const char *text;
	uint64_t ns;
	bool is_set;
};

struct rs_options {
	const char *input, *output;         /* -i -o */
	uint64_t interval_ns, duration_ns;  /* -I -d: seconds with a fraction, or with a unit; 0: not given */
	uint64_t nr_rows;                   /* -n; 0: all */
	uint64_t sample_hz;                 /* -F; 0: the default */
	const char *stacks;                 /* --stacks: "" without a list; NULL: not given */
	const char *sort;                   /* -s */
	int32_t pids[RS_MAX_LIST], tids[RS_MAX_LIST]; /* -p -t */
	size_t nr_pids, nr_tids;
	const char *comm, *cpus;            /* -c -C; cpus has been checked: "0,2-3" */
	const char *by;                     /* --by a,b */
	struct rs_moment from, to;          /* --from --to; RS_MOMENT_NONE: not given */
	const char *time;                   /* --time: one of its choices, NULL not given */
	const char *columns;                /* --columns */
	bool json, csv, csv_meta, exact, self, check; /* --json --csv --csv=meta --exact --self --check */
	bool system, no_children;           /* --system --no-children */
	const char *format; bool compat, gzip; /* -f --compat --gzip */
	const char *max_size;               /* --max-size; NULL: no limit */
	const char *export_to, *chrome;     /* --export --chrome */
	const char *screen, *theme;         /* --screen --theme */
	bool batch, svg, ascii, letters, own, daemon; /* --batch --svg --ascii --letters --own --daemon */
	bool no_mouse;                                /* --no-mouse */
	bool of_window;                     /* input is what a daemon's window had of --from --to --last */
	int input_fd;                       /* input, where a command has it open already; else 0 */
	/* whose input it is, where there are several (machines.h); NULL: no other */
	const char *machine;
	const struct rs_machine_ends *machine_ends; /* of all of them; NULL: not asked for */
	/* what all machines have together: times count from its begin */
	bool base_known; struct rs_moment_clock base;
	/*
	 * --host with several: this is one of them, and asked for by another machine. Its clock against that
	 * one's; text ends each table by a form feed
	 */
	bool is_one_of_hosts;
	struct rs_host_clock host_clock;
	/* the host's factor for a guest's file that lacks one; mult 0: none */
	uint32_t cycles_mult, cycles_shift;
	const char *metrics;                /* --metrics */
	/* of ship: --to --credentials --cacert --spool */
	const char *to_url, *credentials, *authority, *spool;
	uint64_t least_ns;                  /* --least */
	const struct rs_export_batch *shipped; /* that a command exports; NULL: it is none */
	/* what is read of a daemon's window before --from; 0: all of it */
	uint64_t window_before_ns;
	const char *view, *buffer_name;     /* --view --buffer */
	bool debuginfod;                    /* --debuginfod */
	bool queue;                         /* -Q */
	uint64_t older_ns;                  /* --older; 0: not given */
	const char *where;                  /* --where */
	bool list, histogram, follow;       /* --list --histogram --follow */
	const char *key;                    /* --key */
	bool is_view;                       /* the arguments are a view's own: what it is asked */
	bool starts, ends;                  /* --starts --ends */
	bool samples;                       /* --samples, which sets sample_hz, too */
	uint64_t stack_bytes;               /* --call-graph dwarf,BYTES; 0: by frame pointers */
	uint64_t buffer_kib;                /* -b; 0: not given */
	const char *clock;                  /* --clock */
	const char *events[RS_MAX_LIST], *analyses[RS_MAX_LIST]; /* -e -a, repeatable */
	size_t nr_events, nr_analyses;
	bool as_root, core, quiet;          /* --as-root --core -q */
	bool plain_args, no_args;           /* --args --no-args */
	const char *as_tool;                /* --as */
	const char *debug;                  /* --debug: every command takes it, see base/log.h */
	const char *socket, *group;         /* --socket --group */
	const char *hosts[RS_MAX_LIST];     /* --host, repeatable */
	size_t nr_hosts;
	char *const *words;                 /* of a command with --host: all others, as they were typed */
	const char *remote;                 /* --remote */
	bool stdio;                         /* --stdio */
	const char *window, *max_overhead, *mem; /* --window --max-overhead --mem */
	const char *config, *log_level;     /* --config --log-level */
	/* --keep --keep-in --keep-around --keep-as --run */
	const char *keep, *keep_in, *keep_around, *keep_as, *run;
	const char *learn;                  /* --learn */
	bool forget;                        /* --forget */
	const char *cgroup;                 /* --cgroup */
	const char *silence, *fail_on;      /* --silence --fail-on: rules */
	bool over_time;                     /* --over-time */
	uint64_t last_ns;                   /* --last; 0: not given */
	bool no_findings;                   /* a page does not begin with the findings */
	struct rs_time_asked asked_why;          /* of the command why; .at_ns follows from slice_at */
	const char *slice;                  /* --slice */
	struct rs_moment slice_at;
	uint64_t sector;                    /* --sector */
	/* one of several views is shown: its name goes in here where it cannot be. NULL: by itself */
	struct rs_buf *left_out;
	const char *whens[RS_MAX_LIST];     /* --when, repeatable */
	size_t nr_whens;
	struct rs_show_when *wait;          /* of the command wait; NULL: it is another */
	struct rs_side *side;               /* where a comparison collects its rows; NULL: it is none */
	struct rs_moment other_from, other_to; /* --from and --to where they are given twice: the first */
	uint64_t before_ns;                 /* --before; 0: not given */
	const char *per, *store, *report;   /* --per --store --report */
	bool add;                           /* --add */
	/* of the screens of the command demo: see tui/app/tui.h; NULL: none */
	const struct rs_tour_step *tour;
	bool help;                          /* -h: then nothing else has been checked */
	/* after --, or from the first word that is no option; NULL none */
	char **command;
	bool command_is_bare;               /* without -- before it */
	bool of_command;                    /* --command: the one that the recording was made of */
	/* no option names a task or the whole machine: it is about the command */
	bool only_command;
	char **arguments;                   /* what is no option; ends with NULL */
	size_t nr_arguments;
	bool given[RS_MAX_OPTIONS];         /* the n-th of rs_option_rows was */
	/* and what it asks of a column: -m --dev --type --syscall -x */
	struct rs_option_value values[RS_MAX_OPTIONS];
	char filters[256];                  /* what narrows the result, as typed: "-p 42 -m 1ms" */
};

enum rs_option_kind {
	RS_OPTION_FLAG = 1,
	RS_OPTION_TEXT,
	RS_OPTION_TEXTS,   /* repeatable */
	RS_OPTION_CHOICE,  /* one of argument's "a|b|c" */
	RS_OPTION_OPTIONAL, /* text that may be left out: "" */
	/* a flag, or with "=argument" two: the second at extra; with max, it is a number */
	RS_OPTION_EITHER,
	RS_OPTION_NUMBER,  /* min to max */
	RS_OPTION_IDS,     /* "1,2,3", repeatable */
	RS_OPTION_TIME,    /* ns, min to max */
	RS_OPTION_MOMENT,  /* a struct rs_moment */
	RS_OPTION_CPUS,    /* "0,2-3" */
	RS_OPTION_CALL_GRAPH, /* "fp", "dwarf", "dwarf,8192": bytes of the stack, 0 for fp */
};

enum rs_option_flags {
	RS_OPTION_NARROWS = 1, /* goes into the quality line's filters */
	RS_OPTION_HIDDEN = 2,  /* not in the help */
};

/* Where an option stands in the help of a command that takes many. */
enum rs_option_group {
	RS_OPTIONS_SOURCE,     /* what is read */
	RS_OPTIONS_FILTER,     /* what of it */
	RS_OPTIONS_CAPTURE,    /* how the kernel is traced */
	RS_OPTIONS_OUTPUT,     /* what becomes of it */
	RS_OPTIONS_SERVICE,    /* of what runs for long */
	RS_NR_OPTION_GROUPS
};

struct rs_option {
	enum rs_option_group group;
	char letter;              /* 0: none */
	const char *name;         /* long, without the dashes */
	enum rs_option_kind kind;
	unsigned int flags;
	/* of the value in struct rs_options; with a column, in struct rs_option_value */
	size_t offset;
	size_t extra;             /* of the number of a list, of *_known; 0: none */
	uint64_t min, max;
	const char *unit;         /* of a bare number of time: "s", "ms" */
	const char *argument;     /* its name in the help */
	const char *help;         /* one line, no full stop */
	/* that it asks something of (struct rs_term); NULL: it asks nothing of one */
	const char *column;
	/* how it is typed, where a command means something of its own by that; NULL: as the name */
	const char *typed;
};

static inline const char *rs_option_typed(const struct rs_option *row)
{
	return row->typed ? row->typed : row->name;
}

/* Ends with a NULL name. */
extern const struct rs_option rs_option_rows[];

/* Finds an option by its letter, or if that is 0 by the first len bytes of name; NULL: no such option. */
const struct rs_option *rs_option_find(char letter, const char *name, size_t len);

/* Returns true if the user gave one of these options: "own,input". */
bool rs_options_gave(const struct rs_options *opt, const char *names);

/*
 * rs_options_parse - reads the options of one command; takes lists the names of
 * the rows that it knows ("input,view,json"; --help is always known), and in capitals what
 * it does with words that are no options: WORD it uses one, WORDS any number, COMMAND launches
 * what begins with the first of them; without that they are refused. argv[0] is
 * skipped; argv is put in order: opt points into it. On misuse -1, with err in one line.
 */
int rs_options_parse(struct rs_options *opt, const char *command, const char *takes,
		     int argc, char **argv, struct rs_error *err);

/*
 * An argv, which ends with NULL, of words that end with a NUL each; the caller frees it, and nothing else.
 * NULL: no memory.
 */
char **rs_options_words(const struct rs_buf *words, int *nr);

/* NULL: the option was not given, or asks nothing of a column. */
const struct rs_option_value *rs_options_value(const struct rs_options *opt, const char *name);

#endif
