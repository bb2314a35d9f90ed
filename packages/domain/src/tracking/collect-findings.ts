import { type Finding, trackingTopics } from '@kustos/contract/tracking'
import { type CooperativeTask, collect, pause } from './cooperative.ts'
import { cookies, digiAccess, polyfill, referrer } from './detectors/agency.ts'
import { consent } from './detectors/consent.ts'
import { facebook } from './detectors/facebook.ts'
import { google } from './detectors/google.ts'
import { gtm } from './detectors/gtm.ts'
import { matomo } from './detectors/matomo.ts'
import { adPixels } from './detectors/pixels.ts'
import { pluginSettings } from './detectors/settings.ts'
import { usercentrics } from './detectors/usercentrics.ts'
import type { DetectedFinding, Detector, PageSnapshot } from './page-snapshot.ts'
import { isVendor } from './vendors.ts'

const detectors: readonly Detector[] = [
  usercentrics,
  gtm,
  consent,
  google,
  matomo,
  facebook,
  adPixels,
  pluginSettings,
  referrer,
  cookies,
  polyfill,
  digiAccess,
]

/** Per finding: from what was read, and from each phase of a browser's requests. */
const maxEvidence = { read: 3, phase: 2 }
/** Per page; only a malicious page has more. */
const maxFindings = 200

/** Returns all findings of a snapshot without duplicates, in the contract's order. */
export function* collectFindings(snapshot: PageSnapshot): CooperativeTask<Finding[]> {
  const findings = new Map<string, Finding>()
  for (const detect of detectors) {
    for (const found of yield* collect(detect(snapshot))) {
      const key = findingKey(found)
      const known = findings.get(key)
      if (known !== undefined) findings.set(key, mergeFound(known, found))
      else if (findings.size < maxFindings) findings.set(key, toFinding(found))
    }
    yield pause
  }
  const order = (finding: Finding) => trackingTopics.indexOf(finding.topic)
  return [...findings.values()].sort((a, b) => order(a) - order(b))
}

/** Ids of Matomo are only unique per host, all others globally. */
export const findingKey = ({ topic, value, domain }: DetectedFinding | Finding) =>
  [topic, value ?? '', topic === 'matomo' ? (domain ?? '') : ''].join('\n')

const toFinding = ({ names, evidence, ...found }: DetectedFinding): Finding => ({
  value: null,
  domain: null,
  version: null,
  ...found,
  names: names ? [...names] : null,
  evidence: [evidence],
})

function mergeFound(known: Finding, { domain, evidence }: DetectedFinding): Finding {
  const samePhase = known.evidence.filter(({ phase }) => phase === evidence.phase)
  const isKnown = samePhase.some(({ url, excerpt }) => url === evidence.url && excerpt === evidence.excerpt)
  const isFull = samePhase.length >= (evidence.phase === undefined ? maxEvidence.read : maxEvidence.phase)
  return {
    ...known,
    domain: preferOwnHost(known.domain, domain ?? null),
    evidence: isKnown || isFull ? known.evidence : [...known.evidence, evidence],
  }
}

/** The operator's own host says more than the vendor's. */
function preferOwnHost(known: string | null, other: string | null): string | null {
  return known !== null && other !== null && isVendor(known) && !isVendor(other) ? other : (known ?? other)
}
