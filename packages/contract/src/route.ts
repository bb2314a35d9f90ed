import type { z } from 'zod'
import type { Access } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Answers that are not JSON. */
export const noBody = 'no body'
export const file = 'file'
export type AnswerSchema = z.ZodType | typeof noBody | typeof file

/** Errors a route gives of its own; 401, 403, 419 and 422 follow from its access, method and input too. */
export type OwnError = 401 | 403 | 404 | 409 | 429 | 502

export interface Route {
  readonly method: Method
  /** With `:name` for each key of `params`. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** The one answer that means success. */
  readonly status: 200 | 201 | 204
  readonly answer: AnswerSchema
  readonly errors?: readonly OwnError[]
}

/** Routes of one feature, by the name of what they do. */
export type Routes = Readonly<Record<string, Route>>

/** Declares a route. The only place that says its method, path, schemas and permission. */
export const route = <const R extends Route>(definition: R): R => definition

type Sent<S> = S extends z.ZodType ? z.input<S> : undefined
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** What a caller sends. */
export interface RouteInput<R extends Route> {
  params: Sent<R['params']>
  query: Sent<R['query']>
  body: Sent<R['body']>
}

/** What a handler gets after parsing. */
export interface ParsedInput<R extends Route> {
  params: Parsed<R['params']>
  query: Parsed<R['query']>
  body: Parsed<R['body']>
}

/** What a handler gives to be presented, and what a caller gets. */
export type RouteAnswer<R extends Route> = R['answer'] extends z.ZodType ? z.output<R['answer']> : undefined

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
