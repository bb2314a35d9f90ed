import type { FastifyReply } from 'fastify'

export const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** @returns a signal that is aborted when the client has gone, or has its response */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  raw.once('close', () => closed.abort())
  if (raw.destroyed) closed.abort()
  return closed.signal
}

/** Sends an .xlsx file as an uncached download. */
export const sendSpreadsheet = (reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply =>
  reply
    .header('content-type', spreadsheet)
    .header('content-disposition', `attachment; filename="${name}.xlsx"`)
    .header('cache-control', 'private, no-store')
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
