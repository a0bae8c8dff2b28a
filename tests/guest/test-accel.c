// SPDX-License-Identifier: GPL-2.0-or-later
/* The choice of the accelerator, on whatever machine this is. As test-boot-faults.c. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "boots/accel.h"
#include "boots/layers.h"
#include "tests/guest/scratch.h"

Test(accel, is_found_by_a_boot_and_remembered, .init = scratch_make, .fini = scratch_remove,
	.timeout = 180)
{
	const char *built = getenv("O") ? getenv("O") : "build", *kernel = getenv("KERNEL");
	const char *const no_programs[] = { NULL };
	char *first, *second;
	char *init = mem_format("%s/guest-init", built);
	struct accel_probe p = { .arch = "x86_64", .kernel = kernel, .folder = scratch };
	enum guest_accel accel, again;
	struct err err = { "" };
	time_t start;

	if (!kernel)
		cr_skip_test("KERNEL names no image");
	p.base_layer = mem_format("%s/base.img", scratch);
	p.cache = mem_format("%s/cache", scratch);
	cr_assert_eq(guest_write_base(p.base_layer, init, no_programs, "", &err), 0, "%s",
		err.text);
	cr_assert_eq(accel_choose(&p, &accel, &first, &err), 0, "%s", err.text);
	cr_log_info("%s", first ? first : "KVM boots this kernel");
	cr_assert_eq(accel == ACCEL_TCG, first != NULL);

	/* A boot that hangs takes seconds; the second answer must not. */
	start = time(NULL);
	cr_assert_eq(accel_choose(&p, &again, &second, &err), 0, "%s", err.text);
	cr_assert(time(NULL) - start < 2);
	cr_assert_eq(again, accel);
	cr_assert(!first == !second && (!first || strcmp(first, second) == 0));
}

Test(accel, knows_its_guests)
{
	struct accel_probe p = { .arch = "vax" };
	enum guest_accel accel;
	struct err err;
	char *reason;

	cr_assert(accel_choose(&p, &accel, &reason, &err) < 0);
	cr_assert(strstr(err.text, "vax"));
}
