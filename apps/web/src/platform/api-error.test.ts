import { describe, expect, it } from 'vitest'
import { readError, readJson } from './api-error.ts'

/** A body that breaks off after its first bytes. */
const truncatedBody = () =>
  new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('{"message":')),
    pull: (stream) => stream.error(new TypeError('network error')),
  })

describe('an unreadable response', () => {
  it.each([
    ["a proxy's page", () => new Response('<!doctype html><title>Welcome</title>')],
    ['a body that breaks off', () => new Response(truncatedBody())],
    ['no body', () => new Response()],
  ])('counts as an unreachable server: %s', async (_, response) => {
    await expect(readJson(response())).rejects.toMatchObject({
      name: 'ApiError',
      status: 0,
      code: 'unreachable',
    })
  })

  it('keeps its own error after an abort', async () => {
    await expect(readJson(new Response('<'), AbortSignal.abort())).rejects.toBeInstanceOf(SyntaxError)
  })

  it('keeps the status of an error', async () => {
    expect(await readError(new Response(truncatedBody(), { status: 502 }))).toMatchObject({
      status: 502,
      message: 'The server responded with 502.',
    })
  })
})
