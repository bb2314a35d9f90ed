import { z } from 'zod'
import { defineGrid } from '../grid/columns.ts'
import { issue } from '../messages/message.ts'
import { baseVersion, id, label, optionalText, timestamp, visibleText } from '../text.ts'
import { joinTag, sortTags, splitTag, tagName } from './carried.ts'
import { maxTagNameLength, maxTags, maxTagValueLength, tagColors, tagTypes } from './states.ts'

/** A key that is typed and compared: letters of one script, so that none looks like another or changes the direction of text. */
const namePattern = /^[\p{Script=Latin}0-9][\p{Script=Latin}0-9_-]*$/u

const normaliseName = (name: string) => name.trim().normalize('NFKC').toLowerCase()

const name = z
  .string()
  // Longer ones are not worth normalising.
  .max(1000, issue('too_long', { max: maxTagNameLength }))
  .transform(normaliseName)
  .pipe(
    z
      .string()
      .min(1, issue('name_required'))
      .max(maxTagNameLength, issue('too_long', { max: maxTagNameLength }))
      .regex(namePattern, issue('tag_name_invalid')),
  )

/** Files separate tags by commas, semicolons and lines. */
const value = visibleText(maxTagValueLength).regex(/^[^,;]*$/, issue('tag_value_has_comma'))

/** A tag as things carry it: its name, with a colon and a value if it has one. */
const carriedTag = z
  .string()
  .max(1000, issue('too_long', { max: maxTagNameLength + maxTagValueLength + 1 }))
  .transform((tag) => splitTag(tag.trim()))
  .pipe(z.object({ name, value: value.nullable() }))
  .transform(({ name: key, value: given }) => joinTag(key, given === '' ? null : given))

/** The tags that something carries, each name once, in order. */
export const carriedTags = z
  .array(carriedTag)
  .max(maxTags)
  .transform((tags, context): string[] => {
    const distinct = [...new Set(tags)]
    const names = distinct.map(tagName)
    const twice = names.find((one, index) => names.indexOf(one) !== index)
    if (twice !== undefined)
      context.addIssue({ code: 'custom', message: issue('tag_twice', { name: twice }) })
    return sortTags(distinct)
  })

/** Tags that are taken away: by name, whatever their value, or with one value only. */
export const removedTags = z.array(carriedTag).max(maxTags)

/** How many carry a tag; null for what the user may not see. Deleted webs count, since they can be restored. */
const usage = z.object({
  webs: z.int().nullable(),
  customers: z.int().nullable(),
  nodes: z.int().nullable(),
  /** Saved views that filter by it, private ones of other users included. */
  views: z.int(),
  /** Whether it has settings of a check. */
  check: z.boolean(),
})

export const tag = z
  .object({
    id,
    name: z.string(),
    type: z.enum(tagTypes),
    /** The values of a tag of type `list`, in their order. */
    options: z.array(z.string()),
    color: z.enum(tagColors),
    description: z.string().nullable(),
    /** Null without `usage=1`. */
    usage: usage.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Tag' })
export type Tag = z.output<typeof tag>

const options = z
  .array(value.min(1, issue('tag_option_missing')))
  .max(100)
  .transform((values, context) => {
    const lowered = values.map((one) => one.toLowerCase())
    const twice = values.find((_, index) => lowered.indexOf(lowered[index] ?? '') !== index)
    if (twice !== undefined)
      context.addIssue({ code: 'custom', message: issue('tag_option_twice', { value: twice }) })
    return values
  })

const editable = {
  name,
  type: z.enum(tagTypes).default('none'),
  options: options.default([]),
  color: z.enum(tagColors).default('grey'),
  description: optionalText(label(255)).transform((text) => text ?? null),
}

const hasOptions = ({ type, options: values }: { type: string; options: readonly string[] }) =>
  (type === 'list') === values.length > 0
const optionsWrong = { path: ['options'], error: issue('tag_options_wrong') }

export const newTag = z.object(editable).refine(hasOptions, optionsWrong).meta({ id: 'NewTag' })
export type NewTag = z.output<typeof newTag>

/** All fields are replaced. */
export const tagChange = z
  .object({ ...editable, ...baseVersion })
  .refine(hasOptions, optionsWrong)
  .meta({ id: 'TagChange' })
export type TagChange = z.output<typeof tagChange>

/** The tag with the name `into`. */
export const tagMerge = z.object({ into: name }).meta({ id: 'TagMerge' })
export type TagMerge = z.output<typeof tagMerge>

export const tagColumns = defineGrid<Tag>({
  name: 'tags',
  primaryColumns: ['name', 'webs', 'customers'],
  columns: [
    { key: 'name', kind: 'text', width: 180 },
    { key: 'type', kind: 'select', width: 130, options: tagTypes.map((type) => ({ value: type })) },
    { key: 'options', kind: 'tags', width: 190 },
    { key: 'description', kind: 'text', width: 250 },
    { key: 'webs', kind: 'number', width: 95, value: ({ usage: of }) => of?.webs ?? null },
    { key: 'customers', kind: 'number', width: 120, value: ({ usage: of }) => of?.customers ?? null },
    { key: 'nodes', kind: 'number', width: 95, value: ({ usage: of }) => of?.nodes ?? null },
    { key: 'updated_at', kind: 'date', set: 'details', width: 160 },
  ],
  sets: [{ key: 'details', isVisibleByDefault: false }],
})
