/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of shootdown nightly share. */
#ifndef COMMANDS_NIGHTLY_PARTS_H
#define COMMANDS_NIGHTLY_PARTS_H

#include "nights/session.h"

/* Builds the kernel of each arm, but for those that somebody else has put there. */
int nightly_provide_images(const struct machine_file *m, struct err *err);

#endif
