/** What values a tag has. With a type its value is optional; a tag of type `none` has none. */
export const tagTypes = ['none', 'text', 'list', 'number', 'date'] as const
export type TagType = (typeof tagTypes)[number]

export const tagColors = ['grey', 'blue', 'teal', 'green', 'yellow', 'orange', 'red', 'violet'] as const
export type TagColor = (typeof tagColors)[number]

/** The most tags that a web, customer or node carries. */
export const maxTags = 50
export const maxTagNameLength = 50
export const maxTagValueLength = 100

/** A tag of the catalogue, as far as it decides on values. */
export interface TagRule {
  readonly name: string
  readonly type: TagType
  /** Of type `list`, the values that there are. */
  readonly options: readonly string[]
}
