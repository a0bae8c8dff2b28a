// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"

Test(err, returns_its_code_and_keeps_one_line)
{
	struct err err;

	cr_assert_eq(err_set(&err, -EINVAL, "%s: %d", "a", 7), -EINVAL);
	cr_assert_str_eq(err.text, "a: 7");
	cr_assert_eq(err_set(NULL, -EIO, "unseen"), -EIO);
}
