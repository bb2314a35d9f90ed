import type { Finding } from '@kustos/contract/tracking'
import { trackingTopics } from '@kustos/contract/tracking'
import { type CooperativeTask, pause } from './cooperative.ts'
import { cookies, digiAccess, polyfill, referrer } from './detectors/agency.ts'
import { consent } from './detectors/consent.ts'
import { facebook } from './detectors/facebook.ts'
import { google } from './detectors/google.ts'
import { gtm } from './detectors/gtm.ts'
import { matomo } from './detectors/matomo.ts'
import { adPixels } from './detectors/pixels.ts'
import { pluginSettings } from './detectors/settings.ts'
import { usercentrics } from './detectors/usercentrics.ts'
import type { Detector, Found, PageSnapshot } from './page-snapshot.ts'
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
export function* findingsIn(snapshot: PageSnapshot): CooperativeTask<Finding[]> {
  const collect = new Map<string, Finding>()
  for (const detect of detectors) {
    for (const found of detect(snapshot)) {
      if (found === pause) {
        yield pause
        continue
      }
      const key = keyOf(found)
      const known = collect.get(key)
      if (known === undefined) {
        if (collect.size < maxFindings) collect.set(key, toFinding(found))
      } else collect.set(key, mergeFound(known, found))
    }
    yield pause
  }
  const order = (finding: Finding) => trackingTopics.indexOf(finding.topic)
  return [...collect.values()].sort((a, b) => order(a) - order(b))
}

/** Ids of Matomo are only unique per host, all others globally. */
export const keyOf = ({ topic, value, domain }: KeyParts) =>
  [topic, value ?? '', topic === 'matomo' ? (domain ?? '') : ''].join('\n')

interface KeyParts {
  readonly topic: Finding['topic']
  readonly value?: string | null
  readonly domain?: string | null
}

const toFinding = ({ topic, value, domain, version, names, evidence }: Found): Finding => ({
  topic,
  value: value ?? null,
  domain: domain ?? null,
  version: version ?? null,
  names: names === undefined ? null : [...names],
  evidence: [evidence],
})

function mergeFound(known: Finding, { domain, evidence }: Found): Finding {
  return {
    ...known,
    domain: preferOwnHost(known.domain, domain ?? null),
    evidence:
      hasEvidence(known, evidence) || hasMaxEvidence(known, evidence)
        ? known.evidence
        : [...known.evidence, evidence],
  }
}

const hasEvidence = ({ evidence }: Finding, other: Found['evidence']) =>
  evidence.some(
    ({ url, excerpt, phase }) => url === other.url && excerpt === other.excerpt && phase === other.phase,
  )

const hasMaxEvidence = ({ evidence }: Finding, { phase: other }: Found['evidence']) =>
  evidence.filter(({ phase }) => phase === other).length >=
  (other === undefined ? maxEvidence.read : maxEvidence.phase)

/** The operator's own host says more than the vendor's. */
function preferOwnHost(known: string | null, other: string | null): string | null {
  return known !== null && other !== null && isVendor(known) && !isVendor(other) ? other : (known ?? other)
}
