// SPDX-License-Identifier: GPL-2.0-or-later
#include "initramfs.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "kernels/elf.h"

#define BLOCK_BYTES 512

struct member {
	char *path; /* with its slash */
	char *data;
	size_t bytes;
	unsigned int mode; /* with its type */
};

struct layer {
	struct member *members;
	size_t count;
};

struct layer *layer_new(void)
{
	return mem_zeroed(1, sizeof(struct layer));
}

void layer_free(struct layer *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->count; i++) {
		free(l->members[i].path);
		free(l->members[i].data);
	}
	free(l->members);
	free(l);
}

static const struct member *find_member(const struct layer *l, const char *path)
{
	for (size_t i = 0; i < l->count; i++) {
		if (strcmp(l->members[i].path, path) == 0)
			return &l->members[i];
	}
	return NULL;
}

/* Takes data over. */
static void put_member(
	struct layer *l, const char *path, char *data, size_t bytes, unsigned int mode)
{
	l->members = mem_resize(l->members, l->count + 1, sizeof(*l->members));
	l->members[l->count++] = (struct member){
		.path = mem_text(path), .data = data, .bytes = bytes, .mode = mode
	};
}

static void put_parents(struct layer *l, const char *path)
{
	char *part = mem_text(path);

	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (!find_member(l, part))
			put_member(l, part, NULL, 0, S_IFDIR | 0755);
		*slash = '/';
	}
	free(part);
}

/* Takes data over, also on failure. */
static int add_owned(struct layer *l, const char *path, char *data, size_t bytes,
	unsigned int mode, struct err *err)
{
	const struct member *old = find_member(l, path);

	if (!old) {
		put_parents(l, path);
		put_member(l, path, data, bytes, S_IFREG | mode);
		return 0;
	}
	if (old->mode == (S_IFREG | mode) && old->bytes == bytes &&
		memcmp(old->data, data, bytes) == 0) {
		free(data);
		return 0;
	}
	free(data);
	return err_set(err, -EEXIST, "initramfs: two different files for %s", path);
}

int layer_add_data(struct layer *l, const char *path, const char *data, size_t bytes,
	unsigned int mode, struct err *err)
{
	char *copy = malloc(bytes + 1);

	if (!copy)
		return err_set(err, -ENOMEM, "initramfs: %s", strerror(ENOMEM));
	memcpy(copy, data, bytes);
	return add_owned(l, path, copy, bytes, mode, err);
}

int layer_add_file(struct layer *l, const char *path, const char *from, struct err *err)
{
	struct stat st;
	size_t bytes = 0;
	char *data = NULL;
	int ret = stat(from, &st) < 0 ? -errno : file_read("", from, &data, &bytes);

	if (ret < 0)
		return err_set(err, ret, "%s: %s", from, strerror(-ret));
	return add_owned(l, path, data, bytes, st.st_mode & 0111 ? 0755 : 0644, err);
}

static int add_folder_entry(
	struct layer *l, const char *path, const char *from, struct err *err)
{
	struct stat st;

	if (stat(from, &st) < 0)
		return err_set(err, -errno, "%s: %m", from);
	if (S_ISDIR(st.st_mode))
		return layer_add_folder(l, path, from, err);
	return S_ISREG(st.st_mode) ? layer_add_file(l, path, from, err) : 0;
}

int layer_add_folder(struct layer *l, const char *path, const char *from, struct err *err)
{
	DIR *dir = opendir(from);
	struct dirent *entry;
	int ret = 0;

	if (!dir)
		return err_set(err, -errno, "%s: %m", from);
	while (ret == 0 && (entry = readdir(dir)) != NULL) {
		char *below = mem_format("%s/%s", path, entry->d_name);
		char *source = mem_format("%s/%s", from, entry->d_name);

		/* Hidden files are no data of the project's. */
		if (entry->d_name[0] != '.')
			ret = add_folder_entry(l, below, source, err);
		free(below);
		free(source);
	}
	closedir(dir);
	return ret;
}

