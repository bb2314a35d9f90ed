import type { GridLabels } from '@kustos/contract/grid'
import { asciiFqdn, newWeb } from '@kustos/contract/webs'
import { labels as english } from '@kustos/contract/webs/labels'
import german from '@kustos/contract/webs/labels.de.json' with { type: 'json' }
import { z } from 'zod'
import type { Column } from '../platform/csv.ts'
import type { LineKind } from '../platform/csv-import.ts'

/** A line of a file of webs. The text of categories has their names; missing columns are omitted. */
const webLine = newWeb.extend({
  categories: z.string().optional(),
  monitoring_web_active: z.union([z.literal(0), z.literal(1)], 'Must be 1 or 0').optional(),
  domain_state: z
    .union(
      [z.literal(1), z.literal(2), z.literal(3), z.null()],
      `Must be one of ${Object.values(english.webs.options.domain_state).join(', ')}`,
    )
    .optional(),
})
export type WebLine = z.output<typeof webLine>

/** Additional names of columns. */
const more: Readonly<Record<string, readonly string[]>> = {
  monitoring_web_reporting_channel: ['monitoring channels', 'monitoring_channels'],
  monitoring_web_active: ['monitoring', 'monitoring_active'],
}

const grids: readonly GridLabels[] = [english.webs, german.webs]

/** A column may have the name of its field, or that of the web list and its export in either language. */
function column(field: string, optional: boolean): Column {
  const labels = grids.flatMap(({ columns }) => columns[field] ?? [])
  return { called: [field, ...labels, ...(more[field] ?? [])].map((name) => name.toLowerCase()), optional }
}

const columns = Object.fromEntries(
  Object.entries(newWeb.shape).map(([field, schema]) => [
    field,
    column(field, schema.safeParse(undefined).success),
  ]),
)

const split = (list: string | undefined, separators = /[,;\n]/) =>
  list
    ?.split(separators)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const yes: readonly string[] = ['1', 'true', 'yes', 'ja', 'wahr', 'x']
const no: readonly string[] = ['0', 'false', 'no', 'nein', 'falsch', '-']

/** Blank values are omitted. */
function parseFlag(text: string | undefined): unknown {
  const word = text?.toLowerCase()
  if (word === undefined || word === '') return undefined
  return yes.includes(word) ? 1 : no.includes(word) ? 0 : word
}

/** Accepts the code, or the text of the list in either language. */
function parseDomainState(text: string | undefined): unknown {
  const word = text?.toLowerCase()
  if (word === undefined) return undefined
  if (word === '') return null
  const found = grids
    .flatMap(({ options }) => Object.entries(options?.domain_state ?? {}))
    .find((names) => names.some((name) => name.toLowerCase() === word))
  return found === undefined ? word : Number(found[0])
}

/** Converts the values of a line to those of the contract. */
const toWire = (values: Readonly<Record<string, string>>): z.input<typeof newWeb> | object => ({
  ...values,
  // A missing value stays unchanged.
  node: values.node || undefined,
  // The number of an order may have a semicolon.
  auftragnr_hosting: split(values.auftragnr_hosting, /[,\n]/),
  tags: split(values.tags),
  monitoring_web_reporting_channel: split(values.monitoring_web_reporting_channel)?.join(','),
  monitoring_web_active: parseFlag(values.monitoring_web_active),
  domain_state: parseDomainState(values.domain_state),
})

export const webLines: LineKind<WebLine> = {
  columns,
  schema: z.record(z.string(), z.string()).transform(toWire).pipe(webLine),
  key: ({ fqdn }) => asciiFqdn(fqdn) ?? fqdn,
  name: ({ fqdn = '' }) => fqdn,
}
