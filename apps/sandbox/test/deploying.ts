import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { visitor } from './system.ts'

export interface Deployment {
  readonly id: number
  readonly state: string
  readonly error: string | null
  readonly web_id: number | null
  readonly steps: readonly { readonly name: string; readonly state: string }[]
}

interface Listed {
  readonly data: readonly {
    id: number
    fqdn: string
    node: string | null
    status: number | null
  }[]
}

/** A request for a new web that could be accepted. */
export const request = (futureDomain: string, change: object = {}) => ({
  sourceRepo: 'web134-kickstarter-base',
  // Of its own, as the system user is that it becomes.
  bnName: `bn4711-${futureDomain.replaceAll('.', '-')}`,
  futureDomain,
  customer: 'ALPEN',
  ...change,
})

/** Deploys as a signed-in user. */
export function deployer(admin: ReturnType<typeof visitor>) {
  /** Asks through whatever comes: while Postgres or the API restart there is nobody to answer. */
  async function readDeployment(id: string): Promise<Deployment | null> {
    try {
      const answer = await admin.call('GET', `/api/deployments/${id}`)
      return answer.status === 200 ? ((await answer.json()) as Deployment) : null
    } catch {
      return null
    }
  }

  /** What became of a deployment that was accepted. */
  async function ended(answer: Response, patience = 60_000): Promise<Deployment> {
    expect(answer.status, await answer.clone().text()).toBe(204)
    const id = answer.headers.get('location')?.split('/').at(-1) ?? ''
    for (const until = Date.now() + patience; ; await sleep(100)) {
      const read = await readDeployment(id)
      if (read && read.state !== 'waiting' && read.state !== 'running') return read
      if (Date.now() > until) throw new Error(`Deployment ${id} is ${JSON.stringify(read)}`)
    }
  }

  /** How a look at a web ended that was asked for. */
  async function inspectionOf(answer: Response): Promise<unknown> {
    expect(answer.status, await answer.clone().text()).toBe(204)
    const path = answer.headers.get('location') ?? ''
    for (const until = Date.now() + 30_000; ; await sleep(100)) {
      const read = (await (await admin.call('GET', path)).json()) as { state: string }
      if (read.state !== 'waiting' && read.state !== 'running') return read
      if (Date.now() > until) throw new Error(`${path} is ${JSON.stringify(read)}`)
    }
  }

  const webs = async () => ((await (await admin.call('GET', '/api/webs')).json()) as Listed).data

  return {
    readDeployment,
    ended,
    inspectionOf,
    webs,
    ask: (action: string, body: object) => admin.call('POST', `/api/deployment/${action}`, body),
    async webOnCloud(skip = 0) {
      const [web] = (await webs()).filter((web) => web.node?.includes('cloud')).slice(skip)
      if (!web) throw new Error('There is no web on a cloud-enabled node')
      return web
    },
  }
}
