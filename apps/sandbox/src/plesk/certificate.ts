// The library decorates its classes with metadata, which has to be there first.
import 'reflect-metadata'
import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 24 * 3600 * 1000

/** A certificate such as a panel makes for itself when it is installed. */
export async function selfSigned(
  host: string,
  now: Date,
): Promise<{ readonly fingerprint: string; readonly context: SecureContext }> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ O: ['Plesk'] }, { CN: ['Plesk'] }],
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(now.getTime() - day),
    notAfter: new Date(now.getTime() + 365 * day),
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  })
  const cert = certificate.toString('pem')
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return {
    fingerprint: new X509Certificate(cert).fingerprint256,
    context: createSecureContext({ cert, key }),
  }
}
