// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * help - lists all commands and views, describes a command, a view or a rule, or searches all of them
 */
#include "cli/help/help.h"
#include "cli/out.h"

/* One word that names something; false: it names nothing. */
static bool help_put_named(const char *name, struct rs_buf *out)
{
	const struct rs_command *command = rs_command_find(name);
	const struct rs_rule *rule = rs_help_rule_find(name);
	struct rs_view_ref ref;

	if (command)
		rs_help_command(command, out);
	else if (rs_command_is_view(name, &ref))
		rs_help_view(&ref, out);
	else if (rule)
		rs_help_rule(rule, out);
	else if (!strcmp(name, "guide"))
		rs_help_guide_put_all(out);
	else
		return false;
	return true;
}

/* The words are the title of a section of the guide; false: they are not. */
static bool help_put_section(const struct rs_options *opt, struct rs_buf *out)
{
	struct rs_buf title = RS_BUF_INIT;
	struct rs_help_section section;
	bool found;

	for (size_t i = 0; i < opt->nr_arguments; i++)
		rs_buf_printf(&title, "%s%s", i ? " " : "", opt->arguments[i]);
	found = rs_help_guide_find(title.data, &section);
	if (found)
		rs_help_guide_put(&section, out);
	rs_buf_done(&title);
	return found;
}

static enum rs_exit help_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;

	if (!opt->nr_arguments)
		rs_help_overview(&out);
	else if (!(opt->nr_arguments == 1 && help_put_named(opt->arguments[0], &out)) &&
		 !help_put_section(opt, &out))
		rs_help_search(opt->arguments, opt->nr_arguments, &out, err);
	return rs_out_end(&out, err);
}

const struct rs_command rs_command_help = {
	.name = "help", .arguments = "[COMMAND|VIEW|RULE|guide|WORDS...]",
	.summary = "list all commands and views, explain one or a finding, or search all help for words",
	.options = "WORDS", .run = help_run,
	.help = "RULE is the last word of a finding: how it is found, when it is wrong, what to do. Other\n"
		"words are searched in the names and texts of commands, views, rules, columns and the\n"
		"guide: what has all of them is listed.",
};
