// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ctf-class - the name and fields of each event that occurs: from the kernel's format, under LTTng's names
 *
 * An underscore stands before each field's name, which readers take away again: so no name is a keyword.
 */
#include "export/ctf/ctf.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>

#include "source/call-params.h"

#define CTF_MAX_OPS 256         /* further fields are left out */
#define CTF_MAX_CLASSES 65535u  /* ids of 16 bits, less the one of long times */
#define CTF_NAME_BYTES 128
#define CTF_NR_ARGS 6

/* What is built. */
struct ctf_builder {
	struct rs_ctf *ctf;
	struct rs_buf names;            /* of fields so far, each between newlines: no two are the same */
	struct rs_ctf_op ops[CTF_MAX_OPS];
	uint16_t nr_ops;
	uint32_t min_len_bytes, fixed_bytes, nr_dynamic;
};

/* ---- names of events ---- */

/*
 * An event is named SYSTEM_EVENT, or EVENT alone where it begins with the system's name. These are named
 * otherwise.
 */
static const struct { const char *system, *event, *name; } ctf_class_names[] = {
	{ "net", "netif_receive_skb", "net_if_receive_skb" },
	{ "net", "netif_rx", "net_if_rx" },
	{ "kvm", "kvm_entry", "kvm_x86_entry" },
	{ "kvm", "kvm_exit", "kvm_x86_exit" },
};

static const struct { const char *system, *prefix; } ctf_class_prefixes[] = {
	{ "exceptions", "x86_exceptions" }, { "irq_vectors", "x86_irq_vectors" }, { "vmscan", "mm_vmscan" },
};

static void ctf_class_name(const char *system, const char *event, char *name, size_t size)
{
	const char *prefix = system;

	for (size_t i = 0; i < sizeof ctf_class_names / sizeof *ctf_class_names; i++)
		if (!strcmp(ctf_class_names[i].system, system) && !strcmp(ctf_class_names[i].event, event)) {
			snprintf(name, size, "%s", ctf_class_names[i].name);
			return;
		}
	for (size_t i = 0; i < sizeof ctf_class_prefixes / sizeof *ctf_class_prefixes; i++)
		if (!strcmp(ctf_class_prefixes[i].system, system))
			prefix = ctf_class_prefixes[i].prefix;
	if (!strcmp(system, "syscalls") && !strncmp(event, "sys_enter_", 10))
		snprintf(name, size, "syscall_entry_%s", event + 10);
	else if (!strcmp(system, "syscalls") && !strncmp(event, "sys_exit_", 9))
		snprintf(name, size, "syscall_exit_%s", event + 9);
	else if (!strncmp(event, prefix, strlen(prefix)) && event[strlen(prefix)] == '_')
		snprintf(name, size, "%s", event);
	else
		snprintf(name, size, "%s_%s", prefix, event);
}

/* ---- fields ---- */

/* Fields that LTTng calls otherwise, or stores otherwise. */
static const struct { const char *system, *field, *name; enum rs_ctf_op_kind op; } ctf_class_fields[] = {
	{ "sched", "pid", "tid", RS_CTF_COPY }, { "sched", "prev_pid", "prev_tid", RS_CTF_COPY },
	{ "sched", "next_pid", "next_tid", RS_CTF_COPY }, { "sched", "old_pid", "old_tid", RS_CTF_COPY },
	{ "sched", "parent_pid", "parent_tid", RS_CTF_COPY },
	{ "sched", "child_pid", "child_tid", RS_CTF_COPY },
	{ "sched", "prio", "prio", RS_CTF_PRIO }, { "sched", "prev_prio", "prev_prio", RS_CTF_PRIO },
	{ "sched", "next_prio", "next_prio", RS_CTF_PRIO }, { "sched", "oldprio", "oldprio", RS_CTF_PRIO },
	{ "sched", "newprio", "newprio", RS_CTF_PRIO }, { "block", "rwbs", "rwbs", RS_CTF_RWBS },
};