/* The program whose libraries are being added. */
struct program {
	const struct elf_needs *needs;
	const char *root;         /* of the machine's files; "" for this one's */
	const char *loader_name;  /* without its folder */
	char libraries[PATH_MAX]; /* the loader's real folder, where it also looks */
};

/* Whether path is a library that the program could load. */
static bool fits(const struct program *p, const char *path)
{
	struct elf_needs n;
	bool same;

	if (elf_read_needs(path, &n, NULL) < 0)
		return false;
	same = n.elf_class == p->needs->elf_class && n.machine == p->needs->machine;
	elf_needs_clear(&n);
	return same;
}

static bool try_folder(
	const struct program *p, const char *folder, const char *name, char **ret_path)
{
	char *path = mem_format("%s%s/%s", p->root, folder, name);

	if (fits(p, path)) {
		*ret_path = path;
		return true;
	}
	free(path);
	return false;
}

/* As the loader does, but for its cache: what that knows stands in these folders. */
static int find_library(
	const struct program *p, const char *runpath, const char *name, char **ret_path)
{
	static const char *const usual[] = { "/usr/local/lib", "/usr/local/lib64", "/lib64",
		"/usr/lib64", "/lib", "/usr/lib" };
	char *folders = mem_text(runpath ? runpath : ""), *rest = folders, *folder;
	bool found = false;

	while (!found && (folder = strsep(&rest, ":")) != NULL) {
		/* $ORIGIN stands for private libraries, which the project has none of. */
		found = folder[0] == '/' && try_folder(p, folder, name, ret_path);
	}
	free(folders);
	if (!found)
		found = try_folder(p, p->libraries, name, ret_path);
	for (size_t i = 0; !found && i < sizeof(usual) / sizeof(usual[0]); i++)
		found = try_folder(p, usual[i], name, ret_path);
	return found ? 0 : -ENOENT;
}

static int add_libraries(struct layer *l, const struct program *p, const char *user,
	const struct elf_needs *needs, struct err *err);

static int add_library(struct layer *l, const struct program *p, const char *name,
	const char *from, struct err *err)
{
	char *path = mem_format("%s/%s", p->libraries, name);
	bool known = find_member(l, path) != NULL;
	struct elf_needs needs;
	int ret = layer_add_file(l, path, from, err);

	free(path);
	if (ret < 0 || known)
		return ret;
	ret = elf_read_needs(from, &needs, err);
	if (ret < 0)
		return ret;
	ret = add_libraries(l, p, from, &needs, err);
	elf_needs_clear(&needs);
	return ret;
}

static int add_libraries(struct layer *l, const struct program *p, const char *user,
	const struct elf_needs *needs, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < needs->n_names; i++) {
		char *from;

		/* The C library also needs its loader, which is there already. */
		if (strcmp(needs->names[i], p->loader_name) == 0)
			continue;
		if (find_library(p, needs->runpath, needs->names[i], &from) < 0)
			return err_set(err, -ENOENT, "%s: its library %s was not found",
				user, needs->names[i]);
		ret = add_library(l, p, needs->names[i], from, err);
		free(from);
	}
	return ret;
}

/* The real folder of a file, as seen from below root. */
static int find_folder(const char *root, const char *path, char ret[PATH_MAX])
{
	char *below = mem_format("%s%s", root, path), real_root[PATH_MAX] = "";
	int code = 0;

	if (!realpath(below, ret) || (*root && !realpath(root, real_root)))
		code = -errno;
	else if (strncmp(ret, real_root, strlen(real_root)) != 0)
		code = -ENOENT; /* a link leads out of the root: it is not there */
	free(below);
	if (code < 0)
		return code;
	dirname(ret);
	memmove(ret, ret + strlen(real_root), strlen(ret + strlen(real_root)) + 1);
	return 0;
}

