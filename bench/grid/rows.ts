import { type LabelledGrid, labelGrid } from '@kustos/contract/grid'
import { createTestWeb } from '@kustos/contract/testing'
import { type Web, webColumns } from '@kustos/contract/webs'
import { labels } from '@kustos/contract/webs/labels'

/** The first 20 columns of the web list, all of them visible. */
export const columns: LabelledGrid<Web> = labelGrid(
  {
    ...webColumns,
    columns: webColumns.columns.slice(0, 20),
    sets: webColumns.sets.map((set) => ({ ...set, shown: true })),
  },
  labels.webs,
  'en',
)

/** The same numbers in every run: a linear congruential generator. */
function generator() {
  let state = 20_261_120
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const names = ['alpenhof', 'baeckerei', 'chalet', 'dolomiten', 'eggental', 'faloria', 'gasthof', 'hotel']
const ends = ['test', 'example', 'it.example', 'de.example', 'at.example']
const categoryNames = ['Hotel', 'Shop', 'Verein', 'Gemeinde', 'Intern', 'Handwerk']
const frameworks = ['TYPO3', 'WordPress', 'Shopware', 'Laravel']
const start = Date.UTC(2026, 0, 1)

/** Realistic webs: few nodes, states and frameworks, many names and dates. */
export function makeRows(count: number): Web[] {
  const random = generator()
  const pick = <T>(list: readonly [T, ...T[]]): T => list[random(list.length)] ?? list[0]
  const some = <T>(most: number, make: (index: number) => T) =>
    Array.from({ length: random(most + 1) }, (_, i) => make(i))
  const time = () => new Date(start + random(31_536_000) * 1000).toISOString()
  const text = (list: readonly string[]) => list[random(list.length)] ?? ''
  return Array.from({ length: count }, (_, index): Web => {
    const fqdn = `${text(names)}-${text(names)}-${index + 1}.${text(ends)}`
    const created = time()
    return createTestWeb({
      id: index + 1,
      fqdn,
      customer: random(2) ? text(names).toUpperCase() : String(100_000 + random(900_000)),
      node: random(20) ? `n${random(5) + 1}.plesk.example` : null,
      categories: some(3, (id) => ({ id: id + 1, name: text(categoryNames) })),
      framework_name: random(10) ? text(frameworks) : null,
      framework_version: `${random(14)}.${random(10)}.${random(30)}`,
      comment: random(3) ? null : `Hosting of ${fqdn}, ask ${text(names)} before changes (${random(1000)})`,
      configured_ip: `192.0.2.${random(256)}`,
      monitoring_web_reporting_channel: 'mail',
      monitoring_web_active: 1,
      auftragnr_hosting: some(2, () => String(20_000 + random(9000))),
      status: pick([0, 0, 0, 16]),
      domain_status: pick([1, 1, 1, 2, 3]),
      domain_state: pick([1, 1, 2, 3]),
      http_status_code: pick([200, 200, 200, 301, 404, 503, null]),
      sites: some(3, (site) => ({ fqdn: `s${site}.${fqdn}` })),
      aliases: some(2, (alias) => ({ fqdn: `www${alias}.${fqdn}` })),
      sysuser: `web${index + 1}`,
      cert_ca: pick(["Let's Encrypt", 'DigiCert', null]),
      cert_expiration: time(),
      disk_usage: random(40 * 1024 ** 2) * 1024,
      created_at: created,
      updated_at: created,
    })
  })
}
