/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * api.h - what api.c, which has the functions of ringside/plugin.h, stores in a session: texts that it
 * returned
 */
#ifndef RS_ENGINE_API_H
#define RS_ENGINE_API_H

#include "base/buf.h"
#include "decode/event-text.h"
#include "source/process-args.h"
#include "symbols/kallsyms.h"

struct rs_ctx;

/* A text is valid until the next one of its kind. The session frees all of it. */
struct rs_api_texts {
	struct rs_kallsyms *variables, *functions; /* made when first needed */
	char symbol[RS_KALLSYMS_TEXT];  /* the last one returned */
	struct rs_event_texts *events;  /* made when first needed */
	struct rs_buf event_print;      /* the last event, as the kernel prints it */
	struct rs_buf event_text;       /* the last event, by its fields */
	char args[RS_PROCESS_ARGS_BYTES]; /* the last command line returned */
	char letters[32];               /* of prev_state, by bit; 0: the kernel prints none */
};

void rs_api_alloc_done(struct rs_ctx *c); /* frees the memory of rs_alloc */

#endif
