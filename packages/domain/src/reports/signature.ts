import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { ReportKey } from '@kustos/contract/reports'
import { sha256 } from './record.ts'

/** The files that carry their signature in their last line, as a comment of their format. */
export type SignedFormat = 'html' | 'pdf'

export interface ReportSigner {
  /** The key that signs. */
  readonly keyId: string
  /** All public keys, the current one first. */
  readonly keys: readonly ReportKey[]
  /** Appends the line with the signature. @param recordHash of the record that the document is about */
  sign(document: Buffer, recordHash: string, format: SignedFormat): Buffer
}

/** What precedes the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const comments = { html: ['<!--', '-->'], pdf: ['%%%%', '%%%'] } as const

/** The last line has the same length in all files, so that a recipient can cut it off (docs/reports.md). */
export const signatureLineBytes = 289

const linePattern =
  /^(?:<!--|%%%%)((kustos-report-1) record=([0-9a-f]{64}) document=([0-9a-f]{64}) key=([0-9a-f]{16})) signature=([\w+/]{86}==)(?:-->|%%%)\n$/

/** @param keys of 32 bytes: the first one signs; null if there are none */
export function createReportSigner(keys: readonly Buffer[]): ReportSigner | null {
  const pairs = keys.map((seed) => {
    const key = Buffer.concat([pkcs8Prefix, seed])
    const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
    const publicKey = createPublicKey(privateKey)
    return { privateKey, publicKey, id: keyIdOf(publicKey) }
  })
  const [current] = pairs
  if (current === undefined) return null
  return {
    keyId: current.id,
    keys: pairs.map(({ id, publicKey }) => ({
      id,
      algorithm: 'Ed25519',
      public_key: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      current: id === current.id,
    })),
    sign(given, recordHash, format) {
      const document = endLine(given)
      const statement = `kustos-report-1 record=${recordHash} document=${sha256(document)} key=${current.id}`
      const signature = sign(null, Buffer.from(statement), current.privateKey).toString('base64')
      const [open, close] = comments[format]
      return Buffer.concat([document, Buffer.from(`${open}${statement} signature=${signature}${close}\n`)])
    },
  }
}

const newline = '\n'.charCodeAt(0)
const endLine = (document: Buffer) =>
  document.at(-1) === newline ? document : Buffer.concat([document, Buffer.from('\n')])

const keyIdOf = (key: KeyObject) => sha256(key.export({ format: 'der', type: 'spki' })).slice(0, 16)

export type ReportCheck =
  | { readonly ok: true; readonly recordHash: string; readonly keyId: string }
  | { readonly ok: false; readonly fault: 'unsigned' | 'other key' | 'altered' }

/**
 * Checks a report as its recipient does.
 * @param publicKeys in PEM
 * @throws if a key is none
 */
export function verifyReport(file: Buffer, publicKeys: readonly string[]): ReportCheck {
  const end = file.length - signatureLineBytes
  const line = linePattern.exec(file.subarray(Math.max(0, end)).toString('latin1'))
  if (line === null) return { ok: false, fault: 'unsigned' }
  const [, statement = '', , recordHash = '', documentHash, keyId = '', signature = ''] = line
  const key = publicKeys.map((pem) => createPublicKey(pem)).find((each) => keyIdOf(each) === keyId)
  if (key === undefined) return { ok: false, fault: 'other key' }
  const isSigned = verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64'))
  return isSigned && sha256(file.subarray(0, end)) === documentHash
    ? { ok: true, recordHash, keyId }
    : { ok: false, fault: 'altered' }
}
