/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log-scale.h - a scale that is equal below 2^bits, and has 2^bits steps for each power of two above
 *
 *	step = rs_log_scale_step(4711, 3);
 *	about = rs_log_scale_middle(step, 3);   // within 1 / 2^(bits + 1) of it
 */
#ifndef RS_USUAL_LOG_SCALE_H
#define RS_USUAL_LOG_SCALE_H

#include <stdint.h>

static inline unsigned int rs_log_scale_step(uint64_t value, unsigned int bits)
{
	unsigned int octave;

	if (value < UINT64_C(1) << bits)
		return (unsigned int)value;
	octave = 63 - (unsigned int)__builtin_clzll(value);
	return ((octave - bits + 1) << bits) +
	       (unsigned int)((value >> (octave - bits)) & ((1u << bits) - 1));
}

/* The least value of a step. */
static inline uint64_t rs_log_scale_least(unsigned int step, unsigned int bits)
{
	unsigned int octave = step >> bits;

	if (!octave)
		return step;
	return ((UINT64_C(1) << bits) + (step & ((1u << bits) - 1))) << (octave - 1);
}

static inline uint64_t rs_log_scale_middle(unsigned int step, unsigned int bits)
{
	unsigned int octave = step >> bits;

	return rs_log_scale_least(step, bits) + (octave > 1 ? UINT64_C(1) << (octave - 2) : 0);
}

#endif
