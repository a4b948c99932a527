/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overview-replies.h - answers that several tests of the overview play to it */
#ifndef TESTS_OVERVIEW_REPLIES_H
#define TESTS_OVERVIEW_REPLIES_H

#include "tui-stage.h"

#define STATE(interval, events_per_s, calls) \
	REPLY("state", NULL, \
	      "\"now_ns\":110000000000,\"oldest_ns\":100000000000,\"events\":123456,\"events_per_s\":" events_per_s \
	      ",\"lost\":0,\"interval\":" interval ",\"loading\":null,\"ended\":false,\"rates\":[{\"name\":\"calls\",\"per_s\":" calls "}]")
/* cpu, run, idle, disk: a half and a half; 3 of 4 and a quarter; all; nothing */
#define CORES \
	REPLY("rows", "\"view\":\"cores\"", \
	      "\"of\":4,\"total\":4,\"rows\":[[0,500,500,null,\"/\",null],[1,750,0,250,null,null],[2,800,0,0,null,null],[3,0,0,null,null,null]]")

#endif
