import { z } from 'zod'
import { defineGrid, tonedOptions } from '../grid/columns.ts'
import { inspection } from '../inspections.ts'
import { id, label, text, timestamp } from '../text.ts'

/**
 * `new`: no web has this name. `changed`: a web has it, with other facts. `missing`: the node no longer has the domain of a web.
 */
export const discoveryStates = ['new', 'changed', 'missing', 'unchanged'] as const
export type DiscoveryState = (typeof discoveryStates)[number]

/** Facts of a web in which the node differs from Kustos. */
export const discoveryFacts = ['node', 'sysuser', 'status', 'sites', 'aliases'] as const
export type DiscoveryFact = (typeof discoveryFacts)[number]

export const discoveredWeb = z
  .object({
    fqdn: z.string(),
    state: z.enum(discoveryStates),
    /** Null if the web is new. */
    web_id: id.nullable(),
    differences: z.array(z.enum(discoveryFacts)),
    /** The customer of the web; if it is new, that of the subscription in Plesk. */
    customer: z.string().nullable(),
    sysuser: z.string().nullable(),
    php_version: z.string().nullable(),
    databases: z.array(z.string()),
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

export const takeover = z
  .object({
    webs: z
      .array(
        z.object({
          fqdn: text(255),
          /** Needed for a new web whose customer Plesk does not know. */
          customer: label(255).optional(),
        }),
      )
      .min(1)
      .max(2_000),
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
    { key: 'differences', kind: 'tags', width: 180, value: ({ differences }) => differences },
    { key: 'customer', kind: 'text', width: 140 },
    { key: 'sysuser', kind: 'text', isMonospaced: true, width: 150 },
    { key: 'php_version', kind: 'text', width: 90 },
    { key: 'databases', kind: 'tags', width: 180, value: ({ databases }) => databases },
    { key: 'sites', kind: 'tags', width: 220, value: ({ sites }) => sites },
    { key: 'aliases', kind: 'tags', width: 220, value: ({ aliases }) => aliases },
  ],
})