/* Returns whether there is room for one more. */
static bool ctf_class_add_op(struct ctf_builder *b, enum rs_ctf_op_kind kind, uint32_t offset, uint32_t bytes)
{
	struct rs_ctf_op *last = b->nr_ops ? &b->ops[b->nr_ops - 1] : NULL;

	if (b->min_len_bytes < offset + bytes)
		b->min_len_bytes = offset + bytes;
	b->fixed_bytes += bytes < sizeof(uint32_t) ? (uint32_t)sizeof(uint32_t) : bytes;
	if (kind == RS_CTF_COPY && last && last->kind == RS_CTF_COPY &&
	    last->offset + last->bytes == (int)offset && last->bytes + bytes <= UINT16_MAX) {
		last->bytes = (uint16_t)(last->bytes + bytes);
		return true;
	}
	if (b->nr_ops == CTF_MAX_OPS)
		return false;
	b->ops[b->nr_ops++] = (struct rs_ctf_op){ .kind = kind, .offset = (uint16_t)offset,
						  .bytes = (uint16_t)bytes };
	return true;
}

static bool ctf_class_add_dynamic(struct ctf_builder *b, enum rs_ctf_op_kind kind, enum rs_ctf_place place,
				  uint32_t offset, uint32_t element_bytes)
{
	if (b->nr_ops == CTF_MAX_OPS)
		return false;
	if (place != RS_CTF_REST && b->min_len_bytes < offset + sizeof(uint32_t))
		b->min_len_bytes = offset + (uint32_t)sizeof(uint32_t);
	b->nr_dynamic++;
	b->ops[b->nr_ops++] = (struct rs_ctf_op){ .kind = kind, .place = place, .offset = (uint16_t)offset,
						  .bytes = (uint16_t)element_bytes };
	return true;
}

/* "	uint32 _name" needs a name that is an identifier, and no other field's. */
static void ctf_class_field_name(struct ctf_builder *b, const char *name, char *to, size_t size)
{
	char mark[CTF_NAME_BYTES + 4];
	size_t len = 0;

	for (; name[len] && len + 8 < size; len++)
		to[len] = isalnum((unsigned char)name[len]) || name[len] == '_' ? name[len] : '_';
	to[len] = '\0';
	snprintf(mark, sizeof mark, "\n%s\n", to);
	for (unsigned int i = 2; i < CTF_MAX_OPS && b->names.data && strstr(b->names.data, mark); i++) {
		snprintf(to + len, size - len, "_%u", i);
		snprintf(mark, sizeof mark, "\n%s\n", to);
	}
	rs_buf_puts(&b->names, mark);
}

static void ctf_class_put_integer(struct rs_buf *out, uint32_t bytes, bool is_signed, bool is_hex)
{
	rs_buf_printf(out, "integer { size = %u; align = 8; signed = %s; base = %d; }", bytes * 8,
		      is_signed ? "true" : "false", is_hex ? 16 : 10);
}

