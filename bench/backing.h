/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of memory that a page of a workload may belong to. */
#ifndef BENCH_BACKING_H
#define BENCH_BACKING_H

#include "common.h"

enum backing {
	BACKING_ANON, /* private, anonymous */
	BACKING_SHM,  /* shared, anonymous: tmpfs */
	BACKING_FILE, /* shared, of a file that has no name, on a disk */
	/* the same, when nobody has it open for writing: as programs and models are */
	BACKING_ROFILE,
};
extern const char *const backing_names[]; /* for PARAM_CHOICE */
bool backing_is_file(enum backing backing);

/*
 * Maps bytes of it, in small pages, each filled with its pattern; those of a file
 * are clean, and those of BACKING_ROFILE cannot be written. The file lies in $TMPDIR,
 * or else /var/tmp. What is mapped goes with munmap(). -EOPNOTSUPP, with the reason,
 * where no disk is there.
 */
int backing_map(struct bench *b, enum backing backing, size_t bytes, unsigned char **ret);

/* disk() of a workload with the parameters kind and size. */
uint64_t backing_disk(const struct bench *b);

/* Whether files of so many bytes all together may fit there: 0 or -EOPNOTSUPP. */
int backing_need_room(struct bench *b, uint64_t bytes);

/*
 * A file of that many bytes, without a name, on the disk of $TMPDIR or else
 * /var/tmp: its descriptor, or -EOPNOTSUPP as above, also where there is no room.
 */
int backing_open_file(struct bench *b, size_t bytes);

/* Another descriptor of that file, opened as flags say; or -errno with the reason. */
int backing_open_again(struct bench *b, int fd, int flags);

#endif
