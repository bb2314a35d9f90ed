// @peculiar/x509 needs reflect-metadata to be loaded first.
import 'reflect-metadata'
import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import * as x509 from '@peculiar/x509'
import { algorithm, exportKey, generateKeys } from '../sites/certificate-authority.ts'

const dayMs = 24 * 3600 * 1000

/** A self-signed certificate like the one that Plesk creates when it is installed. */
export async function createSelfSigned(host: string) {
  const keys = await generateKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ O: ['Plesk'] }, { CN: ['Plesk'] }],
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 365 * dayMs),
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  })
  const cert = certificate.toString('pem')
  return {
    fingerprint: new X509Certificate(cert).fingerprint256,
    context: createSecureContext({ cert, key: await exportKey(keys.privateKey) }),
  }
}
