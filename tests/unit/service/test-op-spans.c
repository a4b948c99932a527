// SPDX-License-Identifier: GPL-2.0-or-later
/* test-op-spans - the requests about tracks and spans, over a recording of lines, as a client asks them */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "rpc/client.h"
#include "daemon/serve.h"
#include "lines.h"
#include "raw-client.h"

static struct rs_source *source;
static struct rs_client *client;
static pthread_t engine;
static struct rs_serve_config config;
static cJSON *answer;
static char *printed;

/*
 * a (10) reads and sleeps meanwhile, b (11) wakes it; both are threads of 10. A request of 8,0. Then c (12), and a call
 * that does not return, for which a request of 8,16 is in flight.
 */
static const char *const lines[] = {
	"seed a/10 pid=10", "seed b/11 pid=10", "seed c/12 pid=12",
	"1000 cpu0 sched_switch idle/0 R -> a/10",
	"1000 cpu1 sched_switch idle/0 R -> b/11",
	"1100 cpu0 sys_enter t=10 nr=read 3",
	"1200 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
	"1300 cpu0 sched_switch a/10 S -> idle/0",
	"1700 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
	"1800 cpu1 sched_waking a/10 target=0 by b/11",
	"1900 cpu0 sched_switch idle/0 R -> a/10",
	"2000 cpu0 sys_exit t=10 nr=read ret=1",
	"2100 cpu1 sched_switch b/11 S -> c/12",
	"2200 cpu1 sys_enter t=12 nr=write 1",
	"2500 cpu1 block_rq_issue t=12 8,16 W 512 sector=7 nr=1 comm=c",
	"3000 cpu1 sched_switch c/12 S -> idle/0",
	NULL,
};

static void *serve(void *arg)
{
	struct rs_error err = { 0 };

	rs_serve_file(&config, source, 1000, &err);
	return NULL;
}

/* members: JSON, the quotes as ' */
static void ask(const char *op, const char *members)
{
	struct rs_json *j = raw_begin(op);
	char text[1024];
	size_t n = 0;

	for (; members[n] && n + 1 < sizeof text; n++)
		text[n] = members[n] == '\'' ? '"' : members[n];
	text[n] = '\0';
	rs_json_splice(j, text, n);
	cJSON_Delete(answer);
	answer = raw_send(rs_client_fd(client), -1);
}

/* A member of the answer, with ' for quotes; all of it for NULL. */
static const char *said(const char *member)
{
	const cJSON *m = member ? cJSON_GetObjectItem(answer, member) : answer;

	cJSON_free(printed);
	printed = m ? cJSON_PrintUnformatted(m) : NULL;
	for (char *p = printed; p && (p = strchr(p, '"'));)
		*p = '\'';
	return printed ? printed : "none";
}

