import { createHash } from 'node:crypto'

/** As `ssh-keygen -l` prints it. @param key its type and base64 */
export function fingerprintOf(key: string): string {
  const digest = createHash('sha256')
    .update(Buffer.from(key.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}
