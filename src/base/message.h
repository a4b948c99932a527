/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - structs that travel as JSON: a table of members for each, from which the writer, the reader
 * with its bounds, and the documents follow
 *
 *	struct moves { uint64_t limit; const char *disk; const struct move *moves; size_t nr_moves; };
 *	RS_MESSAGE(moves)
 *		{ "limit", RS_NUMBER, RS_AT(limit), .most = 1000, .otherwise = 100, .help = "..." },
 *		{ "disk", RS_STRING, RS_AT(disk) },
 *		{ "moves", RS_LIST, RS_AT(moves), .most = 64, .of = &move_message },
 *	RS_MESSAGE_END(moves, RS_OBJECT_OF, NULL)
 *
 *	rs_message_put(&json, &moves_message, &moves);
 *
 *	struct rs_frame_message *f = rs_message_parse(text, len, &err);
 *	const struct moves *m = rs_message_read(f, &moves_message, &err);  // as long as f
 *	rs_message_free(f);
 *
 * A number that a double cannot hold (beyond 2^53) is a string of its digits; the reader takes both. What is
 * not known is null; the reader takes a member that is missing for null.
 */
#ifndef RS_BASE_MESSAGE_H
#define RS_BASE_MESSAGE_H

#include "base/error.h"
#include "base/json.h"
#include "ringside/table.h"

/* The type of a member, in the struct and in JSON. */
enum rs_member_type {
	RS_NUMBER = 1,   /* uint64_t, or an unsigned integer of 4 or 2 bytes; null is 0 */
	RS_MAYBE,        /* struct rs_value with .u; RS_MAYBE_SIGNED: with .i */
	RS_MAYBE_SIGNED,
	RS_BOOL,         /* bool; .otherwise if it is missing */
	RS_STRING,       /* const char *; NULL is null */
	RS_WORD,         /* one of .words: an enum, or struct rs_value with .u if it may be missing */
	RS_WORDS,        /* unsigned int: a list of .words, one bit each; unknown words are skipped */
	RS_SCALAR,       /* struct rs_scalar */
	RS_OBJECT,       /* pointer to a struct of .of; NULL is null */
	RS_MEMBERS,      /* a struct of .of inside this one: its members join those of this object */
	RS_LIST,         /* pointer to structs of .of, followed by a size_t with their number; NULL is null */
	RS_ARRAY,        /* pointer to structs of .of; the array ends with one whose first member is NULL */
	RS_MAP,          /* like a list; .of has two members: name and value of each member of an object */
};

/* A list of names for numbers; ends with a NULL word. */
struct rs_word {
	const char *word;
	unsigned int number;
};

/* A list inside a struct. */
struct rs_items {
	const void *at;
	size_t nr;
};

/* A value whose type is known from elsewhere, such as a cell's from its column. */
struct rs_scalar {
	enum { RS_SCALAR_NULL, RS_SCALAR_STRING, RS_SCALAR_UNSIGNED, RS_SCALAR_NEGATIVE } is;
	union {
		const char *s;
		uint64_t u;
		int64_t i;
	};
};

struct rs_message;

struct rs_member {
	const char *name;            /* name in the struct */
	enum rs_member_type type;
	size_t offset, bytes;        /* RS_AT */
	const char *wire;            /* its name in JSON; NULL: the same */
	uint64_t most;               /* the largest number, the longest list; 0: any */
	uint64_t otherwise;          /* value of a number or bool that is missing */
	bool required;               /* the reader refuses a message without it */
	bool optional;               /* a number: 0 is null */
	/* the reader treats a malformed value as null: a newer program wrote it */
	bool lenient;
	/* the writer skips it: the caller writes the items one by one after rs_message_open_list */
	bool streamed;
	const struct rs_message *of;
	const struct rs_word *words; /* NULL: .word and .find map the words */
	const char *(*word)(unsigned int number);
	bool (*find)(const char *word, unsigned int *number);
	const char *help;            /* for docs/protocol.md */
};


struct rs_message {
	enum {
		RS_OBJECT_OF,        /* {"name": value, ...} */
		RS_REQUEST_OF,       /* the same, without members that are 0, NULL or false */
		RS_TUPLE_OF,         /* [value, ...] */
		RS_VALUE_OF,         /* the value of the only member */
	} form;
	const struct rs_member *(*members)(void); /* ends with a NULL name */
	size_t bytes;                /* of the struct */
	bool (*is_valid)(const void *message); /* checks conditions between members; NULL: none */
};

/* The table of a struct, inside a function, where a typedef saves naming the struct in each row. */
#define RS_MESSAGE(name) \
	static const struct rs_member *name##_members(void) \
	{ \
		typedef struct name row_of; \
		static const struct rs_member members[] = {
#define RS_AT(member) offsetof(row_of, member), sizeof(((row_of *)NULL)->member)
#define RS_MESSAGE_END(name, form, is_valid) { 0 } }; \
		return members; \
	} \
	const struct rs_message name##_message = { form, name##_members, sizeof(struct name), is_valid };

static inline const char *rs_message_wire(const struct rs_member *m) { return m->wire ? m->wire : m->name; }

/* Lists of plain values. */
extern const struct rs_message rs_message_string, rs_message_u64, rs_message_u32, rs_message_i32,
	rs_message_maybe, rs_message_scalar;

/* ---- writing ---- */

void rs_message_put(struct rs_json *j, const struct rs_message *type, const void *message);
/* into an open object */
void rs_message_put_members(struct rs_json *j, const struct rs_message *type, const void *message);
void rs_message_open_list(struct rs_json *j, const char *name);
void rs_message_put_u64(struct rs_json *j, uint64_t v);
void rs_message_put_scalar(struct rs_json *j, const struct rs_scalar *scalar);

const char *rs_message_word(const struct rs_word *words, unsigned int number); /* NULL: none */

/* ---- reading ---- */

#define RS_MESSAGE_DEPTH 16

/* once: from now on what the library takes of memory is counted */
void rs_message_init(void);
const char *rs_message_reader_version(void); /* of that library */

/* What came, and all that was read from it: freed as one. */
struct rs_frame_message;

/* NULL with err: no JSON object, or nested too deeply. Any thread. */
struct rs_frame_message *rs_message_parse(const char *text, size_t len, struct rs_error *err);
/*
 * NULL with err (a usage error): which member is not as its row says, or memory. Strings point into what
 * came.
 */
const void *rs_message_read(struct rs_frame_message *f, const struct rs_message *type, struct rs_error *err);
void rs_message_free(struct rs_frame_message *f); /* may be NULL */
/* What rs_message_read returned has the frame that it is from. */
void rs_message_drop(const void *message);        /* frees it; may be NULL */

/* False: it is no number of that kind. A string of digits is one. */
bool rs_message_scalar_u64(const struct rs_scalar *scalar, uint64_t *v);
bool rs_message_scalar_i64(const struct rs_scalar *scalar, int64_t *v);

#endif
