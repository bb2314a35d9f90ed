import type { Route } from '@kustos/contract/route'
import { ApiError, errorOf, unreachable } from './api-error.ts'
import { refreshUser } from './session.ts'

/** Bytes that have come, of how many; null where the server has not said. */
export type OnProgress = (received: number, total: number | null) => void

/**
 * Fetches a file and hands it to the browser as a download; a plain link could neither show progress nor say what
 * went wrong.
 * @param query without `?`
 * @returns the file's name
 * @throws {ApiError} for every answer but success, and where none came
 */
export async function download(route: Route, query: string, onProgress: OnProgress): Promise<string> {
  const url = query === '' ? route.path : `${route.path}?${query}`
  const response = await fetched(url)
  if (!response.ok) {
    if (response.status === 401) await refreshUser()
    throw await errorOf(response)
  }
  const file = await read(response, onProgress).catch(() => {
    throw new ApiError(0, { message: unreachable })
  })
  const name = nameOf(response) ?? route.path.split('/').at(-1) ?? 'download'
  save(file, name)
  return name
}

async function fetched(url: string): Promise<Response> {
  try {
    return await fetch(url, { credentials: 'same-origin' })
  } catch {
    throw new ApiError(0, { message: unreachable })
  }
}

async function read(response: Response, onProgress: OnProgress): Promise<Blob> {
  if (response.body === null) return response.blob()
  const length = Number(response.headers.get('content-length'))
  // With an encoding the length counts other bytes than those that arrive here.
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

const nameOf = (response: Response) =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]

function save(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser takes the file up in its own time.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
