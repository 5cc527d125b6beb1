#!/bin/sh
# mesa25.sh: installs Mesa 25's Vulkan drivers from the backports suite of the Debian release at hand (needs root).
#
# The recorder reads a cache layout that is valid for Mesa 25.0.7 only, and the recorded outputs come from its lavapipe;
# Debian 12 ships 22.3. The suite's address is the one that the machine's own source for the release already uses, so no
# mirror is named here. Running it again changes nothing. `make deps` does not call this: it adds an apt source.
set -eu
min=25
have() { dpkg-query -W -f '${Version}' mesa-vulkan-drivers 2>/dev/null | sed 's/^[0-9]*://; s/\..*//'; }
major=$(have || true)
if [ "${major:-0}" -ge "$min" ]; then
	echo "mesa25: mesa-vulkan-drivers $(dpkg-query -W -f '${Version}' mesa-vulkan-drivers) is there already"
	exit 0
fi
. /etc/os-release
suite=$VERSION_CODENAME-backports
targets() { apt-get indextargets --format '$(CODENAME)|$(COMPONENT)|$(SITE)' 'Created-By: Packages'; }
key=/usr/share/keyrings/debian-archive-keyring.gpg
if ! targets | grep -q "^$suite|main|"; then
	site=$(targets | grep "^$VERSION_CODENAME|main|" | head -n 1 | cut -d '|' -f 3)
	if [ -z "$site" ]; then
		echo "mesa25: no apt source for $VERSION_CODENAME main to take the address from" >&2
		exit 1
	fi
	{
		echo "Types: deb"
		echo "URIs: $site"
		echo "Suites: $suite"
		echo "Components: main"
		if [ -e "$key" ]; then echo "Signed-By: $key"; fi
	} >/etc/apt/sources.list.d/xlate-backports.sources
fi
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -t "$suite" mesa-vulkan-drivers
major=$(have)
if [ "$major" -lt "$min" ]; then
	echo "mesa25: $suite offers Mesa $major only" >&2
	exit 1
fi
echo "mesa25: mesa-vulkan-drivers $(dpkg-query -W -f '${Version}' mesa-vulkan-drivers)"
