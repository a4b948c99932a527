// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode/print-text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/crash.h"
#include "base/memory-watch.h"
#include "decode/formats.h"

#define NR_IDS (1u << 16)

struct rs_print_texts {
	const struct rs_trace_info *info;
	struct tep_handle *tep;
	struct tep_event *events[NR_IDS];  /* the events printed so far */
	bool tried[NR_IDS];
	bool has_functions, has_strings;
	bool broken;                   /* it has crashed: its memory is not used any more */
	struct trace_seq text;
	uint8_t *copy;                 /* of the record at hand */
	size_t copy_bytes;
};

struct rs_print_texts *rs_print_texts_new(const struct rs_trace_info *info)
{
	struct rs_print_texts *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->info = info;
	p->tep = rs_formats_tep_new(info);
	trace_seq_init(&p->text);
	if (p->tep && p->text.buffer)
		return p;
	rs_print_texts_free(p);
	return NULL;
}

void rs_print_texts_free(struct rs_print_texts *p)
{
	if (!p)
		return;
	if (!p->broken) {
		tep_free(p->tep);
		trace_seq_destroy(&p->text);
	}
	free(p->copy);
	free(p);
}

/* ---- the format ---- */

static const struct rs_format_text *print_text_format_of(const struct rs_trace_info *info, unsigned int id)
{
	for (size_t i = 0; i < info->nr_formats; i++)
		if (rs_format_id(&info->formats[i]) == (int)id)
			return &info->formats[i];
	return NULL;
}

/* Some 100,000 functions: read for the first event that prints one ("%pS", "%ps"). */
static void print_text_add_functions(struct rs_print_texts *p, const struct rs_format_text *format)
{
	const struct rs_text *text = &p->info->kallsyms;
	char *copy;

	if (p->has_functions || !text->len || !memmem(format->text.data, format->text.len, "%p", 2))
		return;
	p->has_functions = true;
	copy = strndup(text->data, text->len);
	if (copy)
		tep_parse_kallsyms(p->tep, copy);
	free(copy);
}

/* Texts of the kernel that events point to, such as those of rcu_utilization. */
static void print_text_add_strings(struct rs_print_texts *p)
{
	const struct rs_text *text = &p->info->printk_formats;
	char *copy = p->has_strings || !text->len ? NULL : strndup(text->data, text->len);

	p->has_strings = true;
	if (copy)
		tep_parse_printk_formats(p->tep, copy);
	free(copy);
}

static struct tep_event *print_text_event_of(struct rs_print_texts *p, unsigned int id)
{
	const struct rs_format_text *format;

	if (p->tried[id])
		return p->events[id];
	p->tried[id] = true;
	print_text_add_strings(p);
	format = print_text_format_of(p->info, id);
	if (!format)
		return NULL;
	print_text_add_functions(p, format);
	p->events[id] = rs_format_parse(p->tep, format, true);
	return p->events[id];
}

/* ---- the record ---- */

static bool print_text_copy_record(struct rs_print_texts *p, const struct rs_event *ev)
{
	if (p->copy_bytes < ev->len_bytes + (size_t)RS_PRINT_SLACK_BYTES) {
		free(p->copy);
		p->copy_bytes = 2 * ((size_t)ev->len_bytes + RS_PRINT_SLACK_BYTES);
		p->copy = malloc(p->copy_bytes);
	}
	if (!p->copy) {
		p->copy_bytes = 0;
		return false;
	}
	memcpy(p->copy, ev->data, ev->len_bytes);
	memset(p->copy + ev->len_bytes, 0, p->copy_bytes - ev->len_bytes);
	return true;
}

struct job {
	struct rs_print_texts *p;
	const struct rs_event *ev;
	bool done;
};

static void print_text_print(void *arg)
{
	struct job *job = arg;
	struct rs_print_texts *p = job->p;
	struct tep_event *event = print_text_event_of(p, job->ev->id);
	struct tep_record record = { .ts = job->ev->ts_ns, .cpu = job->ev->cpu, .size = (int)job->ev->len_bytes, .data = p->copy };

	if (!event)
		return;
	trace_seq_reset(&p->text);
	tep_print_event(p->tep, &p->text, &record, "%s", TEP_PRINT_INFO);
	job->done = p->text.state == TRACE_SEQ__GOOD;
}

/* A stack is printed in several lines, a row has one. */
static void print_text_put_line(struct rs_buf *out, const char *text, size_t len)
{
	size_t i = 0;

	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	while (i < len && isspace((unsigned char)text[i]))
		i++;
	while (i < len) {
		if (text[i] != '\n') {
			rs_buf_putc(out, text[i++]);
			continue;
		}
		while (isspace((unsigned char)text[i]))
			i++;
		rs_buf_putc(out, ' ');
	}
}

bool rs_print_texts_put(struct rs_print_texts *p, const struct rs_event *ev, struct rs_buf *out)
{
	struct job job = { .p = p, .ev = ev };

	if (p->broken || !print_text_copy_record(p, ev))
		return false;
	if (!rs_crash_survive("libtraceevent, printing an event", print_text_print, &job)) {
		p->broken = true;
		return false;
	}
	rs_memory_library_failed();
	if (!job.done)
		return false;
	print_text_put_line(out, p->text.buffer, p->text.len);
	return true;
}