static bool ctf_class_is_number(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* What a reader needs to know of a field of a fixed size: nr elements, or 0 if it is one number. */
static void ctf_class_add_fixed(struct ctf_builder *b, const char *name, uint32_t offset, uint32_t bytes,
				uint32_t nr, bool is_signed, bool is_hex)
{
	struct rs_buf *out = &b->ctf->classes;

	if (!ctf_class_add_op(b, RS_CTF_COPY, offset, nr ? bytes * nr : bytes))
		return;
	rs_buf_puts(out, "\t\t");
	ctf_class_put_integer(out, bytes, is_signed, is_hex);
	rs_buf_printf(out, " _%s", name);
	if (nr)
		rs_buf_printf(out, "[%u]", nr);
	rs_buf_puts(out, ";\n");
}

static void ctf_class_add_text(struct ctf_builder *b, const char *name, uint32_t offset, uint32_t bytes)
{
	if (ctf_class_add_op(b, RS_CTF_TEXT, offset, bytes))
		rs_buf_printf(
			&b->ctf->classes,
			"\t\tinteger { size = 8; align = 8; signed = false; encoding = UTF8; } _%s[%u];\n",
			name, bytes);
}

static void ctf_class_add_string(struct ctf_builder *b, const char *name, enum rs_ctf_place place,
				 uint32_t offset)
{
	if (ctf_class_add_dynamic(b, RS_CTF_STRING, place, offset, 1))
		rs_buf_printf(&b->ctf->classes, "\t\tstring { encoding = UTF8; } _%s;\n", name);
}

static void ctf_class_add_sequence(struct ctf_builder *b, const char *name, enum rs_ctf_place place,
				   uint32_t offset, uint32_t bytes, bool is_hex)
{
	struct rs_buf *out = &b->ctf->classes;
	char length[CTF_NAME_BYTES + 16], both[CTF_NAME_BYTES + 8];

	snprintf(both, sizeof both, "_%.*s_length", CTF_NAME_BYTES - 16, name);
	ctf_class_field_name(b, both, length, sizeof length);
	if (!ctf_class_add_dynamic(b, RS_CTF_SEQUENCE, place, offset, bytes))
		return;
	rs_buf_printf(out, "\t\tuint32_t _%s;\n\t\t", length);
	ctf_class_put_integer(out, bytes, false, is_hex);
	rs_buf_printf(out, " _%s[ _%s ];\n", name, length);
}

/* A field of one number whose value LTTng has otherwise; false: it is not such a field. */
static bool ctf_class_add_changed(struct ctf_builder *b, enum rs_ctf_op_kind kind, const char *name,
				  const struct tep_format_field *f)
{
	if ((kind != RS_CTF_PRIO || f->size != sizeof(int32_t)) &&
	    (kind != RS_CTF_RWBS || f->flags & TEP_FIELD_IS_DYNAMIC))
		return false;
	if (ctf_class_add_op(b, kind, (uint32_t)f->offset, (uint32_t)f->size))
		rs_buf_printf(&b->ctf->classes,
			      "\t\tinteger { size = 32; align = 8; signed = %s; base = 10; } _%s;\n",
			      kind == RS_CTF_PRIO ? "true" : "false", name);
	return true;
}

/*
 * The kernel's own events end with an array whose length is that of the record: print, bprint, kernel_stack.
 */
static bool ctf_class_is_rest(const struct tep_format_field *f, const char *system)
{
	return !f->size || (!f->next && f->flags & TEP_FIELD_IS_ARRAY && !strcmp(system, "ftrace"));
}

static void ctf_class_add_array(struct ctf_builder *b, const char *name, const struct tep_format_field *f,
				bool is_rest)
{
	uint32_t offset = (uint32_t)f->offset,
		 bytes = ctf_class_is_number(f->elementsize) ? f->elementsize : 1;
	enum rs_ctf_place place = is_rest                          ? RS_CTF_REST :
				  f->flags & TEP_FIELD_IS_RELATIVE ? RS_CTF_REL_LOC :
								     RS_CTF_DATA_LOC;
	bool is_dynamic = is_rest || f->flags & TEP_FIELD_IS_DYNAMIC,
	     is_hex = f->flags & (TEP_FIELD_IS_POINTER | TEP_FIELD_IS_LONG);

	if (f->flags & TEP_FIELD_IS_STRING && is_dynamic)
		ctf_class_add_string(b, name, place, offset);
	else if (f->flags & TEP_FIELD_IS_STRING)
		ctf_class_add_text(b, name, offset, (uint32_t)f->size);
	else if (is_dynamic)
		ctf_class_add_sequence(b, name, place, offset, bytes, is_hex);
	else if (ctf_class_is_number(f->elementsize) && f->elementsize * f->arraylen == (uint32_t)f->size)
		ctf_class_add_fixed(b, name, offset, bytes, f->arraylen, f->flags & TEP_FIELD_IS_SIGNED,
				    is_hex);
	else
		ctf_class_add_fixed(b, name, offset, 1, (uint32_t)f->size, false, true);
}

static void ctf_class_add_field(struct ctf_builder *b, const struct tep_format_field *f, const char *system)
{
	enum rs_ctf_op_kind kind = RS_CTF_COPY;
	const char *lttng_name = f->name;
	char name[CTF_NAME_BYTES];
	bool is_rest = ctf_class_is_rest(f, system);

	if (f->offset < 0 || f->size < 0 || f->offset + f->size > UINT16_MAX)
		return;
	for (size_t i = 0; i < sizeof ctf_class_fields / sizeof *ctf_class_fields; i++)
		if (!strcmp(ctf_class_fields[i].field, f->name) &&
		    !strcmp(ctf_class_fields[i].system, system)) {
			lttng_name = ctf_class_fields[i].name;
			kind = ctf_class_fields[i].op;
		}
	ctf_class_field_name(b, lttng_name, name, sizeof name);
	if (kind != RS_CTF_COPY && ctf_class_add_changed(b, kind, name, f))
		return;
	if (is_rest || f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC) ||
	    !ctf_class_is_number((uint32_t)f->size))
		ctf_class_add_array(b, name, f, is_rest);
	else
		ctf_class_add_fixed(b, name, (uint32_t)f->offset, (uint32_t)f->size, 0,
				    f->flags & TEP_FIELD_IS_SIGNED, f->flags & TEP_FIELD_IS_POINTER);
}