static void begin_with(const char *const *of)
{
	struct rs_error err = { 0 };
	int fds[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	source = rs_lines_source(of, &rs_layouts[0]);
	config = (struct rs_serve_config){
		.source = "file", .path = "lines", .window_bytes = 1 << 20, .listen_fd = -1, .client_fd = fds[0],
	};
	for (size_t i = 0; rs_plugins_all()[i]; i++)
		config.session.analyses[config.session.nr_analyses++] = rs_plugins_all()[i];
	ck_assert_int_eq(pthread_create(&engine, NULL, serve, NULL), 0);
	client = rs_client_new(fds[1], &err);
	ck_assert_msg(client && rs_client_hello(client, "test", &err) == 0, "%s", err.text);
	do
		ask("state", "");
	while (!cJSON_IsTrue(cJSON_GetObjectItem(answer, "ended")));
}

static void begin(void)
{
	begin_with(lines);
}

static void end(void)
{
	rs_client_free(client);
	pthread_join(engine, NULL);
	source->ops->close(source);
	cJSON_Delete(answer);
	cJSON_free(printed);
	answer = NULL;
	printed = NULL;
}

START_TEST(which_tracks_there_are)
{
	ask("tracks", "'of':'cpu'");
	ck_assert_str_eq(said("tracks"),
		"[{'track':'cpu:0','of':'cpu','label':'CPU 0','vcpu':null,'pid':null,'tid':null,'kernel_thread':false,'spans':2,'activity':null,'involved':null,'lanes':['state']},"
		"{'track':'cpu:1','of':'cpu','label':'CPU 1','vcpu':null,'pid':null,'tid':null,'kernel_thread':false,'spans':2,'activity':null,'involved':null,'lanes':['state']}]");
	ask("tracks", "'pid':10,'of':'task'");
	ck_assert_str_eq(said("tracks"),
		"[{'track':'task:10.0','of':'task','label':'a','vcpu':null,'pid':10,'tid':10,'kernel_thread':false,'spans':5,'activity':null,'involved':null,'lanes':['slice','state']},"
		"{'track':'task:11.0','of':'task','label':'b','vcpu':null,'pid':10,'tid':11,'kernel_thread':false,'spans':2,'activity':null,'involved':null,'lanes':['state']}]");
	ask("tracks", "'of':'disk'");
	ck_assert_str_eq(said("tracks"),
		"[{'track':'disk:8:0','of':'disk','label':'8,0','vcpu':null,'pid':null,'tid':null,'kernel_thread':false,'spans':2,'activity':null,'involved':null,'lanes':['state','async']},"
		"{'track':'disk:8:16','of':'disk','label':'8,16','vcpu':null,'pid':null,'tid':null,'kernel_thread':false,'spans':1,'activity':null,'involved':null,'lanes':['async']}]");
	/* of 1000 ns a runs from 1000, sleeps from 1300, waits for a CPU from 1800: half of it is active */
	ask("tracks", "'tid':10,'of':'task','from_ns':1000,'to_ns':1999");
	ck_assert_msg(strstr(said("tracks"), "'activity':500,") != NULL, "%s", said("tracks"));
	/* b woke a at 1800; a alone had a request in 8,0 */
	ask("tracks", "'of':'task','near':['task:10.0','disk:8:0'],'near_from_ns':1500,'near_to_ns':1900");
	ck_assert_ptr_nonnull(strstr(said("tracks"), "'task:10.0','of':'task','label':'a','vcpu':null,'pid':10,'tid':10,'kernel_thread':false,'spans':5,'activity':null,'involved':null"));
	ck_assert_ptr_nonnull(strstr(said("tracks"), "'spans':2,'activity':null,'involved':'waker'"));
	ask("tracks", "'of':'task','near':['task:11.0']");
	ck_assert_ptr_nonnull(strstr(said("tracks"), "'spans':5,'activity':null,'involved':'woken'"));
	ask("tracks", "'of':'task','near':['task:12.0','disk:8:0'],'limit':1"); /* before the busiest */
	ck_assert_ptr_nonnull(strstr(said("tracks"), "'task:10.0'"));
	ck_assert_ptr_nonnull(strstr(said("tracks"), "'involved':'same disk'"));
	ask("tracks", "'of':'task','near':['task:11.0'],'near_from_ns':1801");
	ck_assert_ptr_null(strstr(said("tracks"), "woken"));
	ask("tracks", "'near':['task']");
	ck_assert_str_eq(said("error"), "'near: 'task' is no track'");
	ask("tracks", "'of':'task','limit':1"); /* the busiest */
	ck_assert_ptr_nonnull(strstr(said("tracks"), "task:10.0"));
	ck_assert_ptr_null(strstr(said("tracks"), "task:11.0"));
}
END_TEST

/* A kernel thread comes last, however many spans it has. */
START_TEST(kernel_threads_come_last)
{
	end();
	begin_with(LINES("seed kworker/20 kernel=1", "seed a/30 pid=30", "1000 cpu0 sched_switch idle/0 R -> kworker/20",
			 "1100 cpu0 sched_switch kworker/20 S -> idle/0", "1200 cpu0 sched_waking kworker/20 target=0 by idle/0",
			 "1300 cpu0 sched_switch idle/0 R -> kworker/20", "1400 cpu0 sched_switch kworker/20 S -> a/30",
			 "1500 cpu0 sched_switch a/30 S -> idle/0", "1600 cpu0 sched_switch idle/0 R -> kworker/20",
			 "1700 cpu0 sched_switch kworker/20 S -> idle/0"));
	ask("tracks", "'of':'task'");
	ck_assert_ptr_nonnull(strstr(said("tracks"), "[{'track':'task:30.0','of':'task','label':'a',"));
	ck_assert_ptr_nonnull(strstr(printed, "{'track':'task:20.0','of':'task','label':'kworker',"));
	ask("tracks", "'of':'task','limit':1"); /* so none is chosen before another */
	ck_assert_ptr_nonnull(strstr(said("tracks"), "task:30.0"));
}
END_TEST

/* 1000 to 2000 in cells of 100: a runs, sleeps for its call, waits for the CPU, and runs. b woke it. */
START_TEST(spans_have_styles)
{
	ask("spans", "'tracks':['task:10.0','task:11.0'],'from_ns':1000,'to_ns':2000,'cells':10");
	ck_assert_str_eq(said("cell_ns"), "100");
	ck_assert_str_eq(said("labels"), "['read','run','S (sleep)','delay']");
	ck_assert_ptr_nonnull(strstr(said("tracks"), "{'lane':'slice','depth':0,'runs':[[1,10,"));
	ck_assert_ptr_nonnull(strstr(said("tracks"), "'lane':'state','depth':0,'runs':[[0,3,"));
	ck_assert_str_eq(said("arrows"), "[{'from':'task:11.0','to':'task:10.0','at_ns':1800}]");
	ask("spans", "'tracks':['task:10.0'],'from_ns':1000,'to_ns':2000,'cells':10");
	ck_assert_str_eq(said("arrows"), "[]"); /* b is not shown */
	ask("spans", "'tracks':['disk:8:16'],'from_ns':2000,'to_ns':3000,'cells':10");
	ck_assert_ptr_nonnull(strstr(said("tracks"), "[{'lane':'async','depth':0,'runs':[[5,10,"));
	ck_assert_str_eq(said("labels"), "['W 512']");
}
END_TEST

/* Of the 900 ns of the read, a runs for 300, sleeps for 500 and waits for a CPU for 100. */
START_TEST(a_span_and_its_waker)
{
	ask("span", "'track':'task:10.0','lane':'slice','at_ns':1500");
	ck_assert_ptr_nonnull(strstr(said("span"), "'label':'read','start_ns':1100,'end_ns':2000,'depth':0,'open':false,"
				     "'longer':false,'cause':'sleep','on':null,'comm':'a','pid':10,'tid':10}"));
	ck_assert_str_eq(said("waker"), "{'track':'task:11.0','tid':11,'comm':'b','at_ns':1800}");
	ask("span", "'track':'task:10.0','lane':'state','at_ns':1400"); /* asleep */
	ck_assert_str_eq(said("waker"), "{'track':'task:11.0','tid':11,'comm':'b','at_ns':1800}");
	ask("span", "'track':'task:10.0','lane':'state','at_ns':1950"); /* runs */
	ck_assert_str_eq(said("waker"), "{'track':'task:11.0','tid':11,'comm':'b','at_ns':1800}");
	ask("span", "'track':'cpu:0','lane':'state','at_ns':1950"); /* the same on its CPU */
	ck_assert_ptr_nonnull(strstr(said("span"), "'label':'a/10'"));
	ck_assert_ptr_nonnull(strstr(said("span"), "'comm':'a','pid':10,'tid':10}"));
	ck_assert_str_eq(said("waker"), "{'track':'task:11.0','tid':11,'comm':'b','at_ns':1800}");
	ask("span", "'track':'task:10.0','lane':'state','at_ns':1100"); /* ran before anybody was seen to wake it */
	ck_assert_str_eq(said("waker"), "null");
	ask("span", "'track':'task:12.0','lane':'slice','at_ns':2500");
	ck_assert_ptr_nonnull(strstr(said("span"), "'open':true"));
	ask("span", "'track':'disk:8:16','lane':'async','at_ns':2700");
	ck_assert_ptr_nonnull(strstr(said("span"), "'label':'W 512','start_ns':2500,'end_ns':3000,'depth':0,'open':true,"
				     "'longer':false,'cause':null,'on':'8,16','comm':'c','pid':12,'tid':12}"));
	ask("span", "'track':'task:77.0','lane':'slice','at_ns':2500");
	ck_assert_str_eq(said("span"), "null");
}
END_TEST

/* A name and its value, of those that were told. */
static const char *detail(const char *name)
{
	const cJSON *at;

	cJSON_ArrayForEach(at, cJSON_GetObjectItem(answer, "details")) {
		if (strcmp(cJSON_GetObjectItem(at, "name")->valuestring, name))
			continue;
		cJSON_free(printed);
		printed = cJSON_PrintUnformatted(cJSON_GetObjectItem(at, "value"));
		return printed;
	}
	return "none";
}

/* What a timeline does not keep is read again. */
START_TEST(details)
{
	ask("details", "'track':'task:10.0','kind':'syscall','from_ns':1100,'to_ns':2000");
	ck_assert_str_eq(detail("ret"), "1");
	ck_assert_str_eq(detail("args"), "\"0x3 0x0 0x0\"");
	ask("details", "'track':'disk:8:0','kind':'request','from_ns':1200,'to_ns':1700");
	ck_assert_str_eq(detail("sector"), "100");
	ask("details", "'track':'cpu:0','kind':'slice','from_ns':1000,'to_ns':1300");
	ck_assert_str_eq(detail("state"), "\"S\"");
	ask("details", "'track':'task:10.0','kind':'state','from_ns':1300,'to_ns':1800"); /* the call began before it */
	ck_assert_str_eq(detail("syscall"), "\"read\"");
	ask("details", "'track':'task:12.0','kind':'syscall','from_ns':2200,'to_ns':3000"); /* it has not returned */
	ck_assert_str_eq(detail("ret"), "null");
	ask("details", "'track':'disk:8:16','kind':'request','from_ns':2500,'to_ns':3000"); /* it is not complete */
	ck_assert_str_eq(detail("sector"), "7");
	ask("details", "'track':'task:10.0','kind':'syscall','from_ns':1101,'to_ns':2000"); /* no such span */
	ck_assert_str_eq(said("details"), "[]");
	ask("details", "'track':'task:10.0','kind':'syscall','from_ns':2000,'to_ns':1100");
	ck_assert_str_eq(said("ok"), "false");
}
END_TEST

START_TEST(steps)
{
	ask("step", "'track':'task:10.0','lane':'state'");
	ck_assert_ptr_nonnull(strstr(said("span"), "'start_ns':1000,'end_ns':1300"));
	ask("step", "'track':'task:10.0','lane':'state','than':{'start_ns':1000,'end_ns':1300}");
	ck_assert_ptr_nonnull(strstr(said("span"), "'start_ns':1300,'end_ns':1800"));
	ask("step", "'track':'task:10.0','lane':'state','back':true,'than':{'start_ns':1000,'end_ns':1300}");
	ck_assert_str_eq(said("span"), "null");
	ask("step", "'tracks':['task:10.0','disk:8:0'],'than':{'start_ns':1000,'end_ns':1300}");
	ck_assert_ptr_nonnull(strstr(said("span"), "'track':'disk:8:0','lane':'state'")); /* whom it serves */
}
END_TEST

START_TEST(latencies)
{
	ask("latencies", "'kind':'syscall','as':'histogram'");
	ck_assert_str_eq(said("count"), "2"); /* and what is open */
	ck_assert_str_eq(said("max_ns"), "900");
	ck_assert_str_eq(said("buckets"), "[[512,1024,2]]");
	ask("latencies", "'kind':'syscall','as':'histogram','label':['read','pread64']");
	ck_assert_str_eq(said("count"), "1");
	ask("latencies", "'kind':'syscall','as':'histogram','pid':12");
	ck_assert_str_eq(said("avg_ns"), "800");
	ask("latencies", "'kind':'syscall','as':'histogram','pid':99");
	ck_assert_str_eq(said("avg_ns"), "null");
	ask("latencies", "'kind':'request','track':'disk:8:0','as':'slowest'");
	ck_assert_ptr_nonnull(strstr(said("spans"), "'start_ns':1200,'end_ns':1700,'depth':null,'open':false,"
				     "'longer':false,'cause':null,'on':'8,0','comm':'a','pid':10,'tid':10}"));
	ask("latencies", "'kind':'request','pid':10,'as':'histogram'");
	ck_assert_str_eq(said("count"), "1");
	ask("latencies", "'kind':'request','tid':11,'as':'histogram'");
	ck_assert_str_eq(said("count"), "0");
	ask("latencies", "'kind':'syscall','as':'heat','columns':4,'from_ns':1000,'to_ns':3001");
	ck_assert_str_eq(said("cell_ns"), "501");
	ck_assert_str_eq(said("rows"), "[{'from_ns':768,'to_ns':1024,'counts':[0,1,0,1],'sums_ns':[0,900,0,800]}]");
	ck_assert_str_eq(said("count"), "2");
	ck_assert_str_eq(said("p50_ns"), "800"); /* what the colors of a heat map are by: of 800 and 900 the first */
	ask("latencies", "'kind':'slice','as':'histogram','pid':12");
	ck_assert_str_eq(said("max_ns"), "900");
	ask("worst", "'limit':1");
	ck_assert_str_eq(said("worst"), "[]"); /* none takes ten microseconds */
}
END_TEST

/* An expression over what a span, a track has; a thread passes by the name of its process, too: b is one of a's. */
START_TEST(which_pass_a_filter)
{
	static const struct { const char *where, *count; } calls[] = {
		{ "comm == c", "1" }, { "comm ~ a", "1" }, { "pid == 10 || pid == 12", "2" }, { "latency > 850ns", "1" },
		{ "label == read", "1" }, { "kind == request", "0" }, { "cpu == 0", "0" }, { "dev == -", "2" },
	};
	static const struct { const char *where, *has[3], *lacks; } tracks[] = {
		{ "comm == a", { "task:10.0", "task:11.0" }, "cpu:0" },
		{ "comm == b", { "task:11.0" }, "task:10.0" },
		{ "cpu == 1", { "cpu:1" }, "cpu:0" },
		{ "dev == '8,16'", { "disk:8:16" }, "disk:8:0" },
		{ "pid == 12", { "task:12.0" }, "task:10.0" },
	};
	char members[256];

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		snprintf(members, sizeof members, "'kind':'syscall','as':'histogram','where':'%s'", calls[i].where);
		ask("latencies", members);
		ck_assert_msg(!strcmp(said("count"), calls[i].count), "%s: %s", calls[i].where, said(NULL));
	}
	ask("latencies", "'kind':'request','as':'histogram','where':'dev ~ 8,0 && comm == a'");
	ck_assert_str_eq(said("count"), "1");
	for (size_t i = 0; i < sizeof tracks / sizeof *tracks; i++) {
		struct rs_json *j = raw_begin("tracks");

		rs_json_put_str(j, "where", tracks[i].where);
		cJSON_Delete(answer);
		answer = raw_send(rs_client_fd(client), -1);
		for (size_t n = 0; n < 3 && tracks[i].has[n]; n++)
			ck_assert_msg(strstr(said("tracks"), tracks[i].has[n]), "%s: %s", tracks[i].where, said(NULL));
		ck_assert_msg(!strstr(said("tracks"), tracks[i].lacks), "%s: %s", tracks[i].where, said(NULL));
	}
	ask("tracks", "'of':'task','limit':1,'where':'pid == 12'"); /* the busiest of those that pass */
	ck_assert_ptr_nonnull(strstr(said("tracks"), "task:12.0"));
}
END_TEST

