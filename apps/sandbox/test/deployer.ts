import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { createVisitor } from './system.ts'

export interface Deployment {
  readonly id: number
  readonly state: string
  readonly error: string | null
  readonly web_id: number | null
  readonly steps: readonly { readonly name: string; readonly state: string }[]
}

interface WebListResponse {
  readonly data: readonly {
    id: number
    fqdn: string
    node: string | null
    status: number | null
  }[]
}

/** A valid request for a new web. */
export const newWebRequest = (futureDomain: string, overrides: object = {}) => ({
  sourceRepo: 'web134-kickstarter-base',
  // Unique, because it becomes the name of the system user.
  bnName: `bn4711-${futureDomain.replaceAll('.', '-')}`,
  futureDomain,
  customer: 'ALPEN',
  ...overrides,
})

/** Calls the API for deployments as a signed-in user. */
export function createDeployer(admin: ReturnType<typeof createVisitor>) {
  /** Null on errors: the API does not respond while it or Postgres restarts. */
  async function readDeployment(id: string): Promise<Deployment | null> {
    try {
      const response = await admin.call('GET', `/api/deployments/${id}`)
      return response.status === 200 ? ((await response.json()) as Deployment) : null
    } catch {
      return null
    }
  }

  /** Waits for the end of an accepted deployment. */
  async function waitForDeployment(response: Response, timeoutMs = 60_000): Promise<Deployment> {
    expect(response.status, await response.clone().text()).toBe(204)
    const id = response.headers.get('location')?.split('/').at(-1) ?? ''
    for (const deadline = Date.now() + timeoutMs; ; await sleep(100)) {
      const deployment = await readDeployment(id)
      if (deployment && deployment.state !== 'waiting' && deployment.state !== 'running') return deployment
      if (Date.now() > deadline) throw new Error(`Deployment ${id} is ${JSON.stringify(deployment)}`)
    }
  }

  /** Waits for the end of a requested inspection. */
  async function waitForInspection(response: Response): Promise<unknown> {
    expect(response.status, await response.clone().text()).toBe(204)
    const path = response.headers.get('location') ?? ''
    for (const deadline = Date.now() + 30_000; ; await sleep(100)) {
      const inspection = (await (await admin.call('GET', path)).json()) as { state: string }
      if (inspection.state !== 'waiting' && inspection.state !== 'running') return inspection
      if (Date.now() > deadline) throw new Error(`${path} is ${JSON.stringify(inspection)}`)
    }
  }

  const listWebs = async () => ((await (await admin.call('GET', '/api/webs')).json()) as WebListResponse).data

  return {
    readDeployment,
    waitForDeployment,
    waitForInspection,
    listWebs,
    request: (action: string, body: object) => admin.call('POST', `/api/deployment/${action}`, body),
    async findCloudWeb(skip = 0) {
      const [web] = (await listWebs()).filter((web) => web.node?.includes('cloud')).slice(skip)
      if (!web) throw new Error('There is no web on a cloud-enabled node')
      return web
    },
  }
}
