// The library decorates its classes with metadata, which has to be there first.
import 'reflect-metadata'
import { createPrivateKey, type webcrypto, X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { replaceFile } from '../nodes/recipes-file.ts'
import type { HostCertificate } from '../seed/certificates.ts'

/** Signs the certificates of the sandbox's sites; only who is given its own certificate trusts them. */
export interface CertificateAuthority {
  /** Its certificate, in PEM, for PROBE_CA_FILE. */
  readonly file: string
  /** When it was made. */
  readonly since: Date
  /** Certificate and intermediate, in PEM, with the private key that belongs to them. */
  issue(wanted: HostCertificate): Promise<{ readonly cert: string; readonly key: string }>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 24 * 3600 * 1000
const [lifetime, renewal] = [3650 * day, 60 * day]
/** Clocks go wrong. */
const leeway = day

/**
 * Opens the authority that lies in the folder, and makes a new one where there is none, or none that lasts.
 * @param now as of when
 */
export async function openAuthority(folder: string, now: Date): Promise<CertificateAuthority> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'authority.pem')
  const keyFile = join(folder, 'authority.key')
  const kept = await Promise.all([read(keyFile), read(file)])
  const [key, cert] = isGood(...kept, now) ? kept : await makeRoot(now)
  if (key !== kept[0]) {
    await replaceFile(keyFile, key, 0o600)
    await replaceFile(file, cert)
  }
  const root: Issuer = { certificate: new x509.X509Certificate(cert), key: await importKey(key) }

  // One key for all leaves and one for all intermediates: only signing is left to do for each host.
  const [between, leaf] = await Promise.all([makeKeys(), makeKeys()])
  const leafKey = await keyText(leaf.privateKey)
  const intermediates = new Map<string, Promise<x509.X509Certificate>>()
  const intermediateOf = (organisation: string) => {
    const known =
      intermediates.get(organisation) ?? makeIntermediate(organisation, root, between.publicKey, now)
    intermediates.set(organisation, known)
    return known
  }
  return {
    file,
    since: new Date(root.certificate.notBefore.getTime() + leeway),
    async issue(wanted) {
      const certificate = await intermediateOf(wanted.authority)
      const issued = await makeLeaf(wanted, { certificate, key: between.privateKey }, leaf.publicKey)
      return { cert: `${issued.toString('pem')}\n${certificate.toString('pem')}\n`, key: leafKey }
    },
  }
}

interface Issuer {
  readonly certificate: x509.X509Certificate
  readonly key: webcrypto.CryptoKey
}

const read = (path: string) => readFile(path, 'utf8').catch(() => '')

/** Whether both are there, belong together and last for a while. */
function isGood(key: string, cert: string, now: Date): boolean {
  if (key === '' || cert === '') return false
  try {
    const certificate = new X509Certificate(cert)
    const left = certificate.validToDate.getTime() - now.getTime()
    return certificate.checkPrivateKey(createPrivateKey(key)) && left > renewal
  } catch {
    // Cut off, or no such thing.
    return false
  }
}

const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

const keyText = async (key: webcrypto.CryptoKey) =>
  `${x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`

const importKey = (text: string) =>
  crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(text), algorithm, true, ['sign'])

const { keyCertSign, cRLSign, digitalSignature } = x509.KeyUsageFlags

async function makeRoot(now: Date): Promise<readonly [key: string, cert: string]> {
  const keys = await makeKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ O: ['Kustos sandbox'] }, { CN: ['Kustos sandbox authority'] }],
    notBefore: new Date(now.getTime() - leeway),
    notAfter: new Date(now.getTime() + lifetime),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return [await keyText(keys.privateKey), `${certificate.toString('pem')}\n`]
}

/** Bears the name of an organisation that certificates come from, which is what staff get to see. */
async function makeIntermediate(
  organisation: string,
  root: Issuer,
  publicKey: webcrypto.CryptoKey,
  now: Date,
) {
  return x509.X509CertificateGenerator.create({
    subject: [{ O: [organisation] }, { CN: [`${organisation} (Kustos sandbox)`] }],
    issuer: root.certificate.subject,
    notBefore: new Date(now.getTime() - leeway),
    notAfter: root.certificate.notAfter,
    signingAlgorithm: algorithm,
    publicKey,
    signingKey: root.key,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(root.certificate.publicKey),
    ],
  })
}

/** As long as a common name may be (RFC 5280, appendix A.1); the other names have no such bound. */
const longestCommonName = 64

async function makeLeaf(
  { name, from, until }: HostCertificate,
  issuer: Issuer,
  publicKey: webcrypto.CryptoKey,
) {
  return x509.X509CertificateGenerator.create({
    subject: name.length <= longestCommonName ? [{ CN: [name] }] : [{ O: ['Kustos sandbox'] }],
    issuer: issuer.certificate.subject,
    notBefore: from,
    notAfter: until,
    signingAlgorithm: algorithm,
    publicKey,
    signingKey: issuer.key,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
    ],
  })
}
