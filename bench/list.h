/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One sorted line for each workload: WORKLOAD(name) is name.c's workload_name. */
WORKLOAD(allocate)
WORKLOAD(dontneed)
WORKLOAD(litmus)
WORKLOAD(migrate)
WORKLOAD(mprotect)
WORKLOAD(munmap)
WORKLOAD(null)
WORKLOAD(readers)
WORKLOAD(reclaim)
WORKLOAD(swap)
WORKLOAD(victim)
WORKLOAD(wander)
