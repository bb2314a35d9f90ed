import type { OpenDatabase } from '@kustos/database/client'

/** What open screens are told while something is done, such as `{"list" : "webs"}`. */
export async function told({ pool }: OpenDatabase, work: () => Promise<unknown>): Promise<string[]> {
  const client = await pool.connect()
  try {
    const heard: string[] = []
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await client.query('listen kustos')
    await work()
    // What was told until now comes before its answer.
    await client.query('unlisten kustos')
    return heard
  } finally {
    client.removeAllListeners('notification')
    client.release()
  }
}

/** The lists that open screens are told of while something is done. */
export const toldLists = async (database: OpenDatabase, work: () => Promise<unknown>): Promise<string[]> =>
  (await told(database, work)).map((payload) => (JSON.parse(payload) as { list: string }).list)
