// SPDX-License-Identifier: GPL-2.0-or-later
/* script.c - reads an actor: "PROCESS/NAME*3@0-1+nice=5+cg=box: burn 100, sleep 1000" */
#include <ctype.h>

#include "stage.h"

static const struct verb *const script_tables[] = { cpu_verbs, channel_verbs, lock_verbs, file_verbs,
						    memory_verbs };

static const struct verb *script_find_verb(const char *name)
{
	for (size_t i = 0; i < sizeof script_tables / sizeof *script_tables; i++)
		for (const struct verb *v = script_tables[i]; v->name; v++)
			if (!strcmp(v->name, name))
				return v;
	die("no verb '%s' (stage -h lists them)", name);
}

void script_print_verbs(void)
{
	for (size_t i = 0; i < sizeof script_tables / sizeof *script_tables; i++)
		for (const struct verb *v = script_tables[i]; v->name; v++)
			printf("  %-8s %s\n", v->name, v->usage);
}

static long script_number(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10), unit = 1;

	if (*end == 'K')
		unit = 1024;
	else if (*end == 'M')
		unit = 1024 * 1024;
	if (end == text || n < 0 || (unit > 1 ? end[1] : *end))
		die("'%s' is not a number", text);
	return n * unit;
}

static void script_read_step(char *text, struct step *step)
{
	char *rest = text, *word = strsep(&rest, " ");
	int nr = 0;

	step->verb = script_find_verb(word);
	while ((word = strsep(&rest, " "))) {
		if (!*word)
			continue;
		if (nr == STAGE_ARGS)
			die("%s: too many arguments", step->verb->name);
		if (nr < step->verb->nr_words)
			step->words[nr] = word;
		else
			step->numbers[step->nr_numbers++] = script_number(word);
		nr++;
	}
	if (nr < step->verb->nr_least)
		die("usage: %s %s", step->verb->name, step->verb->usage);
}

static void script_read_cpus(const char *text, struct actor *actor)
{
	char *end;
	long first = strtol(text, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;

	if (*end || first < 0 || last < first || last >= CPU_SETSIZE)
		die("'%s' is no range of CPUs", text);
	for (long cpu = first; cpu <= last; cpu++)
		CPU_SET(cpu, &actor->cpus);
	actor->nr_cpus = (int)(last - first + 1);
}

static void script_read_attribute(char *text, struct actor *actor)
{
	char *name = strsep(&text, "=");

	if (!strcmp(name, "called"))
		actor->called = 1;
	else if (!text)
		die("'+%s' needs a value", name);
	else if (!strcmp(name, "nice"))
		actor->nice = *text == '-' ? -(int)script_number(text + 1) : (int)script_number(text);
	else if (!strcmp(name, "fifo"))
		actor->fifo = (int)script_number(text);
	else if (!strcmp(name, "cg"))
		actor->cgroup = text;
	else if (!strcmp(name, "rounds"))
		actor->rounds = script_number(text);
	else
		die("no attribute '+%s'", name);
}

/* The name and what follows it: each attribute begins with "*", "@" or "+" and ends before the next. */
static void script_read_head(char *text, struct actor *actor)
{
	char *slash = strchr(text, '/'), kind, *word = text;
	size_t len;

	if (slash && slash < text + strcspn(text, "*@+")) {
		*slash = '\0';
		snprintf(actor->process, sizeof actor->process, "%s", text);
		word = slash + 1;
	}
	len = strcspn(word, "*@+");
	snprintf(actor->name, sizeof actor->name, "%.*s", (int)len, word);
	for (kind = word[len], word += len; kind; kind = word[len], word += len) {
		char value[128];

		len = strcspn(++word, "*@+");
		snprintf(value, sizeof value, "%.*s", (int)len, word);
		if (kind == '*')
			actor->nr_players = (int)script_number(value);
		else if (kind == '@')
			script_read_cpus(value, actor);
		else
			script_read_attribute(strdup(value), actor);
	}
	if (!*actor->name || actor->nr_players < 1 || actor->nr_players > STAGE_PLAYERS)
		die("an actor needs a name and 1 to %d players", STAGE_PLAYERS);
}

void script_read(char *text, struct actor *actor)
{
	char *steps = strchr(text, ':'), *step;

	if (!steps)
		die("'%s': no ':' after the actor's name", text);
	*steps++ = '\0';
	*actor = (struct actor){ .nr_players = 1 };
	script_read_head(text, actor);
	while ((step = strsep(&steps, ","))) {
		step += strspn(step, " ");
		if (!*step)
			continue;
		if (actor->nr_steps == STAGE_STEPS)
			die("%s: more than %d steps", actor->name, STAGE_STEPS);
		script_read_step(step, &actor->steps[actor->nr_steps++]);
	}
}
