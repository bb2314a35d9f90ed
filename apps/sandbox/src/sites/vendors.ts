import type { TrackingData } from '@kustos/contract/webs'
import { templateTracking } from '../bitbucket/template-tracking.ts'
import type { HostedWeb } from './page.ts'
import { readPageScript } from './page-scripts.ts'
import { digiAccessUrl, referrerScript, tagManagerScript } from './tracker-tags.ts'
import { findVendorScript, isReport } from './vendor-scripts.ts'

interface VendorResponse {
  readonly type: string
  readonly body: string
}

const script = (body: string): VendorResponse => ({ type: 'text/javascript; charset=utf-8', body })
const json = (value: unknown): VendorResponse => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

/** The vendors whose scripts and settings the webs load, and that receive their reports. */
export function createVendors(webs: ReadonlyMap<string, HostedWeb>) {
  const tracked = [templateTracking, ...[...webs.values()].flatMap(({ tracking }) => tracking ?? [])]
  const containers = new Map<string, TrackingData>(
    tracked.flatMap((tracking) => (tracking.gtm === null ? [] : [[tracking.gtm.id, tracking]])),
  )
  const consentServices = new Map(
    tracked.flatMap(({ usercentrics }) =>
      usercentrics === null ? [] : [[usercentrics.id, usercentrics.services.map(({ name }) => name)]],
    ),
  )

  function readSettings(path: string): VendorResponse | null {
    const [, id = '', file] = /^\/settings\/([\w-]+)\/latest\/([\w-]+)\.json$/.exec(path) ?? []
    const services = consentServices.get(id)
    if (services === undefined) return null
    if (file === 'languages') return json({ languagesAvailable: ['de'] })
    return json({
      consentTemplates: services.map((_, index) => ({ templateId: `${id}-${index}`, version: '1.0.0' })),
    })
  }

  function readTemplates({ searchParams }: URL): VendorResponse {
    const requested = (searchParams.get('templates') ?? '').split(',')
    return json({
      templates: requested.flatMap((template) => {
        const [, id = '', index] = /^([\w-]+)-(\d+)@/.exec(template) ?? []
        const dataProcessor = consentServices.get(id)?.[Number(index)]
        return dataProcessor === undefined
          ? []
          : [{ templateId: `${id}-${index}`, version: '1.0.0', dataProcessor }]
      }),
    })
  }

  return {
    /** Returns null if no vendor serves this. */
    respond(host: string, path: string): VendorResponse | null {
      const url = URL.parse(path, `https://${host}`)
      if (url === null) return null
      // On any host, because webs have tagging servers of their own.
      if (url.pathname === '/gtm.js') {
        const tracking = containers.get(url.searchParams.get('id') ?? '')
        return tracking === undefined ? null : script(tagManagerScript(tracking))
      }
      if (host === 'api.usercentrics.eu') return readSettings(url.pathname)
      if (host === 'aggregator.service.usercentrics.eu') return readTemplates(url)
      const found = findVendorScript(url) ?? readPageScript(url)
      if (found !== null) return script(found)
      if (isReport(url)) return { type: 'image/gif', body: '' }
      if (url.href === digiAccessUrl) return script('window.digiAccess = {};')
      return /^\/js\/referrer(-\d)?\.js$/.test(url.pathname) && webs.has(host) ? script(referrerScript) : null
    },
  }
}
