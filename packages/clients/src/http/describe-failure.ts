import { type FetchFailure, toFetchError } from '../connect/fetch-error.ts'
import { findByCode, readErrorCode } from './error-code.ts'

const failureCodes = {
  ECONNRESET: 'connection_broke',
  EPIPE: 'connection_broke',
  UND_ERR_SOCKET: 'connection_broke',
  UND_ERR_CONNECT_TIMEOUT: 'connection_too_slow',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_server_silent',
} as const

export function describeFailure(cause: unknown): FetchFailure | { readonly code: string } {
  const code = findByCode(failureCodes, readErrorCode(cause))
  return code === undefined ? toFetchError(cause, 'header').failure : { code }
}
