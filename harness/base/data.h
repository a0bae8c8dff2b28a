/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the project's own data files are: kconfigs/, results/published/. */
#ifndef BASE_DATA_H
#define BASE_DATA_H

/*
 * Full path (freed by the caller) of a file or folder named relative to the
 * project's root, as "kconfigs/common.config". Looked for in $SHOOTDOWN_DATA;
 * where that is not set, in ../share/shootdown as seen from the executable's
 * folder (installed), then in that folder's parents, three levels up (built in
 * a source tree, tests included). 0, or -ENOENT.
 */
int data_path(const char *relative, char **ret);

/*
 * Full path (freed by the caller) of a program of this project that is not for
 * people, as "guest-init": beside the executable, or in ../libexec/shootdown.
 * 0, or -ENOENT.
 */
int data_program(const char *name, char **ret);

#endif
