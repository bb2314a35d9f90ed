import { batchesRoutes } from '@kustos/contract/batches'
import { deploymentRoutes } from '@kustos/contract/deployment'
import type { LogRow } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import type { Route } from '@kustos/contract/route'
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'

interface Reference {
  readonly route: Route
  readonly path: (id: number) => string
}

const batch: Reference = { route: batchesRoutes.readBatch, path: (id) => `/batches/${id}` }

/** Fields that hold the id of something else. */
const references: Readonly<Record<string, Reference>> = {
  deployment: { route: deploymentRoutes.readDeployment, path: (id) => `/queue/${id}` },
  batch,
  reverts_batch: batch,
}

/** What an entry refers to, as pairs of a field and a name, which is a link if the user may open it. */
export function useReferences(entry: LogRow): readonly (readonly [string, ReactNode])[] {
  const user = useUser()
  const { attributes = {} } = entry.properties
  const named = Object.entries(references).flatMap(([field, { route, path }]) => {
    const id = attributes[field]
    const name = entry.names?.[field]
    if (typeof id !== 'number' || name === undefined) return []
    return [
      [
        field,
        can(user, route.access) ? <ReferenceLink key={field} to={path(id)} name={name} /> : name,
      ] as const,
    ]
  })
  const { reverts } = attributes
  return typeof reverts === 'number'
    ? [
        ...named,
        ['reverts', <ReferenceLink key="reverts" to={`/logs?entry=${reverts}`} name={String(reverts)} />],
      ]
    : named
}

const ReferenceLink = ({ to, name }: { readonly to: string; readonly name: string }) => (
  <Anchor component={Link} to={to} inherit>
    {name}
  </Anchor>
)
