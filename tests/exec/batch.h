/* batch.h: many jobs from a list, some at a time, one result line each, in the order of the list. */
#ifndef BATCH_H
#define BATCH_H

/*
 * A line of the list is a name, a tab and the arguments of a job, separated by blanks: it compares if an argument is
 * "iface:code", it runs otherwise. Prints "name<tab>result" a line and "N passed, N failed"; returns an exit code.
 */
int batch_run(const char *list, int workers);

#endif
