import type { Route } from '@kustos/contract/route'
import { clientError, readError } from './api-error.ts'
import { fetchOrThrow } from './client.ts'
import { refreshUser } from './session.ts'

/** @param totalBytes null if unknown */
export type OnProgress = (receivedBytes: number, totalBytes: number | null) => void

/**
 * Fetches a file and saves it as a download. A plain link could show neither progress nor errors.
 * @param query without `?`
 * @returns the file's name
 * @throws {ApiError} if the response is not a success or there is none
 */
export async function download(
  route: Pick<Route, 'path'>,
  query: string,
  onProgress: OnProgress,
): Promise<string> {
  const url = query === '' ? route.path : `${route.path}?${query}`
  const response = await fetchOrThrow(url, { credentials: 'same-origin' })
  const name = readFileName(response)
  // A proxy may answer with a page of its own, which has no such name.
  if (!response.ok || name === undefined) {
    if (response.status === 401) await refreshUser()
    throw await readError(response)
  }
  const file = await read(response, onProgress).catch(() => {
    throw clientError('unreachable')
  })
  saveFile(file, name)
  return name
}

async function read(response: Response, onProgress: OnProgress): Promise<Blob> {
  if (response.body === null) return response.blob()
  const length = Number(response.headers.get('content-length'))
  // The length counts encoded bytes, but decoded ones arrive here.
  const total = length > 0 && !response.headers.has('content-encoding') ? length : null
  const parts: BlobPart[] = []
  let received = 0
  const reader = response.body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    received += part.value.length
    onProgress(received, total)
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
}

const readFileName = (response: Response) =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]

export function saveFile(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads the file some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
