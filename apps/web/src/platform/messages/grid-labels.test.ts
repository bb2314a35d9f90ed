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

it.each(grids.map((grid) => [grid.name, grid] as const))(
  'labels every column, set and option of the grid %s',
  (name, grid) => {
    const labels: GridLabels = gridLabels[name]
    expect(Object.keys(labels.columns)).toEqual(expect.arrayContaining(grid.columns.map(({ key }) => key)))
    expect(Object.keys(labels.sets ?? {})).toEqual(expect.arrayContaining(grid.sets.map(({ key }) => key)))
    const sets = new Set(grid.columns.flatMap(({ set }) => set ?? []))
    expect(grid.sets.map(({ key }) => key)).toEqual(expect.arrayContaining([...sets]))
    for (const { key, options = [] } of grid.columns)
      if (!unlabelled.includes(`${name}.${key}`))
        expect(Object.keys(labels.options?.[key] ?? {})).toEqual(
          expect.arrayContaining(options.map(({ value }) => value)),
        )
  },
)
