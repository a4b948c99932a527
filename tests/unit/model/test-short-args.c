// SPDX-License-Identifier: GPL-2.0-or-later
/* test-short-args - what tells a process from others of its name */
#include <check.h>
#include <string.h>

#include "model/short-args.h"

#define OTHERS(...) { __VA_ARGS__, NULL }
#define LONG "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct { const char *comm, *args, *others[4], *text; } cases[] = {
	{ "python3", "python3 server.py", OTHERS("python3 worker.py"), "python3 server.py" },
	{ "python3", "/usr/bin/python3 -u -W ignore /srv/app/server.py --port 80", OTHERS("python3 worker.py"),
	  "python3 server.py" },
	{ "python3", "python3 -m http.server 80", OTHERS("python3 -m pip install x"), "python3 -m http.server" },
	{ "java", "java -Xmx2g -cp a:b -jar /opt/shop.jar", OTHERS("java -Xmx4g -jar bank.jar"), "java -jar shop.jar" },
	{ "java", "java -cp a:b org.Main", OTHERS("java -cp a:b org.Other"), "java org.Main" },
	/* the same program: the argument that no other has, with its option */
	{ "python3", "python3 server.py -v --port 80", OTHERS("python3 server.py -v --port 81"),
	  "python3 server.py --port 80" },
	{ "python3", "python3 server.py --port=80", OTHERS("python3 server.py --port=81", "python3 worker.py"),
	  "python3 server.py --port=80" },
	{ "python3", "python3 server.py 1 2", OTHERS("python3 server.py 1 3", "python3 server.py 4 2"),
	  "python3 server.py 1" },
	/* of what is no interpreter */
	{ "nginx", "/usr/sbin/nginx -c /etc/a.conf", OTHERS("/usr/sbin/nginx -c /etc/b.conf"), "nginx -c a.conf" },
	{ "cc1", "/usr/lib/cc1 -quiet -I src a.c -o a.s", OTHERS("/usr/lib/cc1 -quiet -I src b.c -o b.s"), "cc1 a.c" },
	/* the same command line, or what has less than all others, tells nothing */
	{ "nginx", "nginx -g x", OTHERS("nginx -g x"), NULL },
	{ "python3", "python3 server.py", OTHERS("python3 server.py --debug"), NULL },
	{ "python3", "python3 server.py", OTHERS("python3 server.py --debug", "python3 x.py"), "python3 server.py" },
	{ "python3", "python3 server.py", OTHERS("python3 server.py", "python3 x.py"), "python3 server.py" },
	{ "python3", "python3", OTHERS("python3 x.py"), NULL },
	{ "python3", "python3 x.py", { NULL }, NULL },
	/* a script by its own name, titles, what is long or hostile */
	{ "server.py", "/usr/bin/python3 ./server.py --port 80", OTHERS("/usr/bin/python3 ./server.py --port 81"),
	  "server.py --port 80" },
	{ "nginx", "nginx: worker process", OTHERS("nginx: master process nginx -g x"), "nginx: worker process" },
	{ "postgres", "postgres: app shop 10.0.0.1(4711) SELECT waiting for a", OTHERS("postgres: checkpointer"),
	  "postgres: app shop 10.0.0.1(4711) SELECT wai..." },
	{ "sh", "sh /x/" LONG, OTHERS("sh y"), "sh aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." },
	{ "sh", "sh aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xc3\xa4" LONG, OTHERS("sh y"),
	  "sh aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." },
	{ "python3", "/opt/bin/python3.11 server.py", OTHERS("python3 worker.py"), "python3 server.py" },
	{ "ls", "ls /", OTHERS("ls /tmp/"), "ls /" },
	{ "ls", "ls /tmp/", OTHERS("ls /"), "ls /tmp/" },
	{ "x", "  ", OTHERS("x y"), NULL },
};

START_TEST(the_shortest_that_differs)
{
	char buf[RS_SHORT_ARGS_BYTES];
	struct rs_short_args a;
	const char *text;

	rs_short_args_begin(&a, cases[_i].comm, cases[_i].args);
	for (unsigned int i = 0; cases[_i].others[i]; i++)
		rs_short_args_add_other(&a, cases[_i].others[i]);
	text = rs_short_args_text(&a, buf, sizeof buf);
	ck_assert_msg(text == cases[_i].text || (text && cases[_i].text && !strcmp(text, cases[_i].text)),
		      "%s: '%s', expected '%s'", cases[_i].args, text ? text : "-",
		      cases[_i].text ? cases[_i].text : "-");
}
END_TEST

