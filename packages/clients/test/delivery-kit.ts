import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../src/delivery/index.ts'
import { failureOf } from './delivery-failure.ts'

/** A channel, and what came through it: Slack, Telegram or mail. */
export interface DeliveryTarget {
  /** Opened for each test. */
  readonly open: () => {
    send(message: Message, signal?: AbortSignal): Promise<void>
    close?(): unknown
  }
  /** The texts that came, as people read them, the newest last. */
  readonly texts: () => Promise<readonly string[]>
  /** Whether the other side accepts messages from now on, or reports server errors. */
  readonly setHealth: (isWell: boolean) => Promise<unknown>
  /** What the channel is reached with, which stands in no error. */
  readonly secrets: readonly string[]
}

/**
 * Checks everything that a channel promises against whoever takes its messages. To be called inside `describe`; it sends
 * messages, so never against a real one.
 * @param target asked for once the tests run
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

  test('brings the title, the lines and the link as they were written, once', async () => {
    const before = (await target().texts()).length
    await open().send(message)
    const came = (await target().texts()).slice(before)
    expect(came).toHaveLength(1)
    for (const part of [message.title, ...message.lines, message.url]) expect(came[0]).toContain(part)
  })

  test('reports a server error as transient, without any secret', async () => {
    const channel = open()
    await target().setHealth(false)
    try {
      const error = await failureOf(channel.send(message), target().secrets)
      expect(error.isPermanent).toBe(false)
    } finally {
      await target().setHealth(true)
    }
    await channel.send(message)
  })

  test('stops when it is told to, and brings nothing', async () => {
    const before = (await target().texts()).length
    const reason = new Error('enough')
    await expect(open().send(message, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(await target().texts()).toHaveLength(before)
  })
}