static int add_loaded(struct layer *l, const char *from, const char *root,
	const struct elf_needs *needs, struct err *err)
{
	struct program p = { .needs = needs, .root = root };
	char *loader;
	int ret = find_folder(root, needs->loader, p.libraries);

	if (ret < 0)
		return err_set(err, ret, "%s: its loader %s%s: %s", from, root,
			needs->loader, strerror(-ret));
	p.loader_name = strrchr(needs->loader, '/');
	if (!p.loader_name)
		return err_set(err, -ENOEXEC, "%s: its loader %s has no folder", from,
			needs->loader);
	p.loader_name++;
	loader = mem_format("%s%s", root, needs->loader);
	ret = layer_add_file(l, needs->loader, loader, err);
	free(loader);
	return ret < 0 ? ret : add_libraries(l, &p, from, needs, err);
}

int layer_add_program(struct layer *l, const char *path, const char *from, const char *root,
	struct err *err)
{
	struct elf_needs needs;
	int ret = elf_read_needs(from, &needs, err);

	if (ret < 0)
		return ret;
	ret = layer_add_file(l, path, from, err);
	if (ret == 0 && needs.loader)
		ret = add_loaded(l, from, root, &needs, err);
	elf_needs_clear(&needs);
	return ret;
}

static int by_path(const void *a, const void *b)
{
	const struct member *const *ma = a, *const *mb = b;

	return strcmp((*ma)->path, (*mb)->path);
}

static int put_entry(struct archive *a, const struct member *m, int64_t number)
{
	struct archive_entry *e = archive_entry_new();
	int ret;

	archive_entry_set_pathname(e, m->path + 1);
	archive_entry_set_mode(e, m->mode);
	archive_entry_set_nlink(e, 1);
	archive_entry_set_ino64(e, number);
	archive_entry_set_size(e, (int64_t)m->bytes);
	archive_entry_set_mtime(e, 0, 0);
	ret = archive_write_header(a, e);
	if (ret == ARCHIVE_OK && m->bytes)
		ret = archive_write_data(a, m->data, m->bytes) == (ssize_t)m->bytes
			      ? ARCHIVE_OK
			      : ARCHIVE_FATAL;
	archive_entry_free(e);
	return ret;
}

static la_ssize_t take_bytes(struct archive *a, void *to, const void *data, size_t bytes)
{
	(void)a;
	return fwrite(data, 1, bytes, to) == bytes ? (la_ssize_t)bytes : -1;
}

static int write_archive(FILE *to, struct member **sorted, size_t count)
{
	struct archive *a = archive_write_new();
	int ret;

	archive_write_set_format_cpio_newc(a);
	archive_write_set_bytes_per_block(a, BLOCK_BYTES);
	ret = archive_write_open2(a, to, NULL, take_bytes, NULL, NULL);
	for (size_t i = 0; ret == ARCHIVE_OK && i < count; i++)
		ret = put_entry(a, sorted[i], (int64_t)i + 1);
	if (ret == ARCHIVE_OK)
		ret = archive_write_close(a);
	archive_write_free(a);
	return ret == ARCHIVE_OK ? 0 : -EIO;
}

int layer_encode(const struct layer *l, char **ret, size_t *ret_bytes, struct err *err)
{
	struct member **sorted = mem_zeroed(l->count, sizeof(struct member *));
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	int code = to ? 0 : -errno;

	for (size_t i = 0; i < l->count; i++)
		sorted[i] = &l->members[i];
	qsort(sorted, l->count, sizeof(*sorted), by_path);
	if (code == 0)
		code = write_archive(to, sorted, l->count);
	free(sorted);
	if (to && fclose(to) != 0 && code == 0)
		code = -ENOMEM;
	if (code < 0) {
		if (to)
			free(text);
		return err_set(
			err, code, "initramfs: writing the archive: %s", strerror(-code));
	}
	*ret = text;
	*ret_bytes = bytes;
	return 0;
}
