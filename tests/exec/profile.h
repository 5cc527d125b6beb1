/* profile.h: the Vulkan profile of a device as JSON, in the form that `xlate profile` reads. */
#ifndef PROFILE_H
#define PROFILE_H

/* Asks the first device and prints to stdout. Returns the command's exit code (enum child_exit). */
int profile_print(void);

#endif
