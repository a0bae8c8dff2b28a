// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/source.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/mem.h"
#include "base/process.h"
#include "kernels/cache.h"
#include "kernels/patches.h"

#define PACKAGE_PATH "/usr/src/%s.tar.xz"
#define KEY_CHARS 32

void source_clear(struct source *s)
{
	free(s->path);
	free(s->tree);
	free(s->id);
	free(s->text);
	*s = (struct source){ 0 };
}

int source_digest_files(struct digest *d, const struct words *files, struct err *err)
{
	for (size_t i = 0; i < files->count; i++) {
		int code = digest_add_file(d, files->items[i]);

		if (code < 0)
			return err_set(
				err, code, "%s: %s", files->items[i], strerror(-code));
		digest_add(d, "", 1);
	}
	return 0;
}

static int find_package(const char *name, struct source *s, struct err *err)
{
	struct digest *d;
	int code;

	s->path = mem_format(PACKAGE_PATH, name);
	s->text = mem_format("package %s", name);
	d = digest_new();
	code = digest_add_file(d, s->path);
	s->id = digest_finish(d);
	if (code == -ENOENT)
		return err_set(err, code,
			"%s is not there: install the package %s (make deps does), or use "
			"--tree",
			s->path, name);
	return code < 0 ? err_set(err, code, "%s: %s", s->path, strerror(-code)) : 0;
}

/* One line of git's; *ret_text is freed by the caller. */
static int ask_git(
	const char *folder, const char *const *words, char **ret_text, struct err *err)
{
	const char *argv[8] = { "git", "-C", folder };
	const char *const env[] = { "LC_ALL=C", NULL };
	struct process_spec spec = { .argv = argv, .env = env };
	char *text;
	int code;

	for (size_t i = 0; words[i]; i++)
		argv[3 + i] = words[i];
	code = process_capture(&spec, &text, err);
	if (code < 0 && code != -ECHILD)
		return code;
	text[strcspn(text, "\n")] = '\0';
	if (code < 0) {
		err_set(err, -EINVAL, "%s: %s", folder, text);
		free(text);
		return -EINVAL;
	}
	*ret_text = text;
	return 0;
}

int source_find_commit(const char *folder, const char *commit, char **ret, struct err *err)
{
	char *object = mem_format("%s^{commit}", commit);
	const int code = ask_git(folder,
		(const char *const[]){
			"rev-parse", "--verify", "--end-of-options", object, NULL },
		ret, err);

	free(object);
	return code;
}

