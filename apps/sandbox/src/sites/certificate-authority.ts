// @peculiar/x509 needs reflect-metadata to be loaded first.
import 'reflect-metadata'
import { createPrivateKey, type webcrypto, X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { replaceFile } from '../files.ts'
import type { HostCertificate } from '../seed/certificates.ts'

export type CertificateAuthority = Awaited<ReturnType<typeof openCertificateAuthority>>

export const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 24 * 3600 * 1000
const lifetimeMs = 3650 * dayMs
const renewalMs = 60 * dayMs
const clockSkewMs = dayMs

/**
 * Opens the authority in the folder, or creates one if there is none or it expires soon. It signs the certificates of the
 * sandbox's sites; only clients that are given its certificate trust them.
 */
export async function openCertificateAuthority(folder: string, now: Date) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'authority.pem')
  const keyFile = join(folder, 'authority.key')
  const [storedKey, storedCert] = await Promise.all([readIfExists(keyFile), readIfExists(file)])
  const isStoredUsable = isUsable(storedKey, storedCert, now)
  const { key, cert } = isStoredUsable ? { key: storedKey, cert: storedCert } : await createRoot(now)
  if (!isStoredUsable) {
    await replaceFile(keyFile, key, 0o600)
    await replaceFile(file, cert)
  }
  const root: Issuer = { certificate: new x509.X509Certificate(cert), key: await importKey(key) }

  // One key for all leaves and one for all intermediates, so that a host only costs a signature.
  const [intermediateKeys, leafKeys] = await Promise.all([generateKeys(), generateKeys()])
  const leafKey = await exportKey(leafKeys.privateKey)
  const intermediates = new Map<string, Promise<x509.X509Certificate>>()
  const findIntermediate = (organisation: string) => {
    const certificate =
      intermediates.get(organisation) ??
      createIntermediate(organisation, root, intermediateKeys.publicKey, now)
    intermediates.set(organisation, certificate)
    return certificate
  }
  return {
    /** Its certificate in PEM, for PROBE_CA_FILE. */
    file,
    createdAt: new Date(root.certificate.notBefore.getTime() + clockSkewMs),
    /** @returns the certificate with its intermediate, and the private key, in PEM */
    async issue(wanted: HostCertificate) {
      const certificate = await findIntermediate(wanted.authority)
      const leaf = await createLeaf(
        wanted,
        { certificate, key: intermediateKeys.privateKey },
        leafKeys.publicKey,
      )
      return { cert: `${leaf.toString('pem')}\n${certificate.toString('pem')}\n`, key: leafKey }
    },
  }
}

interface Issuer {
  readonly certificate: x509.X509Certificate
  readonly key: webcrypto.CryptoKey
}

const readIfExists = (path: string) => readFile(path, 'utf8').catch(() => '')

/** Whether both exist, belong together and do not expire soon. */
function isUsable(key: string, cert: string, now: Date): boolean {
  if (key === '' || cert === '') return false
  try {
    const certificate = new X509Certificate(cert)
    const isLasting = certificate.validToDate.getTime() - now.getTime() > renewalMs
    return isLasting && certificate.checkPrivateKey(createPrivateKey(key))
  } catch {
    // Truncated files.
    return false
  }
}

export const generateKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

export const exportKey = async (key: webcrypto.CryptoKey) =>
  `${x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`

const importKey = (text: string) =>
  crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(text), algorithm, true, ['sign'])

const { keyCertSign, cRLSign, digitalSignature } = x509.KeyUsageFlags

async function createRoot(now: Date): Promise<{ readonly key: string; readonly cert: string }> {
  const keys = await generateKeys()
  const name = [{ O: ['Kustos sandbox'] }, { CN: ['Kustos sandbox authority'] }]
  const certificate = await x509.X509CertificateGenerator.create({
    subject: name,
    issuer: name,
    notBefore: new Date(now.getTime() - clockSkewMs),
    notAfter: new Date(now.getTime() + lifetimeMs),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: await authorityExtensions(keys.publicKey),
  })
  return { key: await exportKey(keys.privateKey), cert: `${certificate.toString('pem')}\n` }
}

const authorityExtensions = async (publicKey: webcrypto.CryptoKey, pathLength?: number) => [
  new x509.BasicConstraintsExtension(true, pathLength, true),
  new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
  await x509.SubjectKeyIdentifierExtension.create(publicKey),
]

type CertificateSettings = Pick<
  x509.X509CertificateCreateParams,
  'subject' | 'notBefore' | 'notAfter' | 'publicKey' | 'extensions'
>

const sign = async ({ extensions = [], ...settings }: CertificateSettings, { certificate, key }: Issuer) =>
  x509.X509CertificateGenerator.create({
    ...settings,
    issuer: certificate.subject,
    signingAlgorithm: algorithm,
    signingKey: key,
    extensions: [...extensions, await x509.AuthorityKeyIdentifierExtension.create(certificate.publicKey)],
  })

/** Named after a real authority, because Kustos shows the issuer's organisation. */
const createIntermediate = async (
  organisation: string,
  root: Issuer,
  publicKey: webcrypto.CryptoKey,
  now: Date,
) =>
  sign(
    {
      subject: [{ O: [organisation] }, { CN: [`${organisation} (Kustos sandbox)`] }],
      notBefore: new Date(now.getTime() - clockSkewMs),
      notAfter: root.certificate.notAfter,
      publicKey,
      extensions: await authorityExtensions(publicKey, 0),
    },
    root,
  )

/** RFC 5280, appendix A.1; alternative names may be longer. */
const maxCommonNameLength = 64

const createLeaf = ({ name, from, until }: HostCertificate, issuer: Issuer, publicKey: webcrypto.CryptoKey) =>
  sign(
    {
      subject: name.length <= maxCommonNameLength ? [{ CN: [name] }] : [{ O: ['Kustos sandbox'] }],
      notBefore: from,
      notAfter: until,
      publicKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
      ],
    },
    issuer,
  )
