import { z } from 'zod'
import { defineGrid, tonedOptions } from '../grid/columns.ts'
import { inspection } from '../inspections.ts'
import { issue } from '../messages/message.ts'
import { exactLabel, id, text, timestamp } from '../text.ts'

/**
 * `new`: no web has this name. `changed`: a web has it, with other facts. `missing`: the node no longer has the domain of a web.
 */
export const discoveryStates = ['new', 'changed', 'missing', 'unchanged'] as const
export type DiscoveryState = (typeof discoveryStates)[number]

/**
 * Facts in which a node differs from Kustos. Webs have no field for `php_version` and `databases`, which differ from what they
 * were when they were first read or last taken over.
 */
export const discoveryFacts = [
  'node',
  'sysuser',
  'status',
  'framework',
  'php_version',
  'databases',
  'sites',
  'aliases',
] as const
export type DiscoveryFact = (typeof discoveryFacts)[number]

/** A name, a code or a list of names. */
const factValue = z.union([z.string(), z.int(), z.array(z.string())]).nullable()

export const discoveryDifference = z
  .object({ fact: z.enum(discoveryFacts), before: factValue, after: factValue })
  .meta({ id: 'DiscoveryDifference' })
export type DiscoveryDifference = z.output<typeof discoveryDifference>

export const discoveredWeb = z
  .object({
    fqdn: z.string(),
    state: z.enum(discoveryStates),
    /** Null if the web is new. */
    web_id: id.nullable(),
    /** Of a changed web; what could not be read does not differ. */
    differences: z.array(discoveryDifference),
    /** The customer of the web; if it is new, that of the subscription in Plesk. */
    customer: z.string().nullable(),
    sysuser: z.string().nullable(),
    /** Null if unknown, as in the next three. */
    framework_name: z.string().nullable(),
    framework_version: z.string().nullable(),
    php_version: z.string().nullable(),
    databases: z.array(z.string()).nullable(),
    sites: z.array(z.string()),
    aliases: z.array(z.string()),
  })
  .meta({ id: 'DiscoveredWeb' })
export type DiscoveredWeb = z.output<typeof discoveredWeb>

export const discovery = z
  .object({
    /** The latest one; null if the node was never scanned. */
    inspection: inspection.nullable(),
    /** When the node was last read; null if never. */
    read_at: timestamp.nullable(),
    webs: z.array(discoveredWeb),
  })
  .meta({ id: 'Discovery' })
export type Discovery = z.output<typeof discovery>

const maxTakeover = 2_000

export const takeover = z
  .object({
    webs: z
      .array(
        z.object({
          fqdn: text(255),
          /** Needed for a new web whose customer Plesk does not know. */
          customer: exactLabel(255).optional(),
        }),
      )
      .min(1)
      .max(maxTakeover, issue('webs_too_many', { max: maxTakeover })),
  })
  .meta({ id: 'Takeover' })
export type Takeover = z.output<typeof takeover>

export const takenOver = z
  .object({
    created: z.int(),
    updated: z.int(),
  })
  .meta({ id: 'TakenOver' })
export type TakenOver = z.output<typeof takenOver>

/** Such as `TYPO3 13.4.20`; null if unknown. */
export const frameworkText = ({
  framework_name: name,
  framework_version: version,
}: Pick<DiscoveredWeb, 'framework_name' | 'framework_version'>): string | null =>
  [name, version].filter((part) => part !== null).join(' ') || null

export const discoveryColumns = defineGrid<DiscoveredWeb>({
  name: 'discovery',
  primaryColumns: ['fqdn', 'state'],
  columns: [
    { key: 'fqdn', kind: 'text', isMonospaced: true, width: 260 },
    {
      key: 'state',
      kind: 'status',
      width: 140,
      options: tonedOptions({ new: 'green', changed: 'orange', missing: 'red', unchanged: 'grey' }),
      value: ({ state }) => state,
    },
    {
      key: 'differences',
      kind: 'tags',
      width: 320,
      value: ({ differences }) => differences.map(({ fact }) => fact),
    },
    { key: 'customer', kind: 'text', width: 140 },
    { key: 'sysuser', kind: 'text', isMonospaced: true, width: 150 },
    { key: 'framework', kind: 'text', width: 160, value: frameworkText },
    { key: 'php_version', kind: 'text', width: 90 },
    { key: 'databases', kind: 'tags', width: 180, value: ({ databases }) => databases },
    { key: 'sites', kind: 'tags', width: 220, value: ({ sites }) => sites },
    { key: 'aliases', kind: 'tags', width: 220, value: ({ aliases }) => aliases },
  ],
})