static int find_git(
	const char *folder, const char *commit, struct source *s, struct err *err)
{
	char *object = mem_format("%s^{tree}", commit);
	int code = ask_git(folder,
		(const char *const[]){
			"rev-parse", "--verify", "--end-of-options", object, NULL },
		&s->tree, err);

	free(object);
	if (code < 0)
		return code;
	s->kind = SOURCE_GIT;
	s->path = mem_text(folder);
	s->id = mem_text(s->tree);
	s->text = mem_format("git %s %s (tree %.12s)", folder, commit, s->tree);
	return 0;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int digest_entry(struct digest *d, const FTSENT *at, size_t root_length)
{
	char target[PATH_MAX];
	ssize_t length;

	switch (at->fts_info) {
	case FTS_F:
		digest_add_text(d, at->fts_path + root_length);
		digest_add(d, at->fts_statp->st_mode & S_IXUSR ? "x" : "-", 1);
		return digest_add_file(d, at->fts_accpath);
	case FTS_SL:
		length = readlink(at->fts_accpath, target, sizeof(target));
		digest_add_text(d, at->fts_path + root_length);
		digest_add(d, target, length < 0 ? 0 : (size_t)length);
		return length < 0 ? -errno : 0;
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		return -at->fts_errno;
	default:
		return 0;
	}
}

/* Names, modes and contents of all that is in the folder, in a fixed order. */
static int digest_folder(
	const char *folder, const struct kernel_watch *watch, char **ret, struct err *err)
{
	char *const roots[] = { (char *)folder, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	const volatile sig_atomic_t *stop = kernel_stop_flag(watch);
	struct digest *d = digest_new();
	unsigned int done = 0;
	FTSENT *at;
	int code = tree ? 0 : err_set(err, -errno, "%s: %m", folder);

	while (code == 0 && (at = fts_read(tree))) {
		code = digest_entry(d, at, strlen(folder));
		if (code < 0)
			err_set(err, code, "%s: %s", at->fts_path, strerror(-code));
		if (stop && *stop)
			code = err_set(err, -EINTR, "interrupted");
		if (++done % 256 == 0)
			kernel_tell(watch, STAGE_HASHING, done, 0);
	}
	if (tree)
		fts_close(tree);
	*ret = digest_finish(d);
	return code;
}

static bool has(const char *folder, const char *name)
{
	char *path = mem_format("%s/%s", folder, name);
	bool is = access(path, F_OK) == 0;

	free(path);
	return is;
}

static int check_clean(const char *folder, struct err *err)
{
	char *text;
	int code = ask_git(folder,
		(const char *const[]){
			"status", "--porcelain", "--untracked-files=no", NULL },
		&text, err);

	if (code < 0)
		return code;
	if (*text)
		code = err_set(err, -EBUSY,
			"%s has changes that are not committed (%s): commit them, or name "
			"a commit",
			folder, text + strspn(text, " "));
	free(text);
	return code;
}

static int find_tree(const char *folder, const struct kernel_watch *watch, struct source *s,
	struct err *err)
{
	int code;

	if (access(folder, R_OK) < 0)
		return err_set(err, -errno, "%s: %m", folder);
	if (!has(folder, "Kconfig") || !has(folder, "scripts/kconfig/merge_config.sh"))
		return err_set(err, -EINVAL, "%s: not the root of a kernel source", folder);
	if (has(folder, ".git")) {
		code = check_clean(folder, err);
		return code < 0 ? code : find_git(folder, "HEAD", s, err);
	}
	if (has(folder, ".config") || has(folder, "include/config"))
		return err_set(
			err, -EBUSY, "%s: was built in; run make mrproper there", folder);
	kernel_tell(watch, STAGE_HASHING, 0, 0);
	s->path = mem_text(folder);
	s->text = mem_format("tree %s", folder);
	return digest_folder(folder, watch, &s->id, err);
}

int source_find(enum source_kind kind, const char *name, const char *commit,
	const struct kernel_watch *watch, struct source *ret, struct err *err)
{
	struct source s = { .kind = kind };
	int code;

	switch (kind) {
	case SOURCE_PACKAGE:
		code = find_package(name, &s, err);
		break;
	case SOURCE_GIT:
		code = find_git(name, commit, &s, err);
		break;
	default:
		code = find_tree(name, watch, &s, err);
	}
	if (code < 0)
		source_clear(&s);
	else
		*ret = s;
	return code;
}

static int run(const char *const *argv, const struct kernel_watch *watch, struct err *err)
{
	const struct process_spec spec = { .argv = argv };

	return process_run(&spec, kernel_stop_flag(watch), err);
}

static int extract(const char *archive, const char *strip, const char *folder,
	const struct kernel_watch *watch, struct err *err)
{
	return run((const char *const[]){ "tar", "-x", "--no-same-owner", strip, "-C",
			   folder, "-f", archive, NULL },
		watch, err);
}

static int extract_git(const struct source *s, const char *folder,
	const struct kernel_watch *watch, struct err *err)
{
	char *archive = mem_format("%s.tar", folder);
	int code = run((const char *const[]){ "git", "-C", s->path, "archive",
			       "--format=tar", "-o", archive, s->tree, NULL },
		watch, err);

	if (code == 0)
		code = extract(archive, "--strip-components=0", folder, watch, err);
	unlink(archive);
	free(archive);
	return code;
}

static int fill(const struct source *s, const struct words *patches, const char *folder,
	const struct kernel_watch *watch, struct err *err)
{
	char *all;
	int code;

	kernel_tell(watch, STAGE_UNPACKING, 0, 0);
	switch (s->kind) {
	case SOURCE_PACKAGE:
		code = extract(s->path, "--strip-components=1", folder, watch, err);
		break;
	case SOURCE_GIT:
		code = extract_git(s, folder, watch, err);
		break;
	default:
		all = mem_format("%s/.", s->path);
		code = run((const char *const[]){ "cp", "-R", "-p", "--reflink=auto", all,
				   folder, NULL },
			watch, err);
		free(all);
	}
	if (code == 0 && !has(folder, "scripts/kconfig/merge_config.sh"))
		code = err_set(err, -EINVAL, "%s: not a kernel source", s->text);
	return code == 0 ? patches_apply(folder, patches, watch, err) : code;
}

static void tell_waiting(void *watch)
{
	kernel_tell(watch, STAGE_WAITING, 0, 0);
}

int source_unpack(const struct source *s, const struct words *patches,
	const struct kernel_watch *watch, char **ret_path, struct err *err)
{
	struct digest *d = digest_new();
	struct cache_entry entry = { 0 };
	bool found = false;
	char *key;
	int code;

	digest_add_text(d, s->id);
	code = source_digest_files(d, patches, err);
	key = digest_finish(d);
	key[KEY_CHARS] = '\0';
	if (code == 0)
		code = cache_open("sources", key, tell_waiting, (void *)watch,
			kernel_stop_flag(watch), &entry, &found, err);
	free(key);
	if (code < 0)
		return code;
	if (!found) {
		code = fill(s, patches, entry.part, watch, err);
		if (code == 0)
			code = cache_commit(&entry, err);
		else
			cache_abandon(&entry);
	}
	if (code == 0)
		*ret_path = mem_text(entry.path);
	cache_clear(&entry);
	return code;
}