/* LTTng tells the processes of a fork's two threads. */
static void ctf_class_add_processes(struct ctf_builder *b, const struct tep_event *event)
{
	static const char *const names[][2] = { { "parent_pid", "parent_pid" },
						{ "child_pid", "child_pid" } };

	for (int i = 0; i < 2; i++) {
		const struct tep_format_field *f = tep_find_field((struct tep_event *)event, names[i][0]);
		char name[CTF_NAME_BYTES];

		if (!f || f->size != sizeof(int32_t) || f->offset < 0 || f->offset > UINT16_MAX - 4)
			continue;
		ctf_class_field_name(b, names[i][1], name, sizeof name);
		if (ctf_class_add_op(b, RS_CTF_PROCESS, (uint32_t)f->offset, sizeof(int32_t)))
			rs_buf_printf(
				&b->ctf->classes,
				"\t\tinteger { size = 32; align = 8; signed = true; base = 10; } _%s;\n",
				name);
	}
}

/* ---- classes ---- */

static void ctf_class_put_begin(struct rs_ctf *ctf, const char *name)
{
	rs_buf_puts(&ctf->classes, "event {\n\tname = ");
	rs_ctf_metadata_put_quoted(&ctf->classes, name);
	rs_buf_printf(&ctf->classes, ";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct {\n",
		      ctf->nr_classes);
}

static struct rs_ctf_class *ctf_class_end(struct ctf_builder *b)
{
	struct rs_ctf_class *class = calloc(1, sizeof *class + b->nr_ops * sizeof b->ops[0]);

	rs_buf_puts(&b->ctf->classes, "\t};\n};\n\n");
	if (!class || b->names.failed || b->ctf->classes.failed) {
		rs_fail(&b->ctf->export.error, "cannot export: out of memory");
		free(class);
		class = NULL;
	} else {
		*class = (struct rs_ctf_class){ .id = b->ctf->nr_classes++, .nr_ops = b->nr_ops,
						.min_len_bytes = b->min_len_bytes,
						.fixed_bytes = b->fixed_bytes, .nr_dynamic = b->nr_dynamic };
		memcpy(class->ops, b->ops, b->nr_ops * sizeof b->ops[0]);
	}
	rs_buf_done(&b->names);
	return class;
}

static struct rs_ctf_class *ctf_class_of_event(struct rs_ctf *ctf, unsigned int id)
{
	const struct tep_event *event = rs_formats_event(ctf->formats, id);
	struct ctf_builder b = { .ctf = ctf, .names = RS_BUF_INIT };
	char name[2 * CTF_NAME_BYTES];

	if (!event)
		return NULL;
	ctf_class_name(event->system, event->name, name, sizeof name);
	ctf_class_put_begin(ctf, name);
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		ctf_class_add_field(&b, f, event->system);
	if (!strcmp(name, "sched_process_fork"))
		ctf_class_add_processes(&b, event);
	return ctf_class_end(&b);
}

/* ---- system calls, a class for each: raw_syscalls has one event for all ---- */