static unsigned int kind_number(const char *name)
{
	const struct rs_catalogue *c = rs_client_catalogue(client);

	for (size_t i = 0; i < c->nr_kinds; i++)
		if (!strcmp(c->kinds[i].name, name))
			return c->kinds[i].number;
	ck_abort_msg("no kind %s", name);
}

static void check_kind(const char *kind, const char *cause, const char *count, const char *total_ns)
{
	char text[128];

	snprintf(text, sizeof text, "{'kind':%u,'cause':%s,'count':%s,'total_ns':%s}", kind_number(kind), cause, count,
		 total_ns);
	ck_assert_msg(strstr(said("kinds"), text), "%s: %s", text, said("kinds"));
}

/*
 * Of thread 10: its states by cause (to 1300 and from 1900 to the end it ran, and slept between), its call, its request.
 * Others of its process, and of a disk, are not in it.
 */
START_TEST(kinds)
{
	ask("kinds", "'tid':10");
	check_kind("state", "'run'", "2", "1400");
	check_kind("state", "'sleep'", "1", "500");
	check_kind("state", "'delay'", "1", "100");
	check_kind("syscall", "null", "1", "900");
	check_kind("request", "'disk'", "1", "500");
	ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "kinds")), 7); /* and the CPU's slices, and that the disk served it */
	ask("kinds", "'pid':10"); /* b ran from 1000 to 2100 */
	check_kind("state", "'run'", "3", "2500");
	ask("kinds", "'tid':10,'from_ns':1800,'to_ns':1899"); /* a span belongs to the time in which it ends */
	check_kind("state", "'sleep'", "1", "500");
	ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "kinds")), 1);
	ask("kinds", "'where':'kind == request && dev ~ 8,0'"); /* as the screens that a filter is set for */
	check_kind("request", "'disk'", "1", "500");
	ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "kinds")), 1);
	ask("kinds", "'track':'disk:8:0'");
	check_kind("request", "'disk'", "1", "500");
	ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "kinds")), 2); /* and that it was served */
	ask("kinds", "'tid':99");
	ck_assert_str_eq(said("kinds"), "[]");
	ck_assert_str_eq(rs_client_catalogue(client)->kinds[kind_number("request")].cause, "disk");
	ck_assert_ptr_null(rs_client_catalogue(client)->kinds[kind_number("state")].cause);
}
END_TEST

