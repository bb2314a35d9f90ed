import type { APIRequestContext, Page } from '@playwright/test'
import { token } from '../harness/seeded-users.ts'
import type { View } from './screens.ts'

/** The URL of a view; for the page of a deployment or a batch, one that exists or is requested first. */
export async function resolveUrl(page: Page, { path }: View): Promise<string> {
  if (path === '/queue/1') return `/queue/${await anyDeployment(page.request)}`
  return path === '/batches/1' ? `/batches/${await anyBatch(page.request)}` : path
}

async function anyBatch(api: APIRequestContext): Promise<number> {
  const { data: batches } = await (await api.get('/api/batches')).json()
  if (batches.length > 0) return batches[0].id
  const { data: webs } = await (await api.get('/api/webs')).json()
  const ids = webs.slice(0, 3).map(({ id }: { id: number }) => id)
  const headers = await token(api)
  const response = await api.post('/api/batches', { headers, data: { action: 'refresh', webs: ids } })
  return (await response.json()).id
}

async function anyDeployment(api: APIRequestContext): Promise<number> {
  const jobs: readonly { deployment_id: number | null }[] = await (await api.get('/api/queue')).json()
  const known = jobs.find(({ deployment_id: id }) => id !== null)?.deployment_id
  if (known !== undefined && known !== null) return known
  const { data, nodes } = await (await api.get('/api/webs')).json()
  const isOpen = (node: string | null) =>
    nodes.some((one: { name: string; cloud_enabled: boolean }) => one.name === node && one.cloud_enabled)
  // Not the first web, because other tests request backups of it.
  const web = data.findLast(
    ({ node, status }: { node: string | null; status: number | null }) => status === 0 && isOpen(node),
  )
  const response = await api.post('/api/deployment/backupWeb', {
    headers: await token(api),
    data: { id: web.id },
  })
  const { location } = response.headers()
  // Another test has requested it meanwhile.
  return location === undefined ? anyDeployment(api) : Number(location.split('/').at(-1))
}
