import { type CooperativeTask, each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  loadEvidence,
  type PageCode,
  readParameter,
} from '../page-snapshot.ts'
import { type ScriptValue, type Span, startsOf, textsOf } from '../scripts/script-facts.ts'
import { searchText } from '../search-text.ts'

/** Within a container of Matomo's own tag manager, which is read as data. */
const containerVariable =
  /"matomoUrl":"(?<server>(?:[^"\\]|\\.){1,300})"[^{}]{0,300}?"idSite":"?(?<id>[\w-]{1,40})/g
/** Per container. */
const maxVariables = 100

/** A script of Matomo's, under its current or its former name. */
const isMatomo = ({ pathname }: URL): boolean => /\/(matomo|piwik)\.js$/.test(pathname)
export const isMatomoContainer = ({ pathname }: URL): boolean => /\/container_\w{8}\.js$/.test(pathname)

/** Matomo under any host: by its code, its picture for browsers without scripts, and its tag manager's container. */
export const matomo: Detector = function* ({ loads, codes, page }) {
  const scriptUrl = loads.find(({ url }) => isMatomo(url))?.url
  yield* each(loads, function* (load) {
    const value = isTracker(load) ? readParameter(load, 'idsite') : null
    if (value !== null) yield* toFindings(value, load.url, loadEvidence(load))
  })
  for (const code of codes) {
    yield pause
    for (const { server, ids, at } of yield* findTrackers(code, scriptUrl, page))
      for (const id of ids) yield* toFindings(id, server ?? page, codeEvidence(code, at))
  }
}

interface Tracker {
  readonly server: URL | undefined
  readonly ids: readonly string[]
  readonly at: Span
}

function* findTrackers(code: PageCode, scriptUrl: URL | undefined, page: URL): CooperativeTask<Tracker[]> {
  const { calls, lists, mentions } = code.facts
  const toTracker = (
    server: URL | undefined,
    id: ScriptValue | undefined,
    { start, end }: Span,
  ): Tracker => ({
    server,
    ids: textsOf(id),
    at: { start, end },
  })
  // Commands are pushed to its queue, or are its first entries.
  const commands = mentions.includes('_paq') ? lists : []
  const named = (name: string) => commands.filter(({ items }) => textsOf(items[0]).includes(name))
  const [configured] = named('setTrackerUrl').flatMap(({ items }) => findServer(items[1], page) ?? [])
  return [
    ...named('setSiteId').map((list) => toTracker(configured ?? scriptUrl, list.items[1], list)),
    ...named('addTracker').map((list) => toTracker(findServer(list.items[1], page), list.items[2], list)),
    ...calls
      .filter(({ name }) => /^(?:Matomo|Piwik)\./.test(name))
      .map((call) => toTracker(findServer(call.args[0], page), call.args[1], call)),
    ...(isMatomoContainer(new URL(code.url)) ? yield* readVariables(code.original, page) : []),
  ]
}

/** The server that code names; undefined if it is known only in a browser. */
function findServer(value: ScriptValue | undefined, page: URL): URL | undefined {
  const urls = startsOf(value).flatMap(({ text }) => (text === '' ? [] : (URL.parse(text, page.href) ?? [])))
  return urls.find(({ protocol }) => protocol.startsWith('http'))
}

function* readVariables(container: string, page: URL): CooperativeTask<Tracker[]> {
  const trackers: Tracker[] = []
  yield* searchText(container, containerVariable, ({ groups, index: start, 0: text }) => {
    const end = start + text.length
    const server = findServer(groups?.server?.replaceAll(String.raw`\/`, '/'), page)
    trackers.push({ server, ids: [groups?.id ?? ''], at: { start, end } })
    return trackers.length < maxVariables ? end : null
  })
  return trackers
}

/** Under its own name, or any other: its requests say what they are. */
const isTracker = ({ url, source }: LoadedResource) =>
  source !== 'link' && (/\/(matomo|piwik)\.php$/.test(url.pathname) || url.searchParams.get('rec') === '1')

/** Yields nothing if the id is known only in a browser. */
function* toFindings(
  value: string | undefined,
  { hostname }: URL,
  evidence: DetectedFinding['evidence'],
): Iterable<DetectedFinding> {
  if (value !== undefined && /^[\w-]{1,40}$/.test(value))
    yield { topic: 'matomo', value, domain: hostname, evidence }
}
