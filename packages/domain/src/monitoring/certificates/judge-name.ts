import type { CheckedCertificate, FamilyCheck, NameCheck } from '@kustos/clients/certificates'
import { type CertificateState, type Ipv6State, wrongStates } from '@kustos/contract/certificates'
import type { Message } from '@kustos/contract/messages'
import type { webCertificates } from '@kustos/database/tables'
import { storedMessage } from '../../platform/stored-message.ts'
import type { WebName } from './names.ts'

export type StoredName = typeof webCertificates.$inferSelect

/** What a check of a name says, without what was announced of it. */
export type JudgedName = Omit<StoredName, 'web_id' | 'announced_at' | 'announced_state'>

/** The addresses at which a web is, in any notation. */
interface Homes {
  has(address: string): boolean
}

/**
 * Compares what a name shows now with what it showed before.
 * @param before null if it was never checked
 */
export function judgeName(
  { name, kind }: WebName,
  check: NameCheck,
  before: StoredName | null,
  { homes, now }: { readonly homes: Homes; readonly now: Date },
): JudgedName {
  const main = check.ipv4 ?? check.ipv6
  const state = stateOf(check, main, before, homes)
  const certificate = main?.certificate ?? null
  return {
    name,
    kind,
    checked_at: now,
    state,
    ...storedMessage('reason', reasonOf(state, main)),
    wrong_since: wrongSinceOf(state, before, now),
    ...(certificate === null ? certificateOf(before) : columnsOf(certificate)),
    replaced_fingerprint: replacedFingerprintOf(before),
    ...ipv6Of(check, before, now),
  }
}

/** A check that does not reach the name ends nothing: the same fault is neither handled nor announced anew after it. */
function wrongSinceOf(state: CertificateState, before: StoredName | null, now: Date): Date | null {
  const since = before?.wrong_since ?? null
  if (state === 'unreachable') return since
  if (!(wrongStates as readonly CertificateState[]).includes(state)) return null
  const known = before?.state === 'unreachable' ? before.announced_state : before?.state
  return known === state ? (since ?? now) : now
}

function ipv6Of(
  check: NameCheck,
  before: StoredName | null,
  now: Date,
): Pick<JudgedName, 'ipv6' | 'ipv6_reason' | 'ipv6_reason_code' | 'ipv6_reason_params' | 'ipv6_since'> {
  // Keeps what another worker has found out, or this one when it had a response over IPv6.
  if (check.ipv6?.isOwn && (before?.ipv6 === 'working' || before?.ipv6 === 'failing')) {
    const { ipv6, ipv6_reason, ipv6_reason_code, ipv6_reason_params, ipv6_since } = before
    return { ipv6, ipv6_reason, ipv6_reason_code, ipv6_reason_params, ipv6_since }
  }
  const ipv6 = judgeIpv6(check, before)
  return {
    ipv6,
    ...storedMessage('ipv6_reason', isDegraded(ipv6) ? (check.ipv6?.failure ?? null) : null),
    ipv6_since: isDegraded(ipv6) ? (before?.ipv6_since ?? now) : null,
  }
}

function reasonOf(state: CertificateState, main: FamilyCheck | null): Message | null {
  if (state === 'valid' || state === 'elsewhere') return null
  if (state === 'replaced') return { code: 'certificate_replaced' }
  if (state === 'wrong_name') return { code: 'certificate_wrong_name' }
  return main?.failure ?? { code: 'address_missing' }
}

const isDegraded = (ipv6: Ipv6State) => ipv6 === 'failing' || ipv6 === 'unconfirmed'

const states: Readonly<Record<string, CertificateState>> = {
  certificate_expired: 'expired',
  certificate_not_yet_valid: 'not_yet_valid',
  certificate_wrong_name: 'wrong_name',
  connection_refused: 'missing',
  name_not_found: 'unresolved',
}

function stateOf(
  { addresses }: NameCheck,
  main: FamilyCheck | null,
  before: StoredName | null,
  homes: Homes,
): CertificateState {
  if (main === null) return 'unresolved'
  if (addresses.length > 0 && !addresses.some((address) => homes.has(address))) return 'elsewhere'
  const { certificate, failure } = main
  if (certificate === null) return states[failure?.code ?? ''] ?? 'unreachable'
  // Of several faults that of the name comes first: the others are those of a certificate that is not meant for it.
  if (!certificate.coversName) return 'wrong_name'
  if (failure !== null) return states[failure.code] ?? 'untrusted'
  return isSetBack(certificate, before) ? 'replaced' : 'valid'
}

/** Whether an older certificate that ends earlier has come in place of the one before, or has done so earlier. */
function isSetBack(
  { fingerprint, from, expiration }: CheckedCertificate,
  before: StoredName | null,
): boolean {
  if (before === null || before.valid_from === null || before.valid_to === null) return false
  if (before.fingerprint === fingerprint) return replacedFingerprintOf(before) === fingerprint
  // One that browsers refused has been mended by its predecessor.
  if (before.covers_name === false || before.is_trusted === false) return false
  return from <= before.valid_from && expiration < before.valid_to
}

/** That of the last certificate that had replaced a newer one. Later states, such as unreachable, do not say which it was. */
const replacedFingerprintOf = (before: StoredName | null): string | null =>
  before?.state === 'replaced' ? before.fingerprint : (before?.replaced_fingerprint ?? null)

const columnsOf = ({
  authority,
  from,
  expiration,
  fingerprint,
  coversName,
  isTrusted,
}: CheckedCertificate) => ({
  authority,
  valid_from: readableDate(from),
  valid_to: readableDate(expiration),
  fingerprint,
  covers_name: coversName,
  is_trusted: isTrusted,
})

/** Null for an invalid time, which cannot be stored: a server can present any certificate. */
const readableDate = (date: Date): Date | null => (Number.isNaN(date.getTime()) ? null : date)

const certificateOf = (before: StoredName | null) => ({
  authority: before?.authority ?? null,
  valid_from: before?.valid_from ?? null,
  valid_to: before?.valid_to ?? null,
  fingerprint: before?.fingerprint ?? null,
  covers_name: before?.covers_name ?? null,
  is_trusted: before?.is_trusted ?? null,
})

/** IPv6 fails if IPv4 does better, twice in a row: browsers fall back, so that only this tells. */
function judgeIpv6({ ipv4, ipv6 }: NameCheck, before: StoredName | null): Ipv6State {
  if (ipv6 === null) return 'none'
  if (ipv6.isOwn) return 'unknown'
  const isWorse =
    ipv4 !== null &&
    ipv4.certificate !== null &&
    (ipv6.certificate === null || (ipv4.failure === null && ipv6.failure !== null))
  if (!isWorse) return ipv6.certificate === null ? 'unknown' : 'working'
  return before !== null && isDegraded(before.ipv6) ? 'failing' : 'unconfirmed'
}
