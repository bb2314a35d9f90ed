import { expect, onTestFinished, test } from 'vitest'
import { openPlesk, PleskError, type PleskNode, type PleskSettings } from '../src/plesk/index.ts'

export interface PleskTarget {
  readonly settings: PleskSettings
  readonly node: PleskNode
  /** The domain that a subscription of this node is named after. */
  readonly fqdn: string
}

/**
 * Defines the contract tests of the client, against a simulated or real node with a pinned certificate. Call it inside
 * `describe`.
 * @param target is called when the tests run
 */
export function checkPlesk(target: () => PleskTarget): void {
  const open = (overrides: Partial<PleskSettings> = {}) => {
    const { settings, node, fqdn } = target()
    const client = openPlesk({ ...settings, ...overrides })
    onTestFinished(() => client.close())
    return (name = fqdn, signal?: AbortSignal) => client.subscription(node, name, signal)
  }
  const catchError = async (call: Promise<unknown>) => {
    const error = await call.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PleskError)
    const { message, status, codedMessage } = error as PleskError
    for (const key of Object.values(target().settings.keys))
      expect(JSON.stringify([message, codedMessage])).not.toContain(key)
    return { status, codedMessage }
  }

  test('returns all details of a subscription', async () => {
    const found = await open()()
    expect(found?.problems).toEqual([])
    expect(Number.isSafeInteger(found?.disk_usage)).toBe(true)
    expect(found?.disk_usage).toBeGreaterThanOrEqual(0)
    expect([0, 16]).toContain(found?.status)
    expect(found?.sysuser).toMatch(/^\S+$/)
    for (const names of [found?.sites, found?.aliases]) {
      expect(names).toEqual([...(names ?? [])].sort())
      for (const name of names ?? []) expect(name).toMatch(/^[^\sA-Z]+\.[^\sA-Z]+$/)
    }
  })

  test('finds a subscription in capital letters', async () => {
    const find = open()
    expect(await find(target().fqdn.toUpperCase())).toEqual(await find())
  })

  test('returns null for an unknown subscription', async () => {
    expect(await open()('nobody.has.this.example')).toBeNull()
  })

  test('reports that an API key is not accepted', async () => {
    const { name } = target().node
    expect(await catchError(open({ keys: { [name]: 'not-a-key' } })())).toEqual({
      status: 401,
      codedMessage: { code: 'plesk_key_refused', params: { node: name } },
    })
  })

  test('reports that a node has no API key', async () => {
    expect((await catchError(open({ keys: {} })())).codedMessage.code).toBe('plesk_key_missing')
  })

  test('rejects a certificate other than the pinned one', async () => {
    const { name } = target().node
    const other = '00:'.repeat(31).concat('00')
    const { codedMessage } = await catchError(open({ certificates: { [name]: other } })())
    expect(codedMessage).toMatchObject({ params: { reason: { code: 'plesk_certificate_other' } } })
  })

  test('rejects a self-signed certificate that is not pinned', async () => {
    const { codedMessage } = await catchError(open({ certificates: {} })())
    expect(codedMessage).toMatchObject({ params: { reason: { code: 'plesk_certificate_unpinned' } } })
  })

  test('stops when aborted', async () => {
    const reason = new Error('enough')
    await expect(open()(target().fqdn, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
}
