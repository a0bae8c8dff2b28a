// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

struct digest {
	struct sha256_ctx sha;
};

struct digest *digest_new(void)
{
	struct digest *d = mem_zeroed(1, sizeof(*d));

	sha256_init(&d->sha);
	return d;
}

void digest_add(struct digest *d, const void *data, size_t bytes)
{
	sha256_update(&d->sha, bytes, data);
}

void digest_add_text(struct digest *d, const char *text)
{
	digest_add(d, text, strlen(text) + 1);
}

int digest_add_file(struct digest *d, const char *path)
{
	uint8_t data[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;
	ssize_t got;

	if (fd < 0)
		return -errno;
	while ((got = read(fd, data, sizeof(data))) != 0) {
		if (got > 0)
			digest_add(d, data, (size_t)got);
		else if (errno != EINTR)
			break;
	}
	if (got < 0)
		ret = -errno;
	close(fd);
	return ret;
}

char *digest_finish(struct digest *d)
{
	uint8_t sum[SHA256_DIGEST_SIZE];
	char *text = mem_zeroed(DIGEST_CHARS + 1, 1);

	sha256_digest(&d->sha, sizeof(sum), sum);
	for (size_t i = 0; i < sizeof(sum); i++)
		snprintf(text + 2 * i, 3, "%02x", sum[i]);
	free(d);
	return text;
}
