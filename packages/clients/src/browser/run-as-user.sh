#!/bin/sh
# Runs BROWSER_PROGRAM as BROWSER_USER, who gets the profile folder and keeps no right of root.
set -e
for argument; do
  case $argument in --user-data-dir=*) HOME=${argument#*=} ;; esac
done
chown -R "$BROWSER_USER:" "$HOME"
# The current folder may be closed to that user.
cd /
exec env -u BROWSER_USER -u BROWSER_PROGRAM HOME="$HOME" \
  setpriv --reuid="$BROWSER_USER" --regid="$(id -g "$BROWSER_USER")" --clear-groups --inh-caps=-all --bounding-set=-all \
  "$BROWSER_PROGRAM" "$@"
