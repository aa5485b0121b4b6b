#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# install-package.sh FOLDER ACTION WHAT: dpkg with a system of its own in FOLDER/root. Nothing else of Debian is there, so that what
# a package depends on is not asked for; its scripts run outside of that folder, with an ldconfig that does nothing but say so.
set -eu
folder=$1
mkdir -p "$folder/bin"
printf '#!/bin/sh\necho "ldconfig $*"\n' > "$folder/bin/ldconfig"
chmod +x "$folder/bin/ldconfig"
mkdir -p "$folder/root/var/lib/dpkg/info" "$folder/root/var/lib/dpkg/updates"
touch "$folder/root/var/lib/dpkg/status"
PATH=$folder/bin:$PATH:/usr/sbin:/sbin dpkg --root="$folder/root" --log="$folder/dpkg.log" \
  --force-not-root --force-depends --force-script-chrootless "$2" "$3"
