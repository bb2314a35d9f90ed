import { type Web, web } from './webs/web.ts'

/** A field's default is the first of these that its schema accepts. */
const blanks = [null, [], '', 0, 1, { topics: [] }, '2026-11-20T12:00:00.000Z']

const blankWeb = web.parse(
  Object.fromEntries(
    Object.entries(web.shape).map(([field, schema]) => [
      field,
      blanks.find((blank) => schema.safeParse(blank).success),
    ]),
  ),
)

export const createTestWeb = (fields: Partial<Web> = {}): Web => ({ ...blankWeb, ...fields })
