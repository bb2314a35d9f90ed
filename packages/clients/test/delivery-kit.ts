import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../src/delivery/delivery.ts'
import { catchDeliveryError } from './delivery-failure.ts'

/** Slack, Telegram or mail, and the texts that it received. */
export interface DeliveryTarget {
  /** Opened for each test. */
  readonly open: () => {
    send(message: Message, signal?: AbortSignal): Promise<void>
    close?(): unknown
  }
  /** The received texts as they are displayed, the latest last. */
  readonly texts: () => Promise<readonly string[]>
  /** Whether the service accepts messages from now on or responds with server errors. */
  readonly setHealth: (isHealthy: boolean) => Promise<unknown>
  /** Must not occur in any error. */
  readonly secrets: readonly string[]
}

/**
 * Defines the contract tests of a delivery channel. Call it inside `describe`, never against a real service: it sends
 * messages.
 * @param target is called when the tests run
 */
export function checkDelivery(target: () => DeliveryTarget): void {
  const open = () => {
    const channel = target().open()
    onTestFinished(async () => void (await channel.close?.()))
    return channel
  }
  const message = {
    title: 'müller.test <b>&" ist 😀 weg',
    lines: ['Kunde: *ALPEN* & <!channel>', 'Grund: 503'],
    url: 'https://kustos.test/a?b&c',
  }

  test('delivers the title, the lines and the link once and unchanged', async () => {
    const before = (await target().texts()).length
    await open().send(message)
    const received = (await target().texts()).slice(before)
    expect(received).toHaveLength(1)
    for (const part of [message.title, ...message.lines, message.url]) expect(received[0]).toContain(part)
  })

  test('reports a server error as transient, without any secret', async () => {
    const channel = open()
    await target().setHealth(false)
    try {
      const error = await catchDeliveryError(channel.send(message), target().secrets)
      expect(error.isPermanent).toBe(false)
    } finally {
      await target().setHealth(true)
    }
    await channel.send(message)
  })

  test('delivers nothing when aborted', async () => {
    const before = (await target().texts()).length
    const reason = new Error('enough')
    await expect(open().send(message, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(await target().texts()).toHaveLength(before)
  })
}
