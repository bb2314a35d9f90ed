import { each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  isOnDomain,
  type LoadedResource,
  loadEvidence,
  readParameter,
  type TagManagerTag,
  tagEvidence,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'
import { alternativesOf, type ScriptValue, textsOf } from '../scripts/script-facts.ts'

const scriptHost = 'connect.facebook.net'

/** Meta's pixel, and whether it is given what identifies a visitor (manual advanced matching). */
export const facebook: Detector = function* ({ loads, codes, tags }) {
  for (const code of codes) {
    yield pause
    for (const call of code.facts.calls) {
      const [command, id, matching] = call.args
      if (call.name !== 'fbq' || !textsOf(command).includes('init')) continue
      for (const value of textsOf(id))
        yield* toFindings(value, scriptHost, codeEvidence(code, call), hasMatching(matching))
    }
  }
  yield* each(tags, findInContainer)
  yield* each(loads, findInRequest)
}

const hasMatching = (matching: ScriptValue | undefined) =>
  alternativesOf(matching).some((one) =>
    typeof one === 'object' && one?.kind === 'object' ? one.fields.size > 0 : one !== null && one !== false,
  )

function* findInContainer(tag: TagManagerTag): Iterable<DetectedFinding> {
  // Templates of the gallery have no kind of their own.
  if (!tag.kind.startsWith('__cvt')) return
  for (const id of (tag.values.pixelId ?? tag.values.pixelIds ?? '').split(/[\s,]+/).slice(0, 10))
    if (/^\d{14,17}$/.test(id))
      yield* toFindings(id, scriptHost, tagEvidence(tag), tag.values.advancedMatching === 'true')
}

function* findInRequest(load: LoadedResource): Iterable<DetectedFinding> {
  const { url, source, request } = load
  // Meta's script fetches it for each pixel before it reports anything.
  const configured = /^\/signals\/config\/(\d+)$/.exec(url.pathname)?.[1]
  if (url.hostname === scriptHost) yield* toFindings(configured, scriptHost, loadEvidence(load))
  if (source === 'link' || !isOnDomain(url, 'facebook.com') || !/^\/tr\/?$/.test(url.pathname)) return
  // A form of several parts is how it sends what is too long for an address.
  const posted = /name="id"\s+(\d+)/.exec(request?.body ?? '')?.[1]
  yield* toFindings(readParameter(load, 'id') ?? posted, url.hostname, loadEvidence(load))
  const keys = [...url.searchParams.keys(), ...(request?.body?.match(/\bud(?:ff)?\[/g) ?? [])]
  if (keys.some((key) => /^ud(ff)?\[/.test(key)))
    yield { topic: 'fbadvancedmatching', evidence: loadEvidence(load) }
}

function* toFindings(
  value: string | undefined,
  domain: string,
  evidence: DetectedFinding['evidence'],
  matching = false,
): Iterable<DetectedFinding> {
  if (value === undefined || !/^\d{8,20}$/.test(value) || isPlaceholder(value)) return
  yield { topic: 'facebookads', value, domain, evidence }
  if (matching) yield { topic: 'fbadvancedmatching', evidence }
}
