/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counting plugin on the host's side: whether it works, and what it left. */
#ifndef BOOTS_COUNTING_H
#define BOOTS_COUNTING_H

#include "base/err.h"
#include "boots/qemu.h"

/*
 * The plugin's path, freed by the caller. -ENOENT where it was not built;
 * -ENOTSUP where this QEMU does not take it: the line has QEMU's reason.
 */
int counting_find(const struct qemu_machine *machine, char **ret_plugin, struct err *err);

/*
 * Adds what the plugin counted in a boot to a result of that boot: metrics to
 * FOLDER/NAME.json, and the functions that executed what was counted as
 * FOLDER/NAME.functions.
 */
int counting_add(const char *folder, const char *name, struct err *err);

#endif