START_TEST(what_makes_no_sense)
{
	static const struct { const char *op, *members, *code; } bad[] = {
		{ "tracks", "'of':'moon'", "usage" },
		{ "tracks", "'pid':-1", "usage" },
		{ "tracks", "'from_ns':5,'to_ns':5", "usage" },
		{ "spans", "", "usage" },
		{ "spans", "'tracks':['cpu']", "usage" },
		{ "spans", "'tracks':['cpu:4294967296']", "usage" },
		{ "spans", "'tracks':['task:1']", "usage" },
		{ "spans", "'tracks':[7]", "usage" },
		{ "spans", "'tracks':['cpu:0'],'cells':0", "usage" },
		{ "spans", "'tracks':['cpu:0'],'cells':1025", "usage" },
		{ "spans", "'tracks':['cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0',"
			   "'cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0',"
			   "'cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0','cpu:0'],'cells':1000", "limit" },
		{ "span", "'track':'cpu:0'", "usage" },
		{ "span", "'track':'cpu:0','lane':'state'", "usage" },
		{ "span", "'track':'cpu:0','lane':'state','start_ns':5,'end_ns':4", "usage" },
		{ "span", "'track':'cpu:0','lane':'fast','at_ns':1", "usage" },
		{ "step", "'track':'cpu:0','than':{'start_ns':5}", "usage" },
		{ "step", "'track':'cpu:0','than':7", "usage" },
		{ "latencies", "'kind':'nothing','as':'heat'", "usage" },
		{ "latencies", "'kind':99,'as':'heat'", "usage" },
		{ "latencies", "'as':'heat'", "usage" },
		{ "latencies", "'kind':0", "usage" },
		{ "latencies", "'kind':0,'as':'heat','columns':0", "usage" },
		{ "latencies", "'kind':'irq','as':'histogram','pid':1", "usage" },
		{ "latencies", "'kind':0,'as':'slowest','limit':100000", "usage" },
		{ "latencies", "'kind':0,'as':'slowest','label':[1]", "usage" },
		{ "kinds", "'track':'moon'", "usage" },
		{ "kinds", "'where':'nonsense == 1'", "usage" },
		{ "kinds", "'from_ns':5,'to_ns':5", "usage" },
		{ "worst", "'limit':51", "usage" },
		{ "worst", "'where':'comm'", "usage" },
		{ "latencies", "'kind':0,'as':'histogram','where':'nonsense == 1'", "usage" },
		{ "tracks", "'where':'latency > 1ms'", "usage" },
		{ "tracks", "'where':7", "usage" },
		{ "open", "'where':''", "usage" },
		{ "findings", "'where':'tid == 1'", "usage" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ask(bad[i].op, bad[i].members);
		ck_assert_msg(cJSON_IsFalse(cJSON_GetObjectItem(answer, "ok")), "%s %s", bad[i].op, bad[i].members);
		ck_assert_str_eq(cJSON_GetObjectItem(answer, "code")->valuestring, bad[i].code);
	}
	ask("tracks", "'of':'cpu'"); /* and it goes on */
	ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(answer, "ok")));
}
END_TEST

