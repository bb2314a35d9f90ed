import argon2 from 'argon2'

/** OWASP's parameters for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const parameters = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** @returns a PHC string */
export const hashPassword = (password: string): Promise<string> => argon2.hash(password, parameters)

const decoy = hashPassword('a password that nobody has')

/**
 * Whether the password is the hash's. Takes as long without a hash, so that an unknown e-mail cannot be told from a
 * wrong password by the clock.
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  if (hash !== null) return argon2.verify(hash, password)
  await argon2.verify(await decoy, password)
  return false
}
