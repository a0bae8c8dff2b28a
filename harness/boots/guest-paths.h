/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where things are within a guest: the initramfs puts them there, guest-init looks. */
#ifndef BOOTS_GUEST_PATHS_H
#define BOOTS_GUEST_PATHS_H

#define GUEST_INIT "/init" /* the kernel's own name for it */
#define GUEST_BIN "/bin"
#define GUEST_DATA "/usr/share/shootdown" /* of base/data.h */
#define GUEST_DISK "/var/tmp"             /* where the disk is mounted, if there is one */
#define GUEST_JOB "/etc/shootdown.job"    /* boots/job.h */

#endif
