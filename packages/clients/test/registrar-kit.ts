import { expect, onTestFinished, test } from 'vitest'
import { openRegistrar, RegistrarError, type RegistrarOptions } from '../src/registrar/registrar.ts'

/**
 * Defines the contract tests of the client, against a simulated or the real registrar. Call it inside `describe`.
 * @param target is called when the tests run
 */
export function checkRegistrar(target: () => Pick<RegistrarOptions, 'url' | 'token'>): void {
  const open = (overrides: Partial<RegistrarOptions> = {}) => {
    const client = openRegistrar({ ...target(), ...overrides })
    onTestFinished(() => client.close())
    return client
  }

  test('lists every domain once', async () => {
    const { entries: list, unreadable } = await open().domains()
    expect(unreadable).toEqual([])
    expect(list.length).toBeGreaterThan(0)
    expect(new Set(list.map(({ fqdn }) => fqdn.toLowerCase())).size).toBe(list.length)
    for (const { fqdn, customer, created_at } of list) {
      expect(fqdn).toMatch(/^[^\s@/]+\.[^\s@/]+$/)
      expect(customer).not.toBe('')
      if (created_at !== null) expect(created_at.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
    }
  })

  test('lists every mailbox once', async () => {
    const { entries: list, unreadable } = await open().mailboxes()
    expect(unreadable).toEqual([])
    expect(list.length).toBeGreaterThan(0)
    expect(new Set(list.map(({ address }) => address)).size).toBe(list.length)
    for (const { address, type, customer } of list) {
      expect(address).toMatch(/^[^\s@]+@[^\s@]+$/)
      expect(address).toBe(address.toLowerCase())
      expect([type, customer]).not.toContain('')
    }
  })

  test('rejects an invalid token without revealing it', async () => {
    const error = await open({ token: 'not-a-token' })
      .domains()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RegistrarError)
    expect(error).toMatchObject({ status: 401, message: expect.stringMatching(/LIMITIS_API_TOKEN/) })
    expect(String(error)).not.toContain('not-a-token')
  })

  test('stops when aborted', async () => {
    const reason = new Error('enough')
    await expect(open().mailboxes(AbortSignal.abort(reason))).rejects.toBe(reason)
  })
}
