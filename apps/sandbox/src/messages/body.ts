import type { IncomingMessage } from 'node:http'
import { Refused } from './refused.ts'

const largest = 256 * 1024

/** @throws Refused where it is larger than any message */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largest) throw new Refused(413, 'Request Entity Too Large')
    chunks.push(chunk)
  }
  return String(Buffer.concat(chunks))
}

/** An object of JSON; null for anything else. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