/* a has CPU 1; b takes it for 400, then c, then a again. And from another CPU's idleness nobody has taken anything. */
START_TEST(the_task_that_took_the_cpu)
{
	static const char *const taken[] = {
		"seed a/10 pid=10", "seed b/11 pid=11", "seed c/12 pid=12",
		"1000 cpu1 sched_switch idle/0 R -> a/10",
		"1100 cpu0 sched_switch idle/0 R -> c/12",
		"1500 cpu1 sched_switch a/10 R -> b/11",
		"1600 cpu0 sched_switch c/12 R -> idle/0",
		"1900 cpu1 sched_switch b/11 S -> c/12",
		"2000 cpu1 sched_switch c/12 S -> a/10",
		"2600 cpu1 sched_switch a/10 S -> idle/0",
		NULL,
	};

	begin_with(taken);
	ask("span", "'track':'task:10.0','lane':'state','at_ns':1700"); /* preempted, 1500 to 2000 */
	ck_assert_ptr_nonnull(strstr(said("span"), "'start_ns':1500,'end_ns':2000"));
	ck_assert_str_eq(said("taker"), "{'track':'task:11.0','tid':11,'comm':'b','ran_ns':400}");
	ask("span", "'track':'task:10.0','lane':'state','at_ns':1200"); /* it runs */
	ck_assert_str_eq(said("taker"), "null");
	ask("span", "'track':'task:12.0','lane':'state','at_ns':1700"); /* preempted, and nobody has that CPU */
	ck_assert_ptr_nonnull(strstr(said("span"), "'label':'preempted'"));
	ck_assert_str_eq(said("taker"), "null");
	end();
}
END_TEST

