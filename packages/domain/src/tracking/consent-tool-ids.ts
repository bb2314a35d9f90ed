import { isOnDomain } from './page-snapshot.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** What the addresses of consent tools have of the id that a customer's settings have. Usercentrics is a topic of its own. */
const tools: readonly (readonly [domains: readonly string[], id: RegExp])[] = [
  [
    ['cookiebot.com', 'cookiebot.eu'],
    new RegExp(`[?&]cbid=(${uuid})|/(${uuid})/cc\\.js|/consentconfig/(${uuid})/`, 'i'),
  ],
  [['cookielaw.org'], new RegExp(`/consent/(${uuid}(?:-test)?)/`, 'i')],
  [['ccm19.de', 'ccm19.com'], /[?&]domain=([0-9a-f]{6,40})\b/i],
  [
    ['consentmanager.net', 'consentmanager.de'],
    /\/autoblocking\/([0-9a-f]{6,40})\.js|[?&]cdid=([0-9a-f]{6,40})\b/i,
  ],
]

/** The id of a consent tool's settings that a request names, if any. */
export function consentToolIds(url: URL): readonly string[] {
  const [, pattern] = tools.find(([domains]) => domains.some((domain) => isOnDomain(url, domain))) ?? []
  const id = pattern
    ?.exec(url.pathname + url.search)
    ?.slice(1)
    .find((group) => group !== undefined)
  return id === undefined ? [] : [id.toLowerCase()]
}
