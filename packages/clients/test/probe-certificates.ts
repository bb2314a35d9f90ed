// @peculiar/x509 needs the metadata polyfill to be loaded first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const { keyCertSign, cRLSign, digitalSignature } = x509.KeyUsageFlags
export const day = 24 * 3600 * 1000

export interface Credentials {
  /** PEM, as the key. */
  readonly cert: string
  readonly key: string
}

export interface CertificateOptions {
  readonly names: readonly string[]
  /** Offset from now. */
  readonly fromMs?: number
  readonly untilMs?: number
}

/** A certificate authority for tests. */
export interface Authority {
  readonly cert: string
  issue(options: CertificateOptions): Promise<Credentials>
}

/** @param name such as `O=Tyrol Trust, CN=Tyrol Trust R1` */
export async function makeAuthority(name: string): Promise<Authority> {
  const keys = await makeKeys()
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 60 * day),
    notAfter: new Date(Date.now() + 60 * day),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
    ],
  })
  return {
    cert: root.toString('pem'),
    async issue(options) {
      const own = await makeKeys()
      const certificate = await x509.X509CertificateGenerator.create({
        ...buildParts(options),
        issuer: root.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
      })
      return await exportCredentials(certificate, own.privateKey)
    },
  }
}

export async function selfSigned(options: CertificateOptions): Promise<Credentials> {
  const keys = await makeKeys()
  const { subject: name, ...parts } = buildParts(options)
  return await exportCredentials(
    await x509.X509CertificateGenerator.createSelfSigned({ ...parts, name, keys }),
    keys.privateKey,
  )
}

function buildParts({ names, fromMs = -day, untilMs = 30 * day }: CertificateOptions) {
  return {
    subject: `CN=${names[0]}`,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() + fromMs),
    notAfter: new Date(Date.now() + untilMs),
    extensions: [
      new x509.KeyUsagesExtension(digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
    ],
  }
}

const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

type Keys = Awaited<ReturnType<typeof makeKeys>>

async function exportCredentials(
  certificate: x509.X509Certificate,
  key: Keys['privateKey'],
): Promise<Credentials> {
  const exported = await crypto.subtle.exportKey('pkcs8', key)
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(exported, 'PRIVATE KEY') }
}
