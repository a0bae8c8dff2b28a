/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration of the running kernel; the wrapper of zlib. */
#ifndef MEASURE_KERNEL_CONFIG_H
#define MEASURE_KERNEL_CONFIG_H

/*
 * The text of /proc/config.gz, or else of /boot/config-RELEASE, below root,
 * freed by the caller. *ret_source is which of them (freed by the caller, may
 * be NULL). -ENOENT where this kernel has neither; -EBADMSG for what does not
 * unpack.
 */
int kernel_config_read(const char *root, char **ret_text, char **ret_source);

/* 'y', 'm', or 'n' also where the text does not name the symbol ("CONFIG_SMP"). Pure. */
char kernel_config_find(const char *text, const char *symbol);

#endif
