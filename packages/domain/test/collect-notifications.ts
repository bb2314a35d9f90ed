import type { OpenDatabase } from '@kustos/database/client'

/** The notifications that open screens receive while `work` runs, such as `{"list" : "webs"}`. */
export async function collectNotifications(
  { pool }: OpenDatabase,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const client = await pool.connect()
  try {
    const payloads: string[] = []
    client.on('notification', ({ payload }) => payloads.push(payload ?? ''))
    await client.query('listen kustos')
    await work()
    // Notifications that were sent before arrive before the response to this query.
    await client.query('unlisten kustos')
    return payloads
  } finally {
    client.removeAllListeners('notification')
    client.release()
  }
}

/** The lists of which open screens are notified while `work` runs. */
export const collectChangedLists = async (
  database: OpenDatabase,
  work: () => Promise<unknown>,
): Promise<string[]> =>
  (await collectNotifications(database, work)).map(
    (payload) => (JSON.parse(payload) as { list: string }).list,
  )
