/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * as-tool-rows.h - the options of the tools that people know, a row each: what becomes of it here, or why it cannot be had
 *
 * perf-tools: iosnoop; execsnoop's -d, -a, -r. bcc: the others. To add a tool: rows, and a script in scripts/wrappers.
 */
#ifndef RS_CLI_AS_TOOL_ROWS_H
#define RS_CLI_AS_TOOL_ROWS_H

enum rs_tool_kind {
	RS_TOOL_FLAG = 1, /* -x becomes .ours */
	RS_TOOL_VALUE,    /* -x V becomes .ours=V.more */
	RS_TOOL_ONLY,     /* likewise, of this process or thread alone: old tools do not follow children */
	RS_TOOL_NAME,     /* -x V, a regular expression that is searched for, becomes .ours=PATTERN */
	RS_TOOL_NOTHING,  /* -x asks for what is done anyhow */
	RS_TOOL_WORD,     /* a bare word, in order, becomes .ours=word.more */
	RS_TOOL_NAME_WORD, /* likewise, one as of RS_TOOL_NAME */
	RS_TOOL_COUNT,    /* the bare word that says how many intervals: --duration is so many times --interval */
	RS_TOOL_REFUSED,  /* -x, or the long --.ours, cannot be had: .help says why, and what is nearest */
	RS_TOOL_ALWAYS,   /* is added whatever was asked for; what the options say comes after it, and wins */
	/* --columns, in parts: the tool's own; what -x puts before or behind them; what it puts in place of .ours */
	RS_TOOL_COLUMNS,
	RS_TOOL_BEFORE,
	RS_TOOL_BEHIND,   /* .more: another option with it; NULL none */
	RS_TOOL_INSTEAD,  /* .more: the columns; .ours is the first of the tool's own, and --by */
};

struct rs_tool_row {
	const char *tool;
	enum rs_tool_kind kind;
	char letter;      /* 0: a bare word, a long option, or none */
	const char *ours, *more;
	const char *help; /* NULL: that of our option */
};

/* Ends with a NULL tool; the rows of a tool stand together, bare words in their order. */
extern const struct rs_tool_row rs_tool_rows[];

#endif
