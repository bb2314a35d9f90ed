#!/bin/sh
# Runs BROWSER_COMMAND with these arguments behind the relay (relay.ts), since Playwright starts a program without arguments of ours.
set -e
node=$BROWSER_NODE relay=${0%.sh}.ts command=$BROWSER_COMMAND
unset BROWSER_NODE BROWSER_COMMAND
exec "$node" --max-old-space-size=128 "$relay" "$command" "$@"