/* The line of parameters, as call-params.h has it; the caller frees it. NULL: not known. */
static char *ctf_class_params(const struct rs_ctf *ctf, const char *call)
{
	const struct rs_trace_info *info = ctf->info;
	struct rs_text format;
	char event[CTF_NAME_BYTES];

	for (size_t i = 0; i < info->nr_call_params; i++)
		if (!strcmp(info->call_params[i].name, call))
			return strdup(info->call_params[i].params);
	snprintf(event, sizeof event, "sys_enter_%s", call);
	format = rs_formats_text(ctf->formats, "syscalls", event);
	return format.data ? rs_call_params_parse(format) : NULL;
}

/* The parts of types that are signed, or of 32 bits on every kernel; the first row that applies counts. */
static const struct { const char *part; uint8_t bytes; bool is_signed, is_hex; } ctf_class_types[] = {
	{ "*", 8, false, true }, { "unsigned int", 4, false, false }, { "unsigned long", 8, false, false },
	{ "ssize_t", 8, true, false },
	{ "size_t", 8, false, false }, { "loff_t", 8, true, false }, { "off_t", 8, true, false },
	{ "uid_t", 4, false, false },
	{ "gid_t", 4, false, false }, { "umode_t", 4, false, false }, { "u32", 4, false, false },
	{ "u64", 8, false, false },
	{ "pid_t", 4, true, false }, { "int", 4, true, false }, { "long", 8, true, false },
	{ "", 8, false, true },
};

/* word: the argument, which takes a long; its lower half is what an int has. */
static void ctf_class_add_arg(struct ctf_builder *b, const char *type, const char *param, uint32_t word)
{
	uint32_t offset = b->ctf->call_data[0].offset_bytes,
		 long_bytes = b->ctf->call_data[0].size_bytes / CTF_NR_ARGS, bytes;
	char name[CTF_NAME_BYTES];
	size_t i = 0;

	while (!strstr(type, ctf_class_types[i].part))
		i++;
	bytes = ctf_class_types[i].bytes < long_bytes ? ctf_class_types[i].bytes : long_bytes;
	offset += word * long_bytes + (b->ctf->info->big_endian ? long_bytes - bytes : 0);
	ctf_class_field_name(b, param, name, sizeof name);
	ctf_class_add_fixed(b, name, offset, bytes, 0, ctf_class_types[i].is_signed,
			    ctf_class_types[i].is_hex);
}

static void ctf_class_add_args(struct ctf_builder *b, const char *call)
{
	char *params = call ? ctf_class_params(b->ctf, call) : NULL, *save = NULL, name[8];
	uint32_t word = 0;

	for (char *at = params ? strtok_r(params, ",", &save) : NULL; at && word < CTF_NR_ARGS;
	     at = strtok_r(NULL, ",", &save), word++) {
		char *blank;

		at += strspn(at, " ");
		blank = strrchr(at, ' ');
		if (blank)
			*blank++ = '\0';
		ctf_class_add_arg(b, blank ? at : "", blank ? blank : at, word);
	}
	for (; !params && word < CTF_NR_ARGS; word++) {
		snprintf(name, sizeof name, "arg%u", word);
		ctf_class_add_arg(b, "", name, word);
	}
	free(params);
}

/* call NULL: all numbers without a name. */
static struct rs_ctf_class *ctf_class_of_call(struct rs_ctf *ctf, bool is_exit, bool compat, const char *call)
{
	struct ctf_builder b = { .ctf = ctf, .names = RS_BUF_INIT };
	const struct rs_field *data = &ctf->call_data[is_exit], *nr = &ctf->call_nr[is_exit];
	char name[CTF_NAME_BYTES];

	snprintf(name, sizeof name, "%ssyscall_%s_%.60s", compat ? "compat_" : "", is_exit ? "exit" : "entry",
		 call ? call : "unknown");
	ctf_class_put_begin(ctf, name);
	if (!call)
		ctf_class_add_fixed(&b, "id", nr->offset_bytes, nr->size_bytes, 0, true, false);
	if (is_exit)
		ctf_class_add_fixed(&b, "ret", data->offset_bytes, data->size_bytes, 0, true, false);
	else
		ctf_class_add_args(&b, call);
	return ctf_class_end(&b);
}

