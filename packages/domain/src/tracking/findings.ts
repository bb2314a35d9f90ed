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

/** Of each finding: of what was read, and of each phase of a browser's requests. */
const mostEvidence = { read: 3, phase: 2 }
/** Of a page; one that names more is not a page but an attack on this list. */
const mostFindings = 200

/** Everything that is to be found in what was seen, each thing once, in the contract's order. */
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
        if (collect.size < mostFindings) collect.set(key, begun(found))
      } else collect.set(key, joined(known, found))
    }
    yield pause
  }
  const order = (finding: Finding) => trackingTopics.indexOf(finding.topic)
  return [...collect.values()].sort((a, b) => order(a) - order(b))
}

/** The same id of Matomo means another site on another host; all others' ids are theirs alone. */
export const keyOf = ({ topic, value, domain }: KeyParts) =>
  [topic, value ?? '', topic === 'matomo' ? (domain ?? '') : ''].join('\n')

interface KeyParts {
  readonly topic: Finding['topic']
  readonly value?: string | null
  readonly domain?: string | null
}

const begun = ({ topic, value, domain, version, names, evidence }: Found): Finding => ({
  topic,
  value: value ?? null,
  domain: domain ?? null,
  version: version ?? null,
  names: names === undefined ? null : [...names],
  evidence: [evidence],
})

function joined(known: Finding, { domain, evidence }: Found): Finding {
  return {
    ...known,
    domain: betterOf(known.domain, domain ?? null),
    evidence:
      isSame(known, evidence) || isFull(known, evidence) ? known.evidence : [...known.evidence, evidence],
  }
}

const isSame = ({ evidence }: Finding, other: Found['evidence']) =>
  evidence.some(
    ({ url, excerpt, phase }) => url === other.url && excerpt === other.excerpt && phase === other.phase,
  )

const isFull = ({ evidence }: Finding, { phase: other }: Found['evidence']) =>
  evidence.filter(({ phase }) => phase === other).length >=
  (other === undefined ? mostEvidence.read : mostEvidence.phase)

/** A host of the operator's own tells more than the vendor's. */
function betterOf(known: string | null, other: string | null): string | null {
  return known !== null && other !== null && isVendor(known) && !isVendor(other) ? other : (known ?? other)
}
