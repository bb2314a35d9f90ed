import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { createMessageFilter } from './message-filter.ts'

/**
 * A program between Playwright and Chromium, started by `relay.sh`: it runs Chromium with its own arguments and passes on what both
 * say over the pipes 3 and 4. Playwright reads whole messages into memory, and a page decides how large some of them are.
 */
const maxMessageBytes = 16 * 1024 * 1024

const [command = '', ...args] = process.argv.slice(2)
// Its arguments are the browser's, which it is not.
process.title = 'kustos-browser-relay'
const browser = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'] })
browser.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
browser.on('exit', (code) => process.exit(code ?? 1))

const [, , , toBrowser, fromBrowser] = browser.stdio
const fromPlaywright = new Socket({ fd: 3, readable: true, writable: false })
const toPlaywright = new Socket({ fd: 4, readable: false, writable: true })
// Chromium ends when its pipe does.
const isGone = () => toBrowser?.destroy()
for (const stream of [fromPlaywright, toPlaywright, toBrowser, fromBrowser]) stream?.on('error', isGone)
fromPlaywright.pipe(toBrowser as Writable)
const filter = createMessageFilter(maxMessageBytes, () => {
  process.stderr.write('A message of the page is too large\n')
  browser.kill('SIGKILL')
})
;(fromBrowser as Readable).pipe(filter).pipe(toPlaywright)
