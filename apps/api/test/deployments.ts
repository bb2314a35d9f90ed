import { nodes, webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { createUser, every, listen, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'

export const at = new Date('2026-11-20T10:00:00Z')

/** A valid request for a new web. */
export const newWeb = {
  sourceRepo: 'web134-kickstarter-base',
  bnName: 'bn1234',
  futureDomain: 'alpenhof.test',
  customer: 'ALPEN',
}

/** The id of the accepted deployment. */
export const getDeploymentId = (response: Response) =>
  Number(response.headers.get('location')?.split('/').at(-1))
export const readError = async (response: Response) => ((await response.json()) as { error?: string }).error

/** Creates two nodes, one of them cloud-enabled, and users who request deployments. */
export async function openDeployments(database: TestDatabase) {
  const { db } = database
  const origin = await listen(database)
  const cloud = only(
    await db
      .insert(nodes)
      .values({ name: 'n1', plesk_fqdn: 'n1.plesk.test', address: '192.0.2.1', cloud_enabled: true })
      .returning(),
  )
  const other = only(
    await db
      .insert(nodes)
      .values({ name: 'n9', plesk_fqdn: 'n9.plesk.test', cloud_enabled: false })
      .returning(),
  )
  await createUser(database, 'all@kustos.test', every)
  await createUser(database, 'edit@kustos.test', ['edit webs', 'view queue'])
  await createUser(database, 'create@kustos.test', ['create webs', 'view bitbucket'])
  const all = await signIn(origin, 'all@kustos.test')
  let webCount = 0
  return {
    origin,
    cloud,
    other,
    all,
    editor: await signIn(origin, 'edit@kustos.test'),
    creator: await signIn(origin, 'create@kustos.test'),
    request: (action: string, body: unknown, client = all) =>
      client.send('POST', `/api/deployment/${action}`, body),
    /** Inserts `web1.test`, `web2.test` and so on. @returns the id */
    async insertWeb(nodeId: number | null = cloud.id): Promise<number> {
      webCount += 1
      const fqdn = `web${webCount}.test`
      const row = { fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', configured_ip: '192.0.2.1', node_id: nodeId }
      return only(await db.insert(webs).values(row).returning()).id
    },
  }
}
