/* SPDX-License-Identifier: GPL-2.0-or-later */
/* skip.h - a test that cannot run here says so: tests/run counts and lists it as skipped, not as passed */
#ifndef RS_TESTS_SKIP_H
#define RS_TESTS_SKIP_H

/* Returns from the test. The arguments, as of printf, say why. */
#define SKIP(...) \
	do { \
		rs_test_skipped(__func__, __VA_ARGS__); \
		return; \
	} while (0)

#define NEEDS_TRACING() \
	do { \
		const char *why_ = rs_test_cannot_trace(); \
		if (why_) \
			SKIP("%s", why_); \
	} while (0)

void rs_test_skipped(const char *test, const char *why, ...) __attribute__((format(printf, 2, 3)));
/* Returns NULL if this process may trace. Valid until the next call. */
const char *rs_test_cannot_trace(void);

#endif
