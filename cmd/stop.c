/* stop.c - a command that is interrupted leaves what it replaces whole, and says how far it came. */
#include "cmd.h"

#include <signal.h>

static volatile int stopped; /* the only thing that a signal touches */

static void on_signal(int sig)
{
	(void)sig;
	stopped = 1;
}

volatile int *stop_on_signals(void)
{
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	return &stopped;
}
