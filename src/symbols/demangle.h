/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demangle.h - the readable name of a C++ or Rust function */
#ifndef RS_SYMBOLS_DEMANGLE_H
#define RS_SYMBOLS_DEMANGLE_H

/*
 * Returns "std::sort<...>", "alloc::vec::Vec<T>::push", which the caller frees. NULL: the name is not
 * mangled, or no memory.
 */
char *rs_demangle(const char *name);

#endif
