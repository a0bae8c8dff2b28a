// SPDX-License-Identifier: GPL-2.0-or-later
/* PID 1 of a guest whose userspace never gets anywhere. */
#include <unistd.h>

int main(void)
{
	for (;;)
		pause();
}
