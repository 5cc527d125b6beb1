/* temp.h - names of temporary files and folders, for mkstemp and mkdtemp. */
#ifndef XL_TEMP_H
#define XL_TEMP_H

#include <stdlib.h>
#include <string.h>

/* TMPDIR, or /tmp, with `stem` and the six letters that mkstemp replaces. The caller frees it. NULL: out of memory. */
static inline char *temp_name(const char *stem)
{
	const char *dir = getenv("TMPDIR");
	size_t n, k = strlen(stem);
	char *name;

	if (!dir || !*dir)
		dir = "/tmp";
	n = strlen(dir);
	name = malloc(n + k + 8);
	if (!name)
		return NULL;
	memcpy(name, dir, n);
	name[n++] = '/';
	memcpy(name + n, stem, k);
	memset(name + n + k, 'X', 6);
	name[n + k + 6] = 0;
	return name;
}

#endif
