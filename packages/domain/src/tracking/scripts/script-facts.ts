/**
 * What the parser finds in a script, as small plain data that a thread can send: only what runs, names resolved through
 * aliases, values folded to constants where the source determines them.
 */
export interface ScriptFacts {
  readonly calls: readonly ScriptCall[]
  /** Values that are assigned to global names and to `document.cookie`. */
  readonly assignments: readonly NamedValue[]
  /** Attributes of elements that the script creates: `element.id = …`, `setAttribute`, `dataset`. */
  readonly attributes: readonly NamedValue[]
  readonly loads: readonly ScriptLoad[]
  /** Object literals with a field that a detector looks for. */
  readonly objects: readonly (Span & { readonly fields: Fields })[]
  /** Array literals that are commands, such as `['setSiteId', 1]`. */
  readonly lists: readonly (Span & { readonly items: readonly ScriptValue[] })[]
  /** Texts with an id or an address that a detector looks for. */
  readonly texts: readonly ScriptText[]
  /** Object literals that are assigned to global names: where they are, not their content. */
  readonly settings: readonly (Span & { readonly name: string })[]
  /** Global names of services that are read, written or called. */
  readonly mentions: readonly string[]
}

/** Indexes into the source. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface ScriptCall extends Span {
  /** The path from the global object: `fbq`, `ttq.load`; `*.setCookie` if its object is unknown. */
  readonly name: string
  readonly args: readonly ScriptValue[]
}

export interface NamedValue extends Span {
  readonly name: string
  readonly value: ScriptValue
}

export interface ScriptText extends Span {
  readonly text: string
  /** False if the text goes on with something unknown. */
  readonly isWhole: boolean
  /** Whether it is concatenated from several parts. */
  readonly isJoined: boolean
}

export interface ScriptLoad extends ScriptText {
  /** An element of unknown kind may be a script. */
  readonly element: 'script' | 'module' | 'other' | 'unknown'
}

/** A value as far as the source determines it. Null is also `undefined`. */
export type ScriptValue =
  | string
  | number
  | boolean
  | null
  | { readonly kind: 'list'; readonly items: readonly ScriptValue[] }
  | { readonly kind: 'object'; readonly fields: Fields }
  /** Text of which only the start is known. */
  | { readonly kind: 'start'; readonly text: string }
  | Choice
  | { readonly kind: 'unknown' }

export interface Choice {
  readonly kind: 'choice'
  readonly values: readonly ScriptValue[]
  /** Whether other scripts may assign further values. */
  readonly isOpen: boolean
}

export type Fields = ReadonlyMap<string, ScriptValue>

export const unknownValue = { kind: 'unknown' } as const

export const emptyFacts: ScriptFacts = {
  calls: [],
  assignments: [],
  attributes: [],
  loads: [],
  objects: [],
  lists: [],
  texts: [],
  settings: [],
  mentions: [],
}

/** What the value may be; never a choice. */
export function alternativesOf(value: ScriptValue | undefined): readonly ScriptValue[] {
  if (value === undefined) return []
  return typeof value === 'object' && value?.kind === 'choice' ? value.values : [value]
}

/** All constant texts and numbers that the value may be. */
export const textsOf = (value: ScriptValue | undefined): string[] =>
  alternativesOf(value).flatMap((one) =>
    typeof one === 'string' ? one : typeof one === 'number' ? String(one) : [],
  )

/** The text or number that the value is in any case. */
export function textOf(value: ScriptValue | undefined): string | undefined {
  const all = alternativesOf(value)
  return all.length === 1 ? textsOf(value)[0] : undefined
}

/** Whole texts, and the known starts of others. */
export const startsOf = (value: ScriptValue | undefined): { text: string; isWhole: boolean }[] =>
  alternativesOf(value).flatMap((one) => {
    if (typeof one === 'string') return { text: one, isWhole: true }
    return typeof one === 'object' && one?.kind === 'start' ? { text: one.text, isWhole: false } : []
  })

/** The entries of the first list that the value may be; undefined if it is none. */
export function listOf(value: ScriptValue): readonly ScriptValue[] | undefined {
  for (const one of alternativesOf(value))
    if (typeof one === 'object' && one?.kind === 'list') return one.items
  return undefined
}

/** A field of all objects that the value may be. */
export const fieldsOf = (value: ScriptValue | undefined, name: string): ScriptValue[] =>
  alternativesOf(value).flatMap((one) =>
    typeof one === 'object' && one?.kind === 'object' ? (one.fields.get(name) ?? []) : [],
  )

/** The entries of all lists that the value may be; what is no list is its own only entry. */
export const itemsOf = (value: ScriptValue | undefined): readonly ScriptValue[] =>
  alternativesOf(value).flatMap((one) =>
    typeof one === 'object' && one?.kind === 'list' ? one.items.flatMap(alternativesOf) : [one],
  )
