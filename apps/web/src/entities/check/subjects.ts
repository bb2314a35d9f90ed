import { type Check, type checkChange, checksRoutes } from '@kustos/contract/checks'
import { customersRoutes } from '@kustos/contract/customers'
import type { Access } from '@kustos/contract/permissions'
import { tagsRoutes } from '@kustos/contract/tags'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { ApiError } from '../../platform/api-error.ts'
import { routeQuery, write } from '../../platform/query.ts'

type Change = z.input<typeof checkChange>

/** Whose check it is: a web or a tag by its id, a customer by its code. */
export type CheckSubject = { readonly web: number } | { readonly tag: number } | { readonly customer: string }

const { readWebCheck, readTagCheck, readCustomerCheck, editWebCheck, editTagCheck, editCustomerCheck } =
  checksRoutes

/** What a change of a check makes stale. */
const staleRoutes = [
  readWebCheck,
  readTagCheck,
  readCustomerCheck,
  tagsRoutes.listTags,
  customersRoutes.previewMerge,
]

/** The calls of a subject. */
export function callsOf(subject: CheckSubject) {
  if ('customer' in subject) {
    const params = { code: subject.customer }
    return {
      query: routeQuery(readCustomerCheck, { params }),
      editAccess: editCustomerCheck.access as Access,
      save: (body: Change, signal: AbortSignal) =>
        write(editCustomerCheck, { params, body }, staleRoutes, signal),
    }
  }
  const [params, read, edit] =
    'web' in subject
      ? ([{ id: subject.web }, readWebCheck, editWebCheck] as const)
      : ([{ id: subject.tag }, readTagCheck, editTagCheck] as const)
  return {
    query: routeQuery(read, { params }),
    editAccess: edit.access as Access,
    save: (body: Change, signal: AbortSignal) => write(edit, { params, body }, staleRoutes, signal),
  }
}

export const useCheck = (subject: CheckSubject) => useQuery<Check, ApiError>(callsOf(subject).query)
