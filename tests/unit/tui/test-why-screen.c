// SPDX-License-Identifier: GPL-2.0-or-later
/* test-why-screen - the screen about one wait: its tree, the others of its kind, and keys that come faster than answers */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

#define TREE(of, from, to, took) \
	REPLY("rows", "\"view\":\"wait-tree\",\"limit\":48," of, "\"of\":1,\"total\":1,\"rows\":[" \
	      "[0,\"task\",\"sh\",7,7,\"read\",null," from "," to "," took ",\"sh reads\",null]]")
#define SPAN(from, to) \
	"{\"track\":\"task:7.0\",\"lane\":\"slice\",\"kind\":1,\"label\":\"read\",\"start_ns\":" from "," \
	"\"end_ns\":" to ",\"comm\":\"sh\",\"pid\":7,\"tid\":7}"

/* Three reads of sh: 1 s from 2 s on, 500 ms from 4 s on, 250 ms from 6 s on. */
static const struct reply reads[] = {
	REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,null]]"),
	TREE("\"tid\":7,\"from_ns\":104000000000", "104000000000", "104500000000", "500000000"),
	TREE("\"tid\":7,\"from_ns\":106000000000", "106000000000", "106250000000", "250000000"),
	TREE("", "102000000000", "103000000000", "1000000000"),
	REPLY("rows", "\"view\":\"what-if\",\"limit\":6,\"tid\":7,\"from_ns\":102000000000,\"to_ns\":103000000000",
	      "\"of\":2,\"total\":2,\"rows\":[[\"encode\",\"gone\",9000000,991000000],[\"itself\",\"twice as fast\",600000000,400000000]]"),
	REPLY("rows", "\"view\":\"alike\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh read <- make\"]]"),
	REPLY("latencies", "\"as\":\"slowest\"", "\"spans\":[" SPAN("102000000000", "103000000000") ","
	      SPAN("104000000000", "104500000000") "," SPAN("106000000000", "106250000000") "]"),
	{ 0 },
};

static struct stage *why_begin(void)
{
	struct stage *s = rs_stage_new_trees(20, 80, "work", reads);

	rs_stage_keys(s, KEYS('W'));
	rs_stage_settle(s);
	return s;
}

#define check_shows(s, text) ck_assert_msg(strstr(rs_stage_text(s), text) != NULL, "%s", rs_stage_text(s))

START_TEST(the_next_of_its_kind)
{
	struct stage *s = why_begin();

	check_shows(s, "sh (7): 1.00s in read, from 2.000000");
	rs_stage_keys(s, KEYS('n'));
	check_shows(s, "sh (7): 500ms in read, from 4.000000");
	rs_stage_keys(s, KEYS('N'));
	check_shows(s, "sh (7): 1.00s in read, from 2.000000");
	rs_stage_keys(s, KEYS('N'));
	check_shows(s, "no more of its kind");
	rs_stage_free(s);
}
END_TEST

/* The nodes of the first stay, with the answer that has their texts; the second key goes on from what the first asked for. */
START_TEST(keys_before_the_answer)
{
	struct stage *s = why_begin();

	rs_stage_asked(s);
	rs_stage_key_unanswered(s, 'n');
	check_shows(s, "sh (7): 1.00s in read, from 2.000000");
	rs_stage_key_unanswered(s, 'n');
	check_shows(s, "sh (7): 1.00s in read, from 2.000000");
	for (int i = 0; i < RS_MAX_OPEN_REQUESTS; i++) { /* one is asked at a time, so that there is room for the last */
		rs_stage_key_unanswered(s, 'N');
		rs_stage_key_unanswered(s, 'n');
	}
	rs_stage_settle(s);
	check_asked(s, "\"tid\":7,\"from_ns\":106000000000,\"to_ns\":106250000000");
	check_shows(s, "sh (7): 250ms in read, from 6.000000");
	rs_stage_free(s);
}
END_TEST

/* The others of its kind are of the one process: a term about tasks is decided, one about their length holds. */
START_TEST(others_that_the_filter_leaves)
{
	struct stage *s = why_begin();

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('\\'));
	rs_stage_type(s, "cart");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER, '\\'));
	rs_stage_type(s, ">300ms");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"where\":\"latency > 300ms\"");
	check_shows(s, "sh (7): 1.00s in read, from 2.000000"); /* the wait itself stays */
	rs_stage_free(s);
}
END_TEST

/* Of each wait that is shown, until the key is pressed again. Of the other waits nothing would have made them shorter. */
START_TEST(without_its_culprits)
{
	struct stage *s = why_begin();

	check_not_asked(s, "\"view\":\"what-if\"");
	rs_stage_keys(s, KEYS('x'));
	check_shows(s, "9.00ms without encode, 991ms less");
	check_shows(s, "600ms itself twice as fast, 400ms less");
	check_shows(s, "sh reads");
	rs_stage_keys(s, KEYS('n'));
	check_asked(s, "\"view\":\"what-if\",\"limit\":6,\"tid\":7,\"from_ns\":104000000000,\"to_ns\":104500000000");
	check_shows(s, "no change of one alone would have made it shorter");
	rs_stage_keys(s, KEYS('x'));
	ck_assert_ptr_null(strstr(rs_stage_text(s), "no change"));
	rs_stage_free(s);
}
END_TEST

/* In all of the file, not in the time of the wait. */
START_TEST(of_the_same_shape)
{
	struct stage *s = why_begin();

	rs_stage_keys(s, KEYS('a'));
	check_asked(s, "\"wait\":{\"tid\":7,\"from_ns\":102000000000,\"to_ns\":103000000000}");
	check_shows(s, "sh read <- make");
	rs_stage_later(s, 2000000000); /* once */
	check_not_asked(s, "\"view\":\"alike\"");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_why_screen(void)
{
	Suite *s = suite_create("why-screen");
	TCase *t = tcase_create("why-screen");

	tcase_add_test(t, the_next_of_its_kind);
	tcase_add_test(t, keys_before_the_answer);
	tcase_add_test(t, others_that_the_filter_leaves);
	tcase_add_test(t, without_its_culprits);
	tcase_add_test(t, of_the_same_shape);
	suite_add_tcase(s, t);
	return s;
}
