import type { APIRequestContext, Page } from '@playwright/test'
import { token } from '../harness/seeded-users.ts'
import type { View } from './screens.ts'

/** The URL of a view; for the page of a deployment, one that exists or is requested first. */
export async function resolveUrl(page: Page, { path }: View): Promise<string> {
  return path === '/queue/1' ? `/queue/${await anyDeployment(page.request)}` : path
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
