import { expect, onTestFinished, test } from 'vitest'
import { openPlesk, PleskError, type PleskNode, type PleskSettings } from '../src/plesk/index.ts'

export interface PleskTarget {
  readonly settings: PleskSettings
  readonly node: PleskNode
  /** The domain that a subscription of this node is named after. */
  readonly fqdn: string
}

/**
 * Checks everything that the client promises against a node with a pinned certificate, be it the sandbox's or a real
 * one. To be called inside `describe`.
 * @param target asked for once the tests run
 */
export function checkPlesk(target: () => PleskTarget): void {
  const open = (changed: Partial<PleskSettings> = {}) => {
    const { settings, node, fqdn } = target()
    const client = openPlesk({ ...settings, ...changed })
    onTestFinished(() => client.close())
    return (asked = fqdn, signal?: AbortSignal) => client.subscription(node, asked, signal)
  }
  const failure = async (answer: Promise<unknown>) => {
    const error = await answer.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PleskError)
    const { message, status, said } = error as PleskError
    for (const key of Object.values(target().settings.keys))
      expect(JSON.stringify([message, said])).not.toContain(key)
    return { status, said }
  }

  test('tells everything of a subscription', async () => {
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

  test('knows a subscription in capital letters', async () => {
    const ask = open()
    expect(await ask(target().fqdn.toUpperCase())).toEqual(await ask())
  })

  test('says that there is no such subscription', async () => {
    expect(await open()('nobody.has.this.example')).toBeNull()
  })

  test('says that an API key is not accepted', async () => {
    const { name } = target().node
    expect(await failure(open({ keys: { [name]: 'not-a-key' } })())).toEqual({
      status: 401,
      said: { code: 'plesk_key_refused', params: { node: name } },
    })
  })

  test('says that a node has no API key', async () => {
    expect((await failure(open({ keys: {} })())).said.code).toBe('plesk_key_missing')
  })

  test('trusts no other certificate than the pinned one', async () => {
    const { name } = target().node
    const other = '00:'.repeat(31).concat('00')
    const { said } = await failure(open({ certificates: { [name]: other } })())
    expect(said).toMatchObject({ params: { reason: { code: 'plesk_certificate_other' } } })
  })

  test('trusts no self-signed certificate without a pin', async () => {
    const { said } = await failure(open({ certificates: {} })())
    expect(said).toMatchObject({ params: { reason: { code: 'plesk_certificate_unpinned' } } })
  })

  test('stops when it is told to', async () => {
    const reason = new Error('enough')
    await expect(open()(target().fqdn, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
}
