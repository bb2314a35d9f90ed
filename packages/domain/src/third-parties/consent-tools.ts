import type { ConsentToolWithId } from '@kustos/contract/tracking-contracts/states'
import { isOn } from './entities.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

interface ToolAddresses {
  readonly domains: readonly string[]
  /** The id of a customer's settings, in a path with its query, as the version. */
  readonly id?: RegExp
  readonly version?: RegExp
}

/** What the addresses of consent tools say of them. Usercentrics is a topic of its own. */
const tools: Readonly<Record<Exclude<ConsentToolWithId, 'Usercentrics'> | 'Klaro', ToolAddresses>> = {
  Cookiebot: {
    domains: ['cookiebot.com', 'cookiebot.eu'],
    id: new RegExp(`[?&]cbid=(${uuid})|/(${uuid})/cc\\.js|/consentconfig/(${uuid})/`, 'i'),
  },
  OneTrust: {
    domains: ['cookielaw.org', 'cookiepro.com'],
    id: new RegExp(`/consent/(${uuid}(?:-test)?)/`, 'i'),
    version: /\/scripttemplates\/(\d[\d.]*)\//,
  },
  CCM19: { domains: ['ccm19.de', 'ccm19.com'], id: /[?&]domain=([0-9a-f]{6,40})\b/i },
  consentmanager: {
    domains: ['consentmanager.net', 'consentmanager.de'],
    id: /\/autoblocking\/([0-9a-f]{6,40})\.js|[?&]cdid=([0-9a-f]{6,40})\b/i,
  },
  Didomi: { domains: ['privacy-center.org'], id: new RegExp(`/(${uuid})/loader\\.js`, 'i') },
  CookieFirst: { domains: ['cookiefirst.com'], id: new RegExp(`/sites/[^/]*?(${uuid})/consent\\.js`, 'i') },
  CookieYes: { domains: ['cdn-cookieyes.com'], id: /\/client_data\/([0-9a-f]{20,40})\//i },
  Klaro: { domains: ['kiprotect.com'], version: /\/klaro\/v(\d[\d.]*)\// },
}

/** The ids and versions of a consent tool that a request names, if any. */
export function readConsentToolAddress(url: URL): {
  readonly ids: readonly string[]
  readonly versions: readonly string[]
} {
  const { id, version } =
    Object.values(tools).find(({ domains }) => domains.some((domain) => isOn(url.hostname, domain))) ?? {}
  const named = (pattern: RegExp | undefined) =>
    pattern
      ?.exec(url.pathname + url.search)
      ?.slice(1)
      .filter((group) => group !== undefined) ?? []
  return { ids: named(id).map((found) => found.toLowerCase()), versions: named(version) }
}

/** Whether a host is one of the consent tool with this name. */
export function isOfConsentTool(name: string, host: string): boolean {
  const [, tool] = Object.entries(tools).find(([known]) => known.toLowerCase() === name.toLowerCase()) ?? []
  return tool?.domains.some((domain) => isOn(host, domain)) === true
}
