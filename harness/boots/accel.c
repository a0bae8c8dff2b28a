// SPDX-License-Identifier: GPL-2.0-or-later
#include "accel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "boots/guest.h"

#define YES "kvm"

/* Short: a guest that runs natively needs about a second for all of this. */
static const struct guest_deadlines deadlines = {
	.phase_ms =
		{
			[PHASE_FIRMWARE] = 5000,
			[PHASE_KERNEL] = 10000,
			[PHASE_INIT] = 5000,
			[PHASE_WORKLOAD] = 5000,
			[PHASE_SHUTDOWN] = 5000,
		},
	.silence_ms = 5000,
};

static uLong add_text(uLong sum, const char *text)
{
	return crc32(sum, (const Bytef *)text, (uInt)strlen(text) + 1);
}

/* The file of the answer to exactly this question, freed by the caller. */
static int answer_path(const struct accel_probe *p, const struct qemu_machine *m,
	const struct utsname *host, char **ret_path, struct err *err)
{
	const char *const argv[] = { m->program, "--version", NULL };
	const struct process_spec spec = { .argv = argv };
	char *version, *image;
	size_t bytes;
	uLong sum;
	int ret = process_capture(&spec, &version, err);

	if (ret == -ENOENT)
		return err_set(err, ret, "%s was not found: install the package %s",
			m->program, m->package);
	if (ret < 0)
		return ret;
	ret = file_read("", p->kernel, &image, &bytes);
	if (ret < 0) {
		free(version);
		return err_set(err, ret, "%s: %s", p->kernel, strerror(-ret));
	}
	sum = add_text(add_text(add_text(0, version), host->release), host->version);
	sum = crc32_z(sum, (const Bytef *)image, bytes);
	*ret_path = mem_format("%s/accel-%s-%08lx", p->cache, p->arch, sum);
	free(version);
	free(image);
	return 0;
}

static int boot(const struct accel_probe *p, char **ret_answer, struct err *err)
{
	const struct job nothing = { 0 };
	const struct guest_config config = {
		.arch = p->arch,
		.accel = ACCEL_KVM,
		.cpus = 2,
		.nodes = 1,
		.memory_bytes = (uint64_t)256 << 20,
		.kernel = p->kernel,
		.base_layer = p->base_layer,
		.job = &nothing,
		.words = "",
		.run_id = "probe",
		.folder = p->folder,
		.deadlines = &deadlines,
		.stop = p->stop,
	};
	struct guest_outcome o;
	int ret = guest_boot(&config, &o, err);

	if (ret < 0)
		return ret;
	if (o.result == GUEST_INTERRUPTED)
		ret = err_set(err, -EINTR, "interrupted");
	else if (o.result == GUEST_OK)
		*ret_answer = mem_text(YES);
	else
		*ret_answer = mem_format("KVM does not boot this kernel here: %s in %s: %s",
			guest_result_name(o.result), guest_phase_name(o.phase), o.reason);
	guest_outcome_clear(&o);
	return ret;
}

/* From the cache, or by a boot whose answer then goes there. */
static int find_answer(
	const struct accel_probe *p, const char *path, char **ret_answer, struct err *err)
{
	char *answer = NULL;
	int ret;

	if (file_read_line("", path, ret_answer) == 0)
		return 0;
	ret = boot(p, &answer, err);
	if (ret < 0)
		return ret;
	ret = file_make_dirs(p->cache);
	if (ret == 0)
		ret = file_replace(path, answer, strlen(answer));
	if (ret < 0) {
		free(answer);
		return err_set(err, ret, "%s: %s", path, strerror(-ret));
	}
	*ret_answer = answer;
	return 0;
}

/* Why KVM need not be tried; or NULL. */
static char *find_obstacle(const struct qemu_machine *m, const struct utsname *host)
{
	int fd;

	if (strcmp(m->host, host->machine) != 0)
		return mem_format("a guest of %s on a host of %s", m->arch, host->machine);
	fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return mem_format("/dev/kvm: %m%s",
			errno == EACCES ? "; membership in the group kvm would help" : "");
	close(fd);
	return NULL;
}

int accel_choose(const struct accel_probe *p, enum guest_accel *ret, char **ret_reason,
	struct err *err)
{
	const struct qemu_machine *m = qemu_find_machine(p->arch);
	struct utsname host;
	char *path = NULL, *answer;
	int code;

	if (!m)
		return err_set(err, -EINVAL, "%s: no such guest", p->arch);
	uname(&host);
	answer = find_obstacle(m, &host);
	if (!answer) {
		code = answer_path(p, m, &host, &path, err);
		if (code < 0)
			return code;
		code = find_answer(p, path, &answer, err);
		free(path);
		if (code < 0)
			return code;
	}
	if (strcmp(answer, YES) == 0) {
		free(answer);
		answer = NULL;
	}
	*ret = answer ? ACCEL_TCG : ACCEL_KVM;
	*ret_reason = answer;
	return 0;
}
