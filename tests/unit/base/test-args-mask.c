// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/args-mask.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Words end with a '|' here. */
static const struct {
	const char *words, *masked;
} lines[] = {
	{ "", "" },
	{ "python3|server.py|", "python3 server.py" },
	{ "/usr/bin/x|||", "/usr/bin/x" },
	{ "x||y|", "x  y" },
	/* options, and what follows them */
	{ "db|--password|hunter2|-v|", "db --password *** -v" },
	{ "db|--password=hunter2|-v|", "db --password=*** -v" },
	{ "db|--password=two words|-v|", "db --password=*** -v" },
	{ "db|-password|hunter2|", "db -password ***" },
	{ "db|--db-passwd|x|--authToken|y|--api-key|z|", "db --db-passwd *** --authToken *** --api-key ***" },
	{ "db|--password|--verbose|", "db --password --verbose" },
	{ "db|--password|", "db --password" },
	{ "db|--secret=|x|", "db --secret= x" },
	{ "passwd|root|", "passwd root" },
	{ "ls|token|--color|auto|", "ls token --color auto" },
	/* names and values, wherever they are */
	{ "env|PGPASSWORD=hunter2|psql|", "env PGPASSWORD=*** psql" },
	{ "env|MYSQL_PWD=hunter2|mysql|", "env MYSQL_PWD=*** mysql" },
	{ "psql|host=h password=hunter2 dbname=d|", "psql host=h password=*** dbname=d" },
	{ "java|-Ddb.password=hunter2|-Xmx1g|", "java -Ddb.password=*** -Xmx1g" },
	{ "curl|-H|Authorization: Bearer abc.def|http://h/|", "curl -H Authorization: *** http://h/" },
	{ "curl|-H|X-Api-Key: abc|", "curl -H X-Api-Key: ***" },
	{ "curl|-d|{\"user\": \"me\", \"password\": \"a b\"}|",
	  "curl -d {\"user\": \"me\", \"password\": ***}" },
	{ "curl|http://h/?a=1&token=abc&b=2|", "curl http://h/?a=1&token=***&b=2" },
	{ "openssl|-passin|pass:abc|", "openssl -passin pass:***" },
	{ "sh|-c|mysql --password hunter2 -h db|", "sh -c mysql --password *** -h db" },
	{ "sh|-c|x --password=hunter2; y|", "sh -c x --password=***; y" },
	{ "sh|-c|x --password 'a b' y|", "sh -c x --password *** y" },
	/* the user's part of a URL */
	{ "git|clone|https://me:hunter2@host/x|", "git clone https://me:***@host/x" },
	{ "git|clone|https://me:a@b@host/x|", "git clone https://me:***@host/x" },
	{ "git|clone|ssh://me@host:22/x@y:z|", "git clone ssh://me@host:22/x@y:z" },
	/* options of some programs */
	{ "/usr/bin/mysql|-phunter2|-u|me|", "/usr/bin/mysql -p*** -u me" },
	{ "mkdir|-pv|x|", "mkdir -pv x" },
	{ "curl|-u|me:hunter2|http://h/|", "curl -u *** http://h/" },
	{ "ps|-u|me|", "ps -u me" },
	{ "redis-cli|-a|hunter2|", "redis-cli -a ***" },
};

static size_t put(const char *line, bool masks, char *out, size_t size)
{
	char words[512];
	size_t len = strlen(line);

	memcpy(words, line, len);
	for (size_t i = 0; i < len; i++)
		words[i] = words[i] == '|' ? '\0' : words[i];
	return rs_args_mask_put(words, len, masks, out, size);
}

START_TEST(names_of_secrets_are_masked)
{
	char out[512];

	ck_assert_uint_eq(put(lines[_i].words, true, out, sizeof out), strlen(lines[_i].masked));
	ck_assert_str_eq(out, lines[_i].masked);
}
END_TEST

START_TEST(plain_words_are_joined)
{
	char out[64];

	put("db|--password|x|", false, out, sizeof out);
	ck_assert_str_eq(out, "db --password x");
}
END_TEST

/* Every size, of every line: the text ends inside of it, and no secret comes back. */
START_TEST(what_does_not_fit_is_cut)
{
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		for (size_t size = 1; size < 100; size++) {
			char *out = malloc(size);
			size_t len = put(lines[i].words, true, out, size), whole = strlen(lines[i].masked);

			ck_assert_uint_eq(len, whole < size ? whole : size - 1);
			ck_assert_uint_eq(strlen(out), len);
			ck_assert(!strstr(out, "hunter"));
			if (whole >= size && size > 3)
				ck_assert_str_eq(out + len - 3, "...");
			free(out);
		}
}
END_TEST

Suite *rs_suite_args_mask(void);
Suite *rs_suite_args_mask(void)
{
	Suite *s = suite_create("args-mask");
	TCase *t = tcase_create("core");

	tcase_add_loop_test(t, names_of_secrets_are_masked, 0, (int)(sizeof lines / sizeof *lines));
	tcase_add_test(t, plain_words_are_joined);
	tcase_add_test(t, what_does_not_fit_is_cut);
	suite_add_tcase(s, t);
	return s;
}
