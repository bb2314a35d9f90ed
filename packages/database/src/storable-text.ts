/** A text that Postgres can store: without NUL, and without halves of surrogate pairs. */
export const storableText = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed()

/** A value as JSON whose texts and names Postgres can store. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(u0000|ud[89a-f][\da-f]{2}|.)/g, (sequence, escaped: string) =>
    // JSON.stringify escapes a surrogate only if its other half is missing.
    escaped.length === 1 ? sequence : '\ufffd',
  )

/** The parameters of a statement. */
export function storableParameters(parameters: unknown): unknown {
  if (typeof parameters === 'string') return storableText(parameters)
  return Array.isArray(parameters) ? parameters.map(storableParameters) : parameters
}
