// The library decorates its classes with metadata, which has to be there first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const { keyCertSign, cRLSign, digitalSignature } = x509.KeyUsageFlags
export const day = 24 * 3600 * 1000

export interface Credentials {
  /** Both in PEM. */
  readonly cert: string
  readonly key: string
}

export interface Wanted {
  readonly names: readonly string[]
  /** From now, in milliseconds. */
  readonly from?: number
  readonly until?: number
}

/** Signs certificates for as long as a test lasts. */
export interface Authority {
  readonly cert: string
  issue(wanted: Wanted): Promise<Credentials>
}

/** @param name as in `O=Tyrol Trust, CN=Tyrol Trust R1` */
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
    async issue(wanted) {
      const own = await makeKeys()
      const certificate = await x509.X509CertificateGenerator.create({
        ...partsOf(wanted),
        issuer: root.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
      })
      return await credentialsOf(certificate, own.privateKey)
    },
  }
}

export async function selfSigned(wanted: Wanted): Promise<Credentials> {
  const keys = await makeKeys()
  const { subject: name, ...parts } = partsOf(wanted)
  return await credentialsOf(
    await x509.X509CertificateGenerator.createSelfSigned({ ...parts, name, keys }),
    keys.privateKey,
  )
}

function partsOf({ names, from = -day, until = 30 * day }: Wanted) {
  return {
    subject: `CN=${names[0]}`,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() + from),
    notAfter: new Date(Date.now() + until),
    extensions: [
      new x509.KeyUsagesExtension(digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
    ],
  }
}

const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

type Keys = Awaited<ReturnType<typeof makeKeys>>

async function credentialsOf(
  certificate: x509.X509Certificate,
  key: Keys['privateKey'],
): Promise<Credentials> {
  const exported = await crypto.subtle.exportKey('pkcs8', key)
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(exported, 'PRIVATE KEY') }
}
