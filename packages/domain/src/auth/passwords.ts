import argon2 from 'argon2'

/** OWASP's parameters for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const parameters = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Keyboards write the same letter in several ways (NIST SP 800-63B, 3.1.1.2). */
export const normalised = (password: string): string => password.normalize('NFKC')

/** @returns a PHC string */
export const hashPassword = (password: string): Promise<string> =>
  argon2.hash(normalised(password), parameters)

const decoy = hashPassword('a password that nobody has')

/** Takes the same time without a hash, so timing does not reveal whether an e-mail is known. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  // Earlier releases did not normalize passwords.
  for (const written of new Set([normalised(password), password])) {
    const isRight = await argon2.verify(hash ?? (await decoy), written)
    if (isRight && hash !== null) return true
  }
  return false
}
