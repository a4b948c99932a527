// SPDX-License-Identifier: GPL-2.0-or-later
/* test-tracedat-fds - the descriptors in the trailer of a recording, from whoever wrote it */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "recording/recording.h"
#include "source/source.h"
#include "tracedat-builder.h"

static struct rs_source *open_built(struct built *f)
{
	struct rs_error err = { 0 };
	struct rs_source *s = rs_tracedat_open(built_path(f), NULL, &err);

	ck_assert_msg(s, "%s", err.text);
	return s;
}

/* Sorted by time. Their bytes are the traced program's: shown escaped, as every text. Of two members of one name the first counts. */
START_TEST(descriptors_are_read)
{
	struct built f = build_tracedat(&(struct recipe){ .trailer =
		"{\"version\":1,\"fds\":[[\"20\",2147483647,2147483647,\"\\u001b[2J\\n\\\"\",8,19],[10,0,0,\"\"],[\"15\",7,3,\"/\xff\xc0\x80\xed\xa0\x80\"],"
		"[15,7,3,\"/again\"]],\"fds\":[[1,2,3,\"/other\"]]}" });
	struct rs_source *s = open_built(&f);
	const struct rs_fd_path *p = s->info.fd_paths;

	ck_assert_ptr_null(s->info.warnings);
	ck_assert_uint_eq(s->info.nr_fd_paths, 4);
	ck_assert_str_eq(p[0].path, "");
	ck_assert(p[1].read_ns == 15 && p[2].read_ns == 15);
	ck_assert(!strcmp(p[1].path, "/\xff\xc0\x80\xed\xa0\x80") || !strcmp(p[2].path, "/\xff\xc0\x80\xed\xa0\x80"));
	ck_assert(p[3].tid == INT32_MAX && p[3].fd == INT32_MAX);
	ck_assert_str_eq(p[3].path, "\033[2J\n\"");
	ck_assert(p[3].state == 8 && p[3].state_ns == 19 && !p[0].state && !p[0].state_ns);
	s->ops->close(s);
	built_done(&f);
}
END_TEST

/* A path of 4095 bytes is the longest; 65536 are the most. */
static bool takes_descriptors(size_t nr, size_t path_bytes)
{
	struct rs_buf text = RS_BUF_INIT;
	struct rs_source *s;
	struct built f;
	bool takes;

	rs_buf_puts(&text, "{\"version\":1,\"fds\":[");
	for (size_t i = 0; i < nr; i++)
		rs_buf_printf(&text, "%s[1,2,3,\"%0*d\"]", i ? "," : "", (int)path_bytes, 0);
	rs_buf_puts(&text, "]}");
	f = build_tracedat(&(struct recipe){ .trailer = text.data });
	s = open_built(&f);
	takes = !s->info.warnings;
	ck_assert_uint_eq(s->info.nr_fd_paths, takes ? nr : 0);
	s->ops->close(s);
	built_done(&f);
	rs_buf_done(&text);
	return takes;
}

START_TEST(too_many_and_too_long_descriptors)
{
	ck_assert(takes_descriptors(1, 4095) && !takes_descriptors(1, 4096));
	ck_assert(takes_descriptors(65536, 1) && !takes_descriptors(65537, 1));
}
END_TEST

Suite *rs_suite_tracedat_fds(void);
Suite *rs_suite_tracedat_fds(void)
{
	Suite *s = suite_create("tracedat-fds");
	TCase *t = tcase_create("fds");

	tcase_add_test(t, descriptors_are_read);
	tcase_add_test(t, too_many_and_too_long_descriptors);
	suite_add_tcase(s, t);
	return s;
}
