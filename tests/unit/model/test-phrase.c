// SPDX-License-Identifier: GPL-2.0-or-later
/* test-phrase - templates of sentences: slots that are known or not, words that agree with numbers, hostile names */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "model/phrase.h"

/* "kind:text|kind:text", with the number of the kind. */
static const char *parts_of(const struct rs_phrase *p, char *buf, size_t size)
{
	const char *text = p->text;
	size_t at = 0;

	*buf = '\0';
	for (unsigned int i = 0; i < p->nr; text += p->at[i++].len)
		at += (size_t)snprintf(buf + at, size - at, "%s%u:%.*s", i ? "|" : "", p->at[i].kind, (int)p->at[i].len, text);
	return buf;
}

#define T 0                    /* RS_SLOT_TEXT */

static const struct rs_slot_text slots[] = {
	{ "disk", RS_SLOT_DISK, "vda" }, { "call", RS_SLOT_CALL, NULL }, { "does", RS_SLOT_TEXT, "runs on a CPU" },
	{ "hostile", RS_SLOT_NAME, "{culprit}{~its}" }, { "none", RS_SLOT_TEXT, NULL }, { 0 },
};

/* What a template says of one, and of several victims and culprits. */
static const struct { const char *template, *one, *many; } cases[] = {
	{ "for disk{ |disk}", "for disk vda", "for disk vda" },
	{ "for disk{ |none}{ in |call}", "for disk", "for disk" },
	{ "in {call/a call}", "in a call", "in a call" },
	{ "on {disk/nothing}", "on vda", "on vda" },
	{ "disk{ (|disk|)}{ (|none|)}", "disk (vda)", "disk (vda)" },
	{ "{~its} lock, {~it} {~is} late {~itself}", "its lock, it is late itself", "their lock, they are late themselves" },
	{ "{culprit} {^does}", "w (7) runs on a CPU", "w (7) run on a CPU" },
	{ "{culprit} {^watches} and {^has} it", "w (7) watches and has it", "w (7) watch and have it" },
	{ "of {hostile}", "of {culprit}{~its}", "of {culprit}{~its}" },
	{ "{unknown}{", "", "" },
	{ "{disk", "vda", "vda" },
};

START_TEST(a_template)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rs_phrase p, one, many;

		rs_phrase_init(&p);
		rs_phrase_init(&one);
		rs_phrase_init(&many);
		rs_phrase_expand(&p, cases[i].template, slots);
		rs_phrase_settle(&one, &p, false, false, "w (7)");
		rs_phrase_settle(&many, &p, true, true, "w (7)");
		ck_assert_str_eq(one.text, cases[i].one);
		ck_assert_str_eq(many.text, cases[i].many);
	}
}
END_TEST

/* Each part has its kind, and text that follows text is one part. */
START_TEST(the_kinds)
{
	struct rs_phrase p;
	char buf[200], expected[200];

	rs_phrase_init(&p);
	rs_phrase_expand(&p, "for {none}disk {disk}: {culprit} {^does}", slots);
	snprintf(expected, sizeof expected, "%u:for disk |%u:vda|%u:: |%u:|%u: |%u:runs|%u: on a CPU", T, RS_SLOT_DISK, T, RS_SLOT_CULPRIT, T, RS_SLOT_OF_CULPRITS, T);
	ck_assert_str_eq(parts_of(&p, buf, sizeof buf), expected);
	ck_assert(rs_phrase_have(&p, RS_SLOT_CULPRIT));
	ck_assert(!rs_phrase_have(&p, RS_SLOT_FILE));
}
END_TEST

/* What does not fit is cut, and the parts still make up the text. */
START_TEST(too_much)
{
	struct rs_phrase p;
	size_t len = 0;

	rs_phrase_init(&p);
	for (int i = 0; i < 3 * RS_PHRASE_PARTS; i++)
		rs_phrase_expand(&p, "{disk} and a text that is long enough, whatever it says, ", slots);
	for (unsigned int i = 0; i < p.nr; i++)
		len += p.at[i].len;
	ck_assert_uint_le(p.nr, RS_PHRASE_PARTS);
	ck_assert_uint_eq(len, p.len);
	ck_assert_uint_eq(strlen(p.text), p.len);
	ck_assert_uint_lt(p.len, RS_PHRASE_SIZE);
}
END_TEST

Suite *rs_suite_phrase(void)
{
	Suite *s = suite_create("phrase");
	TCase *t = tcase_create("phrase");

	tcase_add_test(t, a_template);
	tcase_add_test(t, the_kinds);
	tcase_add_test(t, too_much);
	suite_add_tcase(s, t);
	return s;
}
