// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-session-random - what must hold of every recording, over some thousand random ones
 *
 * A failure names its seed: RS_SEED=n runs that one alone and prints all that is
 * wrong with it. RS_SEEDS=n runs that many.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace-bytes.h"

#define NR_SEEDS 400
#define NR_PARTS 8       /* of one test each, so that a crash names its part */
#define MAX_BYTES 3000

static uint64_t seed_now;

/* splitmix64: the same on every machine */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void broken(const char *what)
{
	if (getenv("RS_SEED"))
		fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed_now, what);
	else
		ck_abort_msg("seed %llu: %s", (unsigned long long)seed_now, what);
}

static void one_seed(uint64_t seed)
{
	uint8_t bytes[MAX_BYTES];
	uint64_t state = seed_now = seed;
	size_t len = 50 + next_random(&state) % (MAX_BYTES - 50);

	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)next_random(&state);
	rs_check_bytes(bytes, len, broken);
}

/* Of 20,000 these broke an invariant once: execs by threads, one after the other. */
static const uint64_t once_broken[] = { 3238, 3351, 9963 };

START_TEST(what_was_broken_holds)
{
	one_seed(once_broken[_i]);
}
END_TEST

START_TEST(what_holds_of_every_recording)
{
	uint64_t nr = NR_SEEDS;

	if (getenv("RS_SEED")) {
		one_seed(strtoull(getenv("RS_SEED"), NULL, 10));
		return;
	}
	if (getenv("RS_SEEDS"))
		nr = strtoull(getenv("RS_SEEDS"), NULL, 10);
	for (uint64_t seed = (uint64_t)_i; seed < nr; seed += NR_PARTS)
		one_seed(seed);
}
END_TEST

Suite *rs_suite_session_random(void);
Suite *rs_suite_session_random(void)
{
	Suite *s = suite_create("session-random");
	TCase *t = tcase_create("seeds");

	tcase_set_timeout(t, 600);
	tcase_add_loop_test(t, what_holds_of_every_recording, 0, NR_PARTS);
	tcase_add_loop_test(t, what_was_broken_holds, 0, sizeof once_broken / sizeof *once_broken);
	suite_add_tcase(s, t);
	return s;
}
