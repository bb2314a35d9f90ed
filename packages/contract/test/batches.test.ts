import { describe, expect, it } from 'vitest'
import { batchAccessOf, batchActions, batchesRoutes } from '../src/batches/index.ts'
import { accessOf, deploymentKinds, deploymentRoutes } from '../src/deployment/index.ts'
import { type Access, can, permissions } from '../src/permissions.ts'

const holders = permissions.map((permission) => ({ roles: [], permissions: [permission, 'view bitbucket'] }))
const mayDo = (access: Access) => holders.filter((holder) => can(holder, access))

describe('those who may', () => {
  it.each(batchActions)('run %s on webs may request and follow batches', (action) => {
    for (const holder of mayDo(batchAccessOf(action)))
      for (const route of Object.values(batchesRoutes))
        expect(can(holder, route.access), route.path).toBe(true)
  })

  it.each(deploymentKinds)('request %s may retry, cancel and list their own', (kind) => {
    const { listOwnDeployments, retryDeployment, cancelDeployment } = deploymentRoutes
    for (const holder of mayDo(accessOf(kind)))
      for (const route of [listOwnDeployments, retryDeployment, cancelDeployment])
        expect(can(holder, route.access), route.path).toBe(true)
  })
})