START_TEST(another_that_is_not_known_may_be_any)
{
	char buf[RS_SHORT_ARGS_BYTES];
	struct rs_short_args a;

	rs_short_args_begin(&a, "python3", "python3 server.py");
	rs_short_args_add_other(&a, NULL);
	ck_assert_str_eq(rs_short_args_text(&a, buf, sizeof buf), "python3 server.py");
}
END_TEST

/* What is the same in the next recording. */
static const struct { const char *comm, *args, *text; } lasting[] = {
	{ "python3", "/usr/bin/python3 -u /srv/server.py --port 80", "python3 server.py" },
	{ "python3", "python3 -m http.server 80", "python3 -m http.server" },
	{ "java", "java -cp a:b -jar /opt/shop.jar", "java -jar shop.jar" },
	{ "server.py", "/usr/bin/python3 ./server.py", NULL },
	{ "nginx", "nginx: worker process", "nginx worker process" },
	{ "nginx", "nginx: master process /usr/sbin/nginx -g x", "nginx master process" },
	{ "postgres", "postgres: app shop 10.0.0.1(4711) SELECT waiting", "postgres app shop" },
	{ "postgres", "postgres: 14/main: checkpointer ", "postgres 14/main: checkpointer" },
	{ "sshd", "sshd: root@pts/0", NULL },
	{ "cc1", "/usr/lib/cc1 -quiet a.c", NULL },
	{ "redis-server", "redis-server *:6379", NULL },
	{ "bash", "-bash", NULL },
	{ "x", "", NULL },
};

START_TEST(what_lasts)
{
	char buf[RS_SHORT_ARGS_BYTES];
	const char *text = rs_short_args_lasting(lasting[_i].comm, lasting[_i].args, buf, sizeof buf);

	ck_assert_msg(text == lasting[_i].text || (text && lasting[_i].text && !strcmp(text, lasting[_i].text)),
		      "%s: '%s', expected '%s'", lasting[_i].args, text ? text : "-",
		      lasting[_i].text ? lasting[_i].text : "-");
}
END_TEST

/* Which program an interpreter runs: equal numbers are one; "" has none. */
START_TEST(programs)
{
	static const struct { const char *a, *b; bool same; } pairs[] = {
		{ "python3 -u web.py --port 80", "/usr/bin/python3 web.py", true },
		{ "python3 web.py", "python3 batch.py", false },
		{ "python3 /a/main.py", "python3 /b/main.py", false },
		{ "python3 -m http.server", "python3 -m http.client", false },
		{ "java -Xmx2g -jar shop.jar", "java -jar shop.jar x", true },
		/* a text is no program, nor is what is no interpreter's */
		{ "sh -c a", "", true }, { "perl -e 1", "", true }, { "nginx -c x", "", true }, { "python3", "", true },
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		ck_assert_msg((rs_short_args_program(pairs[i].a) == rs_short_args_program(pairs[i].b)) == pairs[i].same,
			      "%s: %s", pairs[i].a, pairs[i].b);
	ck_assert(rs_short_args_interprets("python3.11") && rs_short_args_interprets("sh"));
	ck_assert(!rs_short_args_interprets("ssh") && !rs_short_args_interprets("shop") && !rs_short_args_interprets(""));
}
END_TEST

/* What several processes of a program are called, beside others. */
START_TEST(of_several)
{
	char buf[RS_SHORT_ARGS_BYTES];
	struct rs_short_args a;

	rs_short_args_begin(&a, "python3", "python3 /srv/batch.py --part 1");
	rs_short_args_add_other(&a, "python3 /srv/batch.py --part 2");
	ck_assert_ptr_null(rs_short_args_of_program(&a, buf, sizeof buf));
	rs_short_args_add_other(&a, "python3 web.py");
	ck_assert_str_eq(rs_short_args_of_program(&a, buf, sizeof buf), "python3 batch.py");
}
END_TEST

Suite *rs_suite_short_args(void);
Suite *rs_suite_short_args(void)
{
	Suite *s = suite_create("short-args");
	TCase *t = tcase_create("short-args");

	tcase_add_loop_test(t, the_shortest_that_differs, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_test(t, another_that_is_not_known_may_be_any);
	tcase_add_loop_test(t, what_lasts, 0, (int)(sizeof lasting / sizeof *lasting));
	tcase_add_test(t, programs);
	tcase_add_test(t, of_several);
	suite_add_tcase(s, t);
	return s;
}
