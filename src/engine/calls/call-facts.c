// SPDX-License-Identifier: GPL-2.0-or-later
/* call-facts - calls.tbl by the numbers of a recording's architecture */
#include "engine/calls/call-facts.h"

#include <stdio.h>
#include <string.h>

#include "engine/calls/syscall.h"
#include "ringside/culprit.h"
#include "ringside/task.h"

#define NEVER RS_FD_NO_FLAGS

/* CLASS(READ, SEEK): the classes of a row are a sum of bits. */
#define CLASS_1(a) RS_CLASS_##a
#define CLASS_2(a, b) (RS_CLASS_##a | RS_CLASS_##b)
#define CLASS_3(a, b, c) (RS_CLASS_##a | RS_CLASS_##b | RS_CLASS_##c)
#define CLASS_OF(_1, _2, _3, class, ...) class

#define CALL(name_, letters, ...) { .name = #name_, .args = letters, __VA_ARGS__ },
#define KIND(kind_) .kind = RS_CALL_##kind_
#define END(end_) .end = RS_CALL_##end_
#define SLEEP(part) .sleep = RS_PART_##part
#define CLASS(...) .classes = CLASS_OF(__VA_ARGS__, CLASS_3, CLASS_2, CLASS_1, 0)(__VA_ARGS__)
#define FD(effect_) .effect = RS_FD_##effect_
#define CLOEXEC(argument) .cloexec = argument
#define TIME64 .has_time64 = true
#define OF_SOCKET .of_socket = true

static const struct call_facts_row {
	const char *name, *args;
	uint8_t kind, end, sleep, effect, cloexec;
	bool has_time64, of_socket;
	uint32_t classes;
} rows[] = {
#include "engine/calls/calls.tbl"
};

#define NR_CALL_ROWS (sizeof rows / sizeof *rows)

const char *rs_call_facts_letters(const struct rs_call_facts *facts, int64_t nr)
{
	uint8_t row = nr & RS_CALL_DOUBTFUL ? 0 : rs_call_fact(facts->letters, nr);

	return row ? rows[row - 1].args : NULL;
}

/* What it does to the file of its first argument: sync and msync have none there. */
static enum rs_file_op call_facts_op(const struct call_facts_row *row)
{
	if (!row->args || *row->args != 'f')
		return RS_FILE_NONE;
	return row->classes & RS_CLASS_READ  ? RS_FILE_READ :
	       row->classes & RS_CLASS_WRITE ? RS_FILE_WRITE :
	       row->classes & RS_CLASS_FLUSH ? RS_FILE_SYNC :
					       RS_FILE_NONE;
}

/* May it work on a socket by its first argument? Of sendfile that is where the bytes go. */
static bool call_facts_uses_socket(const struct call_facts_row *row)
{
	const uint32_t classes = RS_CLASS_READ | RS_CLASS_WRITE | RS_CLASS_RECEIVE | RS_CLASS_SEND |
				 RS_CLASS_ACCEPT | RS_CLASS_CONNECT | RS_CLASS_FILL;

	return (row->classes & classes && !(row->classes & RS_CLASS_SEEK)) || row->of_socket;
}

static void call_facts_set(struct rs_call_facts *facts, const struct call_facts_row *row, int place,
			   bool generic)
{
	if (place < 0)
		return;
	facts->kind[place] = row->kind;
	facts->end[place] = row->end;
	facts->sleep[place] = row->sleep;
	facts->effect[place] = row->effect;
	facts->cloexec[place] = generic ? row->cloexec : 0; /* the bits of O_CLOEXEC differ by architecture */
	facts->op[place] = (uint8_t)call_facts_op(row);
	facts->files[place] = (uint8_t)((facts->op[place] ? RS_CALL_USES_FILE : 0) |
					(call_facts_uses_socket(row) ? RS_CALL_USES_SOCKET : 0) |
					(facts->effect[place] ? RS_CALL_HAS_EFFECT : 0));
	facts->classes[place] = row->classes;
}

void rs_call_facts_init(struct rs_call_facts *facts, struct rs_syscall_names *names)
{
	bool generic = rs_syscall_generic_constants(names);
	char kin[48];

	_Static_assert(NR_CALL_ROWS < UINT8_MAX, "a row's number and one fit into .letters");
	for (size_t i = 0; i < NR_CALL_ROWS; i++) {
		snprintf(kin, sizeof kin, "%s_time64", rows[i].name);
		for (int table = 0; table < RS_NR_CALL_TABLES; table++) {
			int place = rs_call_place(rs_syscall_number(names, (enum rs_call_table)table,
								    rows[i].name));

			call_facts_set(facts, &rows[i], place, generic);
			if (place >= 0) /* its kin has no letters */
				facts->letters[place] = (uint8_t)(i + 1);
			if (rows[i].has_time64)
				call_facts_set(facts, &rows[i],
					       rs_call_place(rs_syscall_number(
						       names, (enum rs_call_table)table, kin)),
					       generic);
		}
	}
}