/* A shell that waits for its child is not slow itself, nor does n stop there: the read is. */
START_TEST(what_waits_for_a_child)
{
	static const char *const waits[] = {
		"seed a/10 pid=10", "seed b/11 pid=11",
		"1000 cpu0 sched_switch idle/0 R -> a/10",
		"2000 cpu0 sys_enter t=10 nr=wait4 1",
		"3000 cpu0 sched_switch a/10 S -> b/11",
		"4000 cpu0 sys_enter t=11 nr=read 3",
		"5000 cpu0 sched_switch b/11 D -> idle/0",
		"900000 cpu0 sched_waking b/11 target=0 by idle/0 irq",
		"900100 cpu0 sched_switch idle/0 R -> b/11",
		"900200 cpu0 sys_exit t=11 nr=read ret=1",
		"900300 cpu0 sched_waking a/10 target=0 by b/11",
		"990000 cpu0 sched_switch b/11 S -> a/10",
		"991000 cpu0 sys_exit t=10 nr=wait4 ret=11",
		"992000 cpu0 sched_switch a/10 S -> idle/0",
		NULL,
	};

	begin_with(waits);
	ask("worst", "'limit':9");
	ck_assert_ptr_nonnull(strstr(said("worst"), "'label':'read'"));
	ck_assert_ptr_null(strstr(said("worst"), "'label':'wait4'"));
	ask("step", "'track':'task:10.0','by':'length','lane':'slice'");
	ck_assert_str_eq(said("span"), "null");
	/* of all tracks, named or not: the read of 11, 5000 to 900200, or the wait in it is the longest, as `worst` has it */
	ask("step", "'by':'length','lane':'slice'");
	ck_assert_ptr_nonnull(strstr(said("span"), "'label':'read'"));
	end();
}
END_TEST

