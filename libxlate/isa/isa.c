/* isa.c - the guest ISAs by name. */
#include "isa.h"

#include <string.h>

static const struct isa *const all[] = { &isa_gfx10, &isa_gfx7, &isa_sm86, &isa_sm53 };

const struct isa *isa_at(size_t i)
{
	return i < sizeof(all) / sizeof(all[0]) ? all[i] : NULL;
}

const struct isa *isa_find(const char *name, const struct isa_cpu **cpu)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!strcmp(all[i]->name, name)) {
			*cpu = all[i]->cpus;
			return all[i];
		}
		for (const struct isa_cpu *c = all[i]->cpus; c->name; c++) {
			if (!strcmp(c->name, name)) {
				*cpu = c;
				return all[i];
			}
		}
	}
	return NULL;
}
