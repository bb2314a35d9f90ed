import { createWriteStream, existsSync, renameSync, type WriteStream } from 'node:fs'

export type LogFile = ReturnType<typeof openLog>

const maxBytes = 10 * 1024 * 1024

/** Keeps the previous file with the suffix `.1`. */
export function rotate(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.1`)
}

/** A new log that is rotated when it reaches 10 MiB. */
export function openLog(path: string) {
  let written = 0
  const open = (): WriteStream => {
    rotate(path)
    written = 0
    // A full disk must not stop the service.
    return createWriteStream(path, { flags: 'a', mode: 0o600 }).on('error', () => undefined)
  }
  let stream = open()
  return {
    path,
    write(text: string): void {
      written += text.length
      if (written > maxBytes) {
        stream.end()
        stream = open()
      }
      stream.write(text)
    },
    close: () => new Promise<void>((resolve) => stream.end(() => resolve())),
  }
}
