/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.h - a command is one file and one row
 *
 * Each cmd-NAME.c ends in `const struct rs_command rs_command_NAME`; the table
 * is made from the files that are there. Dispatch and help read the same rows.
 * Views are commands too, served by one file (view.c).
 */
#ifndef RS_CLI_COMMAND_H
#define RS_CLI_COMMAND_H

#include "base/buf.h"
#include "base/error.h"
#include "cli/options/options.h"
#include "engine/session.h"

/*
 * The help of an option that means something of its own in a command. Of "format" it follows the names of all
 * formats.
 */
struct rs_option_text {
	const char *name, *help;
};

struct rs_command {
	const char *name, *arguments, *summary; /* "report", "FILE", "..." */
	const char *options;    /* names of the rows in options.c it takes: "input,view,json" */
	const char *help;       /* the paragraphs of --help; NULL none */
	enum rs_exit (*run)(const struct rs_options *opt, struct rs_error *err);
	const struct rs_option_text *texts; /* ends with a NULL name; NULL: none */
	/* with --host, on that machine; others ask the engine there, if they take it */
	bool runs_there;
	/* of --help: sections after the options, each after an empty line; NULL none */
	void (*keys)(struct rs_buf *out);
};

/* Every command in sorted order, ends with NULL (made at build time). */
const struct rs_command *const *rs_commands(void);

const struct rs_command *rs_command_find(const char *name);  /* NULL: none of this name */
bool rs_command_is_view(const char *name, struct rs_view_ref *ref);
/*
 * Every view of every analysis, or those that are shown if the user names none: without the expensive ones.
 * Returns how many.
 */
size_t rs_commands_views(struct rs_view_ref *refs, size_t max, bool by_name_too);
/* The command or view whose name is nearest to a misspelled word; NULL: none is near. */
const char *rs_command_near(const char *word);

/* The options that a view takes as a command: the common ones, and those that its columns allow. */
void rs_command_view_takes(const struct rs_view *view, struct rs_buf *takes);
/* Rows of the whole machine, whatever tasks are selected. */
bool rs_command_is_machine_wide(const struct rs_view *view);
/*
 * Those of them that do something there, for the help. The others are taken, too: scripts and wrappers give
 * the same options to many views.
 */
void rs_command_view_offers(const struct rs_view_ref *ref, struct rs_buf *offers);
enum rs_exit rs_view_run(const struct rs_view_ref *ref, const struct rs_options *opt, struct rs_error *err);
/* --columns help */
bool rs_view_is_columns_help(const struct rs_options *opt);
enum rs_exit rs_view_list_columns(const struct rs_view_ref *ref, struct rs_error *err);

#define RS_MAX_VIEWS 128

#endif
