/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output-file.h - a file, or a folder, that has its name only once it is complete
 *
 *	struct rs_output_file o;
 *	if (rs_output_file_open(&o, path, RS_OUTPUT_BYTES, &err) == 0)
 *		rs_output_file_write(&o, &buf, &err);
 *	rs_output_file_close(&o, whole, &err);
 *
 * It is written beside its name, as NAME.XXXXXX, and renamed at the end; what was there before stays until
 * then. Devices, pipes, standard output ("-") and files in a folder that may not be written are written in
 * place.
 */
#ifndef RS_CLI_EXPORT_OUTPUT_FILE_H
#define RS_CLI_EXPORT_OUTPUT_FILE_H

#include <dirent.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/output-place.h"

enum rs_output_kind {
	RS_OUTPUT_BYTES,     /* through .fd */
	RS_OUTPUT_PATH,      /* by a library that opens .made_path itself: an empty regular file */
	RS_OUTPUT_FOLDER,    /* .made is an empty folder */
	/* through .fd, under its name from the begin: of who gives up the right to rename it meanwhile */
	RS_OUTPUT_IN_PLACE,
};

struct rs_output_file {
	enum rs_output_kind kind;
	const char *path;    /* the name that the user gave; NULL: standard output */
	struct rs_output_place place; /* what it is renamed to: path, or what path links to */
	char *made;          /* the name there of what is written meanwhile; NULL: it is written in place */
	/* for a library that opens it: by its descriptor, since its name may lead elsewhere by then */
	char made_path[32];
	int fd;              /* 0: standard output; -1: a folder, or not open */
	DIR *folder;         /* what is made, of RS_OUTPUT_FOLDER */
};

/* What is made belongs to who called sudo. path NULL or "-": standard output. -1: err is set. */
int rs_output_file_open(struct rs_output_file *o, const char *path, enum rs_output_kind kind,
			struct rs_error *err);
/* Before the first byte: empties a file that is written in place. */
int rs_output_file_begin(const struct rs_output_file *o, struct rs_error *err);
/* Writes what the buffer holds, to the file or to standard output, and clears it; -1 as of rs_out. */
int rs_output_file_write(const struct rs_output_file *o, struct rs_buf *b, struct rs_error *err);
/* What has been written to a file, or to the files of a folder; 0 of a pipe. Before it is closed. */
uint64_t rs_output_file_bytes(const struct rs_output_file *o);
/* What an error leaves of it: "nothing was written", or "it is not whole". */
const char *rs_output_file_left(const struct rs_output_file *o);
/*
 * whole: renames it, else removes it, or empties it where it was written in place. An error that err has
 * already is kept. Also of one that could not be opened.
 */
int rs_output_file_close(struct rs_output_file *o, bool whole, struct rs_error *err);

#endif
