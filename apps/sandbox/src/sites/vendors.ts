import type { TrackingData } from '@kustos/contract/webs'
import { templateTracking } from '../bitbucket/template-tracking.ts'
import type { HostedWeb } from './page.ts'
import { runTimeScript } from './run-time.ts'
import { containerOf, digiAccess, referrerScript } from './trackers.ts'
import { takesReport, vendorScript } from './vendor-scripts.ts'

export interface VendorAnswer {
  readonly type: string
  readonly body: string
}

/** Those whose scripts and settings the webs load, and whom these report to. */
export interface Vendors {
  /** Null for what is at no vendor. */
  answer(host: string, path: string): VendorAnswer | null
}

const script = (body: string): VendorAnswer => ({ type: 'text/javascript; charset=utf-8', body })
const json = (content: unknown): VendorAnswer => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(content),
})

export function openVendors(webs: ReadonlyMap<string, HostedWeb>): Vendors {
  const containers = new Map<string, TrackingData>(
    templateTracking.gtm ? [[templateTracking.gtm.id, templateTracking]] : [],
  )
  const managers = new Map<string, readonly string[]>()
  for (const { tracking } of webs.values()) {
    if (tracking === null) continue
    if (tracking.gtm !== null) containers.set(tracking.gtm.id, tracking)
    const { usercentrics } = tracking
    if (usercentrics !== null)
      managers.set(
        usercentrics.id,
        usercentrics.services.map(({ name }) => name),
      )
  }

  /** Usercentrics' public endpoints, as its own scripts call them. */
  function settings(path: string): VendorAnswer | null {
    const [, id = '', file] = /^\/settings\/([\w-]+)\/latest\/([\w-]+)\.json$/.exec(path) ?? []
    const services = managers.get(id)
    if (services === undefined) return null
    if (file === 'languages') return json({ languagesAvailable: ['de'] })
    return json({
      consentTemplates: services.map((_, index) => ({ templateId: `${id}-${index}`, version: '1.0.0' })),
    })
  }

  function aggregate({ searchParams }: URL): VendorAnswer {
    const asked = (searchParams.get('templates') ?? '').split(',')
    return json({
      templates: asked.flatMap((template) => {
        const [, id = '', index] = /^([\w-]+)-(\d+)@/.exec(template) ?? []
        const name = managers.get(id)?.[Number(index)]
        return name === undefined
          ? []
          : [{ templateId: `${id}-${index}`, version: '1.0.0', dataProcessor: name }]
      }),
    })
  }

  return {
    answer(host, path) {
      const url = URL.parse(path, `https://${host}`)
      if (url === null) return null
      // Tagging servers stand under names of the webs' own.
      if (url.pathname === '/gtm.js') {
        const tracking = containers.get(url.searchParams.get('id') ?? '')
        return tracking === undefined ? null : script(containerOf(tracking))
      }
      if (host === 'api.usercentrics.eu') return settings(url.pathname)
      if (host === 'aggregator.service.usercentrics.eu') return aggregate(url)
      const known = vendorScript(url) ?? runTimeScript(url)
      if (known !== null) return script(known)
      if (takesReport(url)) return { type: 'image/gif', body: '' }
      if (url.href === digiAccess) return script('window.digiAccess = {};')
      return /^\/js\/referrer(-\d)?\.js$/.test(url.pathname) && webs.has(host) ? script(referrerScript) : null
    },
  }
}
