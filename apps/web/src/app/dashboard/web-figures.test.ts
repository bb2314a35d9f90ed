import { createQueryEngine, gridStateFromQuery, labelGrid } from '@kustos/contract/grid'
import { createTestWeb } from '@kustos/contract/testing'
import { frameworkSupport, type Web, webColumns } from '@kustos/contract/webs'
import { labels } from '@kustos/contract/webs/labels'
import { describe, expect, it } from 'vitest'
import { countFigures, figureLinks } from './web-figures.ts'

const now = new Date('2026-11-20T12:00:00Z')

let lastId = 0
const web = (fields: Partial<Web>) =>
  createTestWeb({
    id: ++lastId,
    fqdn: `web${lastId}.test`,
    monitoring_web_active: 1,
    status: 0,
    domain_status: 1,
    domain_state: 1,
    http_status_code: 200,
    ...fields,
  })

const webs = [
  web({ cert_expiration: '2026-11-19T00:00:00Z' }),
  web({ cert_expiration: '2026-12-04T20:00:00Z' }),
  web({ cert_expiration: '2026-12-05T12:00:00Z' }),
  web({ status: 16 }),
  web({ status: 7 }),
  web({ framework_name: 'TYPO3', framework_version: '8.7.1' }),
  web({ framework_name: 'typo3', framework_version: ' v12' }),
  web({ framework_name: 'TYPO3', framework_version: '13.4.0' }),
  web({ framework_name: 'TYPO3', framework_version: '80.1' }),
  web({ framework_name: 'TYPO3', framework_version: '12-dev' }),
  web({ framework_name: 'Other', framework_version: '8.7.1' }),
]

describe('inventory figures', () => {
  it('count webs, inactive ones, expiring certificates and unsupported frameworks', () => {
    expect(countFigures(webs, now)).toEqual({ webs: 11, inactive: 1, certificates: 2, framework: 2 })
  })

  it('count frameworks without community support like the list', () => {
    const unsupported = webs.filter((web) => {
      const known = frameworkSupport(web.framework_name, web.framework_version, now)
      return known?.support === 'extended' || known?.support === 'ended'
    })
    expect(countFigures(webs, now).framework).toBe(unsupported.length)
  })

  it('are zero for an empty inventory', () => {
    expect(countFigures([], now)).toEqual({ webs: 0, inactive: 0, certificates: 0, framework: 0 })
  })

  it.each(['webs', 'inactive', 'certificates', 'framework'] as const)(
    '%s links to as many rows as it counts',
    (name) => {
      const { searchParams } = new URL(figureLinks(now)[name], 'http://kustos.test')
      const state = gridStateFromQuery([...searchParams], webColumns)
      const { columns } = labelGrid(webColumns, labels.webs, 'en')
      const rows = createQueryEngine(webs, columns).query(state, columns)
      expect(rows).toHaveLength(countFigures(webs, now)[name])
    },
  )
})
