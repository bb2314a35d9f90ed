/**
 * The English catalogue. Each section has a file, `en/<section>.ts` and `de/<section>.json`, and is exported from `console.ts`
 * or, if neither the shell nor the list of webs needs it, from `screens.ts` of both languages; a key that German lacks does not
 * compile. English is TypeScript because i18next reads the parameters of a text from its literal type, which JSON lacks.
 */
export * from './console.ts'
// Of these, `console.ts` has a part: a name that both files export has to be exported here.
/** @public */
export { gridLabels } from './grid-labels.ts'
/** @public */
export { monitoring } from './monitoring.ts'
export * from './screens.ts'
