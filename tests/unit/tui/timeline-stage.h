/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline-stage.h - a timeline of three tracks, as an engine answers: for the tests of its screen */
#ifndef RS_TEST_TIMELINE_STAGE_H
#define RS_TEST_TIMELINE_STAGE_H

#include "tui-stage.h"

#define TRACKS \
	REPLY("tracks", NULL, "\"tracks\":[" \
	      "{\"track\":\"cpu:0\",\"of\":\"cpu\",\"label\":\"CPU 0\",\"pid\":null,\"tid\":null,\"lanes\":[\"state\"]}," \
	      "{\"track\":\"task:7.0\",\"of\":\"task\",\"label\":\"sh\",\"pid\":7,\"tid\":7,\"lanes\":[\"state\",\"slice\"]}," \
	      "{\"track\":\"task:8.0\",\"of\":\"task\",\"label\":\"make\",\"pid\":7,\"tid\":8,\"lanes\":[\"state\"]}]")

/*
 * 100 to 110 s in cells of 0.25 s. sh runs, waits for a disk in its call, for the CPU, is preempted, sleeps; a wait in
 * the call; make woke it. States: run 1, delay 2, preempted 3, blocked 4 and the cause above two bytes.
 */
#define PICTURE \
	"\"from_ns\":100000000000,\"cell_ns\":250000000,\"cells\":40,\"tracks\":[" \
	"{\"track\":\"cpu:0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,8,0,0,0,1,8],[8,9,0,1,0,9,2],[10,20,0,1,0,1,8]]}]}," \
	"{\"track\":\"task:7.0\",\"lanes\":[" \
	"{\"lane\":\"slice\",\"depth\":0,\"runs\":[[3,16,1,2,0,1,8]]},{\"lane\":\"slice\",\"depth\":1,\"runs\":[[4,10,1,3,0,1,8]]}," \
	"{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,4,0,4,1,1,8],[4,12,0,5,279556,1,8],[12,14,0,6,2,1,8],[14,16,0,4,1,1,8]," \
	"[16,18,0,7,3,1,8],[18,40,0,8,676612,1,8]]},{\"lane\":\"instant\",\"depth\":0,\"runs\":[[5,6,1,2,0,1,1],[7,8,1,2,0,3,1],[9,10,1,2,0,30,1]]}]}," \
	"{\"track\":\"task:8.0\",\"lanes\":[]}]," \
	"\"labels\":[\"sh/7\",\"make/8\",\"read\",\"wait\",\"run\",\"D (disk)\",\"delay\",\"preempted\",\"S (sleep)\"]," \
	"\"arrows\":[{\"from\":\"task:8.0\",\"to\":\"task:7.0\",\"at_ns\":103100000000}]"

#define SPAN_OF(members) \
	"\"span\":{\"track\":\"task:7.0\",\"lane\":\"slice\",\"kind\":1,\"label\":\"read\",\"start_ns\":100750000000," \
	"\"end_ns\":104000000000,\"depth\":0,\"open\":false,\"longer\":false,\"comm\":\"sh\",\"pid\":7,\"tid\":7}" members

static const struct reply timeline_replies[] = {
	TRACKS,
	REPLY("spans", NULL, PICTURE),
	REPLY("span", "\"lane\":\"slice\"", SPAN_OF(",\"waker\":{\"track\":\"task:8.0\",\"tid\":8,\"comm\":\"make\",\"at_ns\":103100000000}")),
	REPLY("span", "task:8.0", "\"span\":{\"track\":\"task:8.0\",\"lane\":\"state\",\"kind\":0,\"label\":\"run\",\"start_ns\":103000000000,"
	      "\"end_ns\":103200000000,\"depth\":0,\"open\":false,\"longer\":false,\"comm\":\"make\",\"pid\":7,\"tid\":8},\"waker\":null"),
	REPLY("span", NULL, "\"span\":null"),
	REPLY("step", NULL, SPAN_OF("")),
	REPLY("details", NULL, "\"details\":[{\"name\":\"ret\",\"heading\":\"RET\",\"type\":\"id\",\"value\":-5},"
	      "{\"name\":\"args\",\"heading\":\"ARGS\",\"type\":\"text\",\"value\":\"0x3\\u001b[2J\"},"
	      "{\"name\":\"cpu_ns\",\"heading\":\"CPU\",\"type\":\"duration\",\"value\":1500000}]"),
	{ 0 },
};

#define WIDTH 53 /* names 12, and 40 cells: of a quarter second, as the answer has them */
#define HEIGHT 19

static struct stage *timeline_stage_begin_with(const struct reply *replies)
{
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "timeline", replies);

	rs_stage_text(s); /* the first frame says how many cells there is room for */
	rs_stage_settle(s);
	return s;
}

static inline struct stage *timeline_stage_begin(void)
{
	return timeline_stage_begin_with(timeline_replies);
}

#endif