/* As the engine has it, if it knows more of the call than its number. */
static int64_t ctf_class_call_number(const struct rs_ctf *ctf, const struct rs_event *ev, bool is_exit)
{
	int64_t nr = rs_i64(ev, &ctf->call_nr[is_exit]);

	if (is_exit && ev->task && ctf->exited == ev->task && ctf->exit_ns == ev->ts_ns)
		return ctf->exit_nr;
	if (!is_exit && ev->task && ev->task->syscall >= 0 && rs_call_number(ev->task->syscall) == nr)
		return ev->task->syscall;
	return rs_call_resolve_number(ev->task, nr);
}

static const struct rs_ctf_class *ctf_class_get_call(struct rs_ctf *ctf, struct rs_ctx *c,
						     const struct rs_event *ev, bool is_exit)
{
	int64_t nr = ctf_class_call_number(ctf, ev, is_exit), number = rs_call_number(nr);
	bool compat = nr >= 0 && nr & RS_CALL_COMPAT;
	struct rs_ctf_class **class = &ctf->calls[is_exit][compat][number >= 0 && number < RS_CTF_NR_CALLS ?
									   number :
									   RS_CTF_NR_CALLS];

	if (!*class) {
		const char *name = class < &ctf->calls[is_exit][compat][RS_CTF_NR_CALLS] ?
					   rs_syscall_name(c, nr) :
					   NULL;

		if (!name)
			class = &ctf->calls[is_exit][compat][RS_CTF_NR_CALLS];
		if (!*class)
			*class = ctf_class_of_call(ctf, is_exit, compat, name);
	}
	return *class;
}

const struct rs_ctf_class *rs_ctf_class_get(struct rs_ctf *ctf, struct rs_ctx *c, const struct rs_event *ev)
{
	struct rs_ctf_class **class = &ctf->by_id[ev->id];

	for (int is_exit = 0; is_exit < 2; is_exit++)
		if (ev->id == ctf->call_id[is_exit])
			return ctf_class_get_call(ctf, c, ev, is_exit);
	if (!*class && ctf->nr_classes < CTF_MAX_CLASSES)
		*class = ctf_class_of_event(ctf, ev->id);
	return *class;
}

void rs_ctf_class_add_dump(struct rs_ctf *ctf)
{
	static const struct { const char *name, *fields;
	} dumps[RS_CTF_NR_DUMP_CLASSES] = {
		[RS_CTF_DUMP_START] = { "lttng_statedump_start", "" },
		[RS_CTF_DUMP_PROCESS] = { "lttng_statedump_process_state",
					  "\t\tinteger { size = 32; align = 8; signed = true; } "
					  "_tid;\n\t\tinteger { size = 32; align = 8; signed = true; } "
					  "_pid;\n"
					  "\t\tinteger { size = 32; align = 8; signed = true; } _ppid;\n"
					  "\t\tinteger { size = 8; align = 8; signed = false; encoding = "
					  "UTF8; } _name[16];\n"
					  "\t\tinteger { size = 32; align = 8; signed = true; } "
					  "_type;\n\t\tinteger { size = 32; align = 8; signed = true; } "
					  "_mode;\n"
					  "\t\tinteger { size = 32; align = 8; signed = true; } "
					  "_submode;\n\t\tinteger { size = 32; align = 8; signed = true; } "
					  "_status;\n" },
		[RS_CTF_DUMP_DISK] = { "lttng_statedump_block_device",
				       "\t\tuint32_t _dev;\n\t\tstring { encoding = UTF8; } _diskname;\n" },
		[RS_CTF_DUMP_END] = { "lttng_statedump_end", "" },
	};

	for (; ctf->nr_classes < RS_CTF_NR_DUMP_CLASSES; ctf->nr_classes++) {
		ctf_class_put_begin(ctf, dumps[ctf->nr_classes].name);
		rs_buf_printf(&ctf->classes, "%s\t};\n};\n\n", dumps[ctf->nr_classes].fields);
	}
}

void rs_ctf_class_free_all(struct rs_ctf *ctf)
{
	struct rs_ctf_class **calls = &ctf->calls[0][0][0];

	for (size_t i = 0; ctf->by_id && i <= UINT16_MAX; i++)
		free(ctf->by_id[i]);
	free(ctf->by_id);
	for (size_t i = 0; i < sizeof ctf->calls / sizeof *calls; i++)
		free(calls[i]);
}
