import { repositoryColumns } from '@kustos/contract/bitbucket'
import { externalDomainColumns } from '@kustos/contract/external-domains'
import type { GridDefinition, GridLabels } from '@kustos/contract/grid'
import { allDomainColumns, emailColumns, ownDomainColumns } from '@kustos/contract/limitis'
import { logColumns } from '@kustos/contract/logs'
import { monitoredWebColumns, statisticColumns } from '@kustos/contract/monitoring'
import { queueColumns } from '@kustos/contract/queue'
import { userColumns } from '@kustos/contract/users'
import { trackingColumnsAt, webColumns } from '@kustos/contract/webs'
import { expect, it } from 'vitest'
import { gridLabels } from './en/grid-labels.ts'

const grids: readonly GridDefinition<never>[] = [
  webColumns,
  trackingColumnsAt(0),
  externalDomainColumns,
  ownDomainColumns,
  allDomainColumns,
  emailColumns,
  repositoryColumns,
  userColumns,
  queueColumns,
  logColumns,
  monitoredWebColumns,
  statisticColumns,
]

/** Versions are shown as they are. */
const unlabelled = ['tracking.usercentrics_version', 'tracking.referrerjs']

it.each([...Map.groupBy(grids, ({ name }) => name)])(
  'labels exactly the columns, sets and options of the grid %s',
  (name, variants) => {
    const labels: GridLabels = gridLabels[name]
    const columns = variants.flatMap((grid) => grid.columns)
    const sets = variants.flatMap((grid) => grid.sets)
    expect(new Set(Object.keys(labels.columns))).toEqual(new Set(columns.map(({ key }) => key)))
    expect(new Set(Object.keys(labels.sets ?? {}))).toEqual(new Set(sets.map(({ key }) => key)))
    expect(new Set(columns.flatMap(({ set }) => set ?? []))).toEqual(new Set(sets.map(({ key }) => key)))
    for (const { key, options = [] } of columns)
      if (!unlabelled.includes(`${name}.${key}`))
        expect(Object.keys(labels.options?.[key] ?? {})).toEqual(
          expect.arrayContaining(options.map(({ value }) => value)),
        )
  },
)
