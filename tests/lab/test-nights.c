// SPDX-License-Identifier: GPL-2.0-or-later
/* The shortest night that goes wrong and ends well; test-lab.c has the others. */
#include <criterion/criterion.h>

#include "tests/lab/lab.h"

TestSuite(nights, .init = lab_set_up, .fini = lab_tear_down, .timeout = 900);

Test(nights, power_cut_after_an_arrival)
{
	lab_expect_survives_cut("nightly: arrived 1", "arrived", 1);
}
