// SPDX-License-Identifier: GPL-2.0-or-later
/* protocol - the messages of the protocol as their tables have them: the generated part of docs/protocol.md */
#include <stdio.h>
#include <string.h>

#include "rpc/protocol.h"

static const struct rs_message *described[256];
static size_t nr_described;

static void put_type(const struct rs_member *m);

static void put_words(const struct rs_word *words)
{
	for (const struct rs_word *w = words; w && w->word; w++)
		printf("%s\"%s\"", w == words ? "" : ", ", w->word);
}

/* Of structs the members, once each; of what was described before the words "as above". */
static void put_message(const struct rs_message *type)
{
	const struct rs_member *m = type->members();
	bool before = false;

	if (type->form == RS_VALUE_OF) {
		put_type(m);
		return;
	}
	for (size_t i = 0; i < nr_described; i++)
		before |= described[i] == type;
	printf(type->form == RS_TUPLE_OF ? "[" : "{");
	for (const struct rs_member *at = m; before && at->name; at++)
		printf("%s`%s`", at == m ? "" : ", ", rs_message_wire(at));
	if (!before)
		described[nr_described++] = type;
	for (const struct rs_member *at = m; !before && at->name; at++) {
		printf("%s", at == m ? "" : ", ");
		if (at->type != RS_MEMBERS)
			printf("`%s` ", rs_message_wire(at));
		put_type(at);
		if (at->help)
			printf(" (%s)", at->help);
	}
	printf(type->form == RS_TUPLE_OF ? "]" : "}");
}

static void put_type(const struct rs_member *m)
{
	static const char *const names[] = {
		[RS_NUMBER] = "number", [RS_MAYBE] = "number or null", [RS_MAYBE_SIGNED] = "signed number or null", [RS_BOOL] = "true or false",
		[RS_STRING] = "text", [RS_SCALAR] = "text or number",
	};

	switch (m->type) {
	case RS_WORD: m->words ? put_words(m->words) : (void)printf("a cause"); break;
	case RS_WORDS: printf("list of "); put_words(m->words); break;
	case RS_LIST: case RS_ARRAY: printf("list of "); put_message(m->of); break;
	case RS_MAP: printf("object of "); put_message(m->of); break;
	case RS_OBJECT: case RS_MEMBERS: put_message(m->of); break;
	default: printf("%s", names[m->type]);
	}
	if (m->most && m->type == RS_NUMBER && m->most != INT32_MAX)
		printf(" up to %llu", (unsigned long long)m->most);
	else if (m->most && m->type != RS_NUMBER)
		printf(", at most %llu", (unsigned long long)m->most);
	if (m->otherwise && m->otherwise != UINT64_MAX && m->type == RS_NUMBER)
		printf(", else %llu", (unsigned long long)m->otherwise);
}

static void put_rows(const struct rs_message *type)
{
	for (const struct rs_member *m = type->members(); m->name; m++) {
		if (m->type == RS_MEMBERS) {
			put_rows(m->of);
			continue;
		}
		printf("- `%s`: ", rs_message_wire(m));
		put_type(m);
		printf("%s%s%s\n", m->required ? ", required" : "", m->help ? "; " : "", m->help ? m->help : "");
	}
}

static void put_members(const char *title, const struct rs_message *type)
{
	if (!type->members()->name)
		return;
	printf("\n%s:\n\n", title);
	put_rows(type);
}

int main(void)
{
	for (const struct rs_protocol_op *op = rs_protocol_ops; op->name; op++) {
		printf("\n### %s\n\n%s.\n", op->name, op->help);
		put_members("Request", op->request);
		put_members("Answer", op->reply);
	}
	return 0;
}
