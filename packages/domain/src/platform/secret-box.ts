import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Encrypts secrets that the database stores, so that a copy of it does not reveal them. */
export interface SecretBox {
  /** @param purpose what the secret is for, such as `node 7`; it cannot be opened for anything else */
  seal(secret: string, purpose: string): string
  /** @returns null if no key of the box opens it */
  open(sealed: string, purpose: string): string | null
}

const algorithm = 'aes-256-gcm'
const version = 'v1'

/**
 * @param keys of 32 bytes: the first one seals, all of them open, so that a key can be replaced; null if there are none
 */
export function createSecretBox(keys: readonly Buffer[]): SecretBox | null {
  const [current] = keys
  if (current === undefined) return null
  return {
    seal(secret, purpose) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(algorithm, current, nonce).setAAD(Buffer.from(purpose))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      const parts = [nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))
      return [version, idOf(current), ...parts].join('.')
    },
    open(sealed, purpose) {
      const [format, id, ...parts] = sealed.split('.')
      const key = keys.find((each) => idOf(each) === id)
      const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
      if (format !== version || !key || !nonce || !tag || !text) return null
      try {
        const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: 16 })
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
      } catch {
        // Sealed for another purpose, or changed.
        return null
      }
    },
  }
}

/** Tells keys apart without revealing them. */
const idOf = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 8)