/* The label of a run of the first track's first row. */
static int label_of_first(int run)
{
	const cJSON *track = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "tracks"), 0),
		    *row = cJSON_GetArrayItem(cJSON_GetObjectItem(track, "lanes"), 0),
		    *of = cJSON_GetArrayItem(cJSON_GetObjectItem(row, "runs"), run);

	ck_assert_ptr_nonnull(of);
	return cJSON_GetArrayItem(of, 3)->valueint;
}

/* One runs, one sleeps in D, one sleeps: together they run, then wait: in D while another runs, too, then for a CPU. */
START_TEST(all_of_a_name)
{
	static const char *const named[] = {
		"seed x/10 pid=10", "seed x/11 pid=11", "seed x/13 pid=13", "seed y/12 pid=12",
		"1000 cpu0 sched_switch idle/0 R -> x/10",
		"1000 cpu1 sched_switch idle/0 R -> x/13",
		"1001 cpu1 sched_switch x/13 S -> y/12",
		"1200 cpu0 sched_switch x/10 D -> x/11",
		"1300 cpu0 sched_switch x/11 S -> idle/0",
		"1500 cpu0 sched_waking x/10 target=0 by idle/0 irq",
		"1500 cpu0 sched_waking x/13 target=0 by idle/0 irq",
		"1500 cpu0 sched_switch idle/0 R -> x/10",
		"1600 cpu0 sched_switch x/10 S -> x/13",
		"1700 cpu0 sched_switch x/13 S -> idle/0",
		NULL,
	};

	begin_with(named);
	ask("spans", "'tracks':['tasks:x','tasks:none'],'from_ns':1000,'to_ns':1600,'cells':6");
	ck_assert_str_eq(said("labels"), "['run','D','delay']");
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(label_of_first(i), i < 2 ? 0 : i < 5 ? 1 : 2);
	ck_assert_ptr_nonnull(strstr(said("tracks"), "{'track':'tasks:none','lanes':[]}"));
	ask("spans", "'tracks':['tasks:']");
	ck_assert(cJSON_IsFalse(cJSON_GetObjectItem(answer, "ok")));
	end();
}
END_TEST

Suite *rs_suite_op_spans(void)
{
	Suite *s = suite_create("op-spans");
	TCase *c = tcase_create("op-spans"), *others = tcase_create("of other lines");

	tcase_add_checked_fixture(c, begin, end);
	tcase_add_test(c, which_tracks_there_are);
	tcase_add_test(c, kernel_threads_come_last);
	tcase_add_test(c, spans_have_styles);
	tcase_add_test(c, a_span_and_its_waker);
	tcase_add_test(c, details);
	tcase_add_test(c, steps);
	tcase_add_test(c, latencies);
	tcase_add_test(c, which_pass_a_filter);
	tcase_add_test(c, kinds);
	tcase_add_test(c, what_makes_no_sense);
	tcase_add_test(others, the_task_that_took_the_cpu);
	tcase_add_test(others, what_waits_for_a_child);
	tcase_add_test(others, all_of_a_name);
	suite_add_tcase(s, c);
	suite_add_tcase(s, others);
	return s;
}
