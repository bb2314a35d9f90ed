import { type CooperativeTask, each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  literalValue,
  loadEvidence,
  matches,
  type PageCode,
  readParameter,
} from '../page-snapshot.ts'
import { containsMatch } from '../search-text.ts'

/** An id: in quotes or a number, else the name of the variable that holds it. */
const siteId = String.raw`(?:["'\`](?<quotedId>[\w-]{1,40})["'\`]|(?<numericId>\d{1,20})\b|(?<idName>[A-Za-z_$][\w$]{0,60}))`
const server = String.raw`(?:["'\`](?<server>[^"'\`]{1,300})["'\`]|(?<serverName>[A-Za-z_$][\w$]{0,60})\s*\+[^,\])]{1,40})`
const queue = /_paq/g
const setTrackerUrl =
  /\[\s*["'`]setTrackerUrl["'`]\s*,\s*(?:["'`](?<server>[^"'`]{1,300})["'`]|(?<serverName>[A-Za-z_$][\w$]*)\s*\+)/g
const setSiteId = new RegExp(String.raw`\[\s*["'\`]setSiteId["'\`]\s*,\s*${siteId}\s*\]`, 'g')
const addTracker = new RegExp(
  String.raw`\[\s*["'\`]addTracker["'\`]\s*,\s*${server}\s*,\s*${siteId}\s*\]`,
  'g',
)
const getTracker = new RegExp(
  String.raw`\b(?:Matomo|Piwik)\.(?:getTracker|getAsyncTracker|addTracker)\s*\(\s*${server}\s*,\s*${siteId}`,
  'g',
)
/** Within a container of Matomo's own tag manager. */
const containerVariable =
  /"matomoUrl":"(?<server>(?:[^"\\]|\\.){1,300})"[^{}]{0,300}?"idSite":"?(?<quotedId>[\w-]{1,40})/g

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
    const [tracker] = yield* matches(code, setTrackerUrl)
    const configured = tracker && (yield* serverOf(code, tracker, page))
    const patterns = [
      ...((yield* containsMatch(code.text, queue)) ? [setSiteId, addTracker] : []),
      getTracker,
      ...(isMatomoContainer(new URL(code.url)) ? [containerVariable] : []),
    ]
    for (const pattern of patterns) {
      for (const match of yield* matches(code, pattern)) {
        const host = pattern === setSiteId ? (configured ?? scriptUrl) : yield* serverOf(code, match, page)
        const { quotedId, numericId, idName } = match.groups ?? {}
        const id = quotedId ?? numericId ?? (yield* literalValue(code, idName))
        yield* toFindings(id, host ?? page, codeEvidence(code, match))
      }
    }
  }
}

/** Under its own name, or any other: its requests say what they are. */
const isTracker = ({ url, source }: LoadedResource) =>
  source !== 'link' && (/\/(matomo|piwik)\.php$/.test(url.pathname) || url.searchParams.get('rec') === '1')

/** The server that code names; undefined if it is known only in a browser. */
function* serverOf(code: PageCode, { groups }: RegExpExecArray, page: URL): CooperativeTask<URL | undefined> {
  const literal = groups?.server ?? (yield* literalValue(code, groups?.serverName))
  const url = literal ? URL.parse(literal.replaceAll(String.raw`\/`, '/'), page.href) : null
  return url?.protocol.startsWith('http') ? url : undefined
}

/** Yields nothing if the id is known only in a browser. */
function* toFindings(
  value: string | undefined,
  { hostname }: URL,
  evidence: DetectedFinding['evidence'],
): Iterable<DetectedFinding> {
  if (value !== undefined && /^[\w-]{1,40}$/.test(value))
    yield { topic: 'matomo', value, domain: hostname, evidence }
}
