import type { z } from 'zod'
import type { Access } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Responses other than JSON. */
export const noBody = 'no body'
export const file = 'file'
/**
 * A list whose rows are arrays, for clients that accept this type: `fields` names the values of each row, and `rows` takes the
 * place of `data`. Everything else is as in JSON.
 */
export const tableType = 'application/vnd.kustos.table+json'

export type ResponseSchema = z.ZodType | typeof noBody | typeof file

/** Errors that do not follow from a route's access, path, method and input, as 401, 403, 404, 419 and 422 may. */
export type OwnError = 401 | 403 | 404 | 409 | 429 | 502

/**
 * Whether users must have entered their password in the last `confirmationMinutes`, when signing in or since; 423 otherwise.
 * `conditional` where it depends on what is changed.
 */
export type Confirmation = 'required' | 'conditional'
export const confirmationMinutes = 10

interface RouteDefinition {
  readonly summary: string
  readonly access: Access
  /** By default an `:id` of the path is that of a row. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** By default there is no body. */
  readonly response?: z.ZodType | typeof file
  /** Of a file; a spreadsheet by default. */
  readonly fileType?: string
  /** By default 200, or 204 without a body. */
  readonly status?: 201
  readonly errors?: readonly OwnError[]
  /** Whether its response has an `ETag`, and is 304 for a client that names it in `If-None-Match`. */
  readonly isConditional?: true
  readonly confirmation?: Confirmation
  /** Whether it changes nothing, though its input makes it a POST. */
  readonly isPreview?: true
  /** Whether its body has several fields for each of many webs. */
  readonly isLargeBody?: true
}

export interface Route extends Omit<RouteDefinition, 'response' | 'status'> {
  readonly method: Method
  /** May contain `:id`. */
  readonly path: string
  readonly response: ResponseSchema
  readonly status: 200 | 201 | 204
}

export type Routes = Readonly<Record<string, Route>>

type DefinedRoute<Path extends string, D extends RouteDefinition> = Omit<D, 'response' | 'status'> &
  Pick<Route, 'method' | 'status'> & {
    readonly path: Path
    readonly response: D extends { readonly response: infer Response } ? Response : typeof noBody
  }

/** Declares a route. */
export const route = <const Path extends string, const D extends RouteDefinition>(
  method: Method,
  path: Path,
  definition: D,
) => {
  // The browser's build removes the schema, but not its key.
  const status = 'response' in definition ? 200 : 204
  return { method, path, response: noBody, status, ...definition } as DefinedRoute<Path, D>
}

type HasId<R extends Route> = R['path'] extends `${string}/:id${string}` ? true : false

/** A part of a request; optional if all of its fields are. */
type Sent<Name extends string, S> = S extends z.ZodType
  ? Record<never, never> extends z.input<S>
    ? { [N in Name]?: z.input<S> }
    : { [N in Name]: z.input<S> }
  : unknown

/** The input of a call: those of `params`, `query` and `body` that the route has. */
export type CallInput<R extends Route> = Sent<'query', R['query']> &
  Sent<'body', R['body']> &
  (R['params'] extends z.ZodType
    ? Sent<'params', R['params']>
    : HasId<R> extends true
      ? { params: { id: string | number } }
      : unknown)

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

export interface ParsedInput<R extends Route> {
  params: R['params'] extends z.ZodType
    ? z.output<R['params']>
    : HasId<R> extends true
      ? { id: number }
      : undefined
  query: Parsed<R['query']>
  body: Parsed<R['body']>
}

export type RouteResponse<R extends Route> = R['response'] extends z.ZodType
  ? z.output<R['response']>
  : undefined

/** The path with its parameters filled in and encoded, and the query appended. */
export function urlOf(
  route: Route,
  params: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const path = route.path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${route.path} needs ${name}`)
    return encodeURIComponent(value)
  })
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}
