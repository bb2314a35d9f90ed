import { type CooperativeTask, collect, each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type Detector,
  isOnDomain,
  type LoadedResource,
  loadEvidence,
  type PageCode,
  type PageSnapshot,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'
import { textsOf } from '../scripts/script-facts.ts'

/** Hosts of Usercentrics: the usual ones, those of the EU alone, and its sandbox. */
const domains = ['usercentrics.eu', 'usercentrics-sandbox.eu', 'usercentrics.com']
const isUsercentrics = (url: URL) => domains.some((domain) => isOnDomain(url, domain))

export interface ConsentManager {
  /** The id of its settings, or of the rules that choose among several. */
  readonly id: string
  readonly isRuleset: boolean
  readonly version: 1 | 2 | 3
  readonly src: string
  readonly evidence: ReturnType<typeof loadEvidence>
}

/**
 * The script that loads Usercentrics, in its three versions (https://usercentrics.com/docs/web/implementation/ui/), on
 * its own hosts or on a proxy.
 */
export function* consentManagersOf({ loads, codes }: PageSnapshot): CooperativeTask<ConsentManager[]> {
  const managers = yield* collect(each(loads, findInTag))
  for (const code of codes) {
    yield pause
    managers.push(...findInCode(code))
  }
  return managers.length > 0 ? managers : findInRequests(loads)
}

/** By a tag of the page. */
function findInTag(load: LoadedResource): ConsentManager[] {
  if (load.source !== 'script' && load.source !== 'container') return []
  const { attributes, url } = load
  const isTheirs = isUsercentrics(url)
  const version = isTheirs || attributes.id === 'usercentrics-cmp' ? versionOf(url, isTheirs) : null
  if (version === null) return []
  const ruleset = attributes['data-ruleset-id'] ?? attributes['ruleset-id']
  const id = version === 1 ? attributes.id : (attributes['data-settings-id'] ?? ruleset)
  if (id === undefined || id === '' || isPlaceholder(id)) return []
  const isRuleset = version !== 1 && attributes['data-settings-id'] === undefined
  return [{ id: id.slice(0, 100), isRuleset, version, src: url.href, evidence: loadEvidence(load) }]
}

/** The first requests of its script: for the settings, or for the rules that choose among several. */
const firstRequests = [
  { host: /^api\.usercentrics/, path: /^\/settings\/([\w-]{5,60})\//, isRuleset: false },
  { host: /^api\.usercentrics/, path: /^\/ruleSet\/([\w-]{5,60})\.json$/, isRuleset: true },
  { host: /\.api\.service\.cmp\.usercentrics/, path: /\/core\/([\w-]{5,60})/, isRuleset: false },
]

/** In a browser, where nothing was to be read: the script's own request, with the settings that it asked for. */
function findInRequests(loads: readonly LoadedResource[]): ConsentManager[] {
  const requests = loads.filter(({ source }) => source === 'request')
  const loader = requests.find(({ url }) => isUsercentrics(url) && versionOf(url, true) !== null)
  const version = loader === undefined ? null : versionOf(loader.url, true)
  if (loader === undefined || version === null) return []
  const known = { version, src: loader.url.href, evidence: loadEvidence(loader) }
  const managers = firstRequests.flatMap(({ host, path, isRuleset }) =>
    requests
      .flatMap(({ url }) => (host.test(url.hostname) ? (path.exec(url.pathname)?.[1] ?? []) : []))
      .map((id) => ({ ...known, id, isRuleset })),
  )
  return managers.slice(0, 1)
}

const scriptAddress = /^https:\/\/[\w.-]{1,100}\.usercentrics(?:-sandbox)?\.(?:eu|com)\/\S{1,200}\.js$/
const settingsId = /^[\w-]{5,60}$/

/** A script of the page that puts the script into the page. */
function findInCode(code: PageCode): ConsentManager[] {
  const script = code.facts.texts.find(({ text, isWhole }) => isWhole && scriptAddress.test(text))
  const url = URL.parse(script?.text ?? '')
  const version = url === null ? null : versionOf(url, true)
  if (script === undefined || url === null || version === null) return []
  // The first version is told by the script's own id.
  const [found] = code.facts.attributes.flatMap(({ name, value }) => {
    const isWanted = version === 1 ? name === 'id' : name !== 'id'
    const ids = isWanted
      ? textsOf(value).filter((id) => settingsId.test(id) && id !== 'usercentrics-cmp')
      : []
    return ids.map((id) => ({ id, isRuleset: name === 'data-ruleset-id' }))
  })
  if (found === undefined || isPlaceholder(found.id)) return []
  return [{ ...found, version, src: url.href, evidence: codeEvidence(code, script) }]
}

function versionOf({ hostname, pathname }: URL, isTheirs: boolean): ConsentManager['version'] | null {
  if (/\/browser-ui\/[^/]+\/(loader|bundle(_legacy)?)\.js$/.test(pathname)) return 2
  if (/\/ui\/loader\.js$/.test(pathname)) return 3
  if (isTheirs && hostname.startsWith('app.') && /\/main\.js$/.test(pathname)) return 1
  // A proxy may name the loader as it likes.
  return isTheirs ? null : 2
}

export const usercentrics: Detector = function* (snapshot) {
  for (const { id, version, src, evidence } of yield* consentManagersOf(snapshot)) {
    const names = snapshot.consentServices.get(id)
    yield {
      topic: 'usercentrics',
      value: id,
      domain: URL.parse(src)?.hostname ?? '',
      version,
      ...(names && { names }),
      evidence,
    }
  }
}
