import { z } from 'zod'
import { deploymentSummary } from '../deployment/index.ts'
import { inspection } from '../inspections.ts'
import { id, timestamp } from '../text.ts'
import { uptime, webSummary } from '../web-summary.ts'
import { discoveryStates } from './discovery.ts'
import { nodeDetails } from './node.ts'

/** What is known of the programs on a node. */
export const nodeSoftware = z
  .object({
    /** The version of Plesk as the last test of the connection found it; null if unknown. */
    plesk: z.string().nullable(),
    /** The versions of PHP as of the last scan, those of most webs first; null is what could not be read. */
    php: z.array(z.object({ version: z.string().nullable(), webs: z.int() })),
  })
  .meta({ id: 'NodeSoftware' })
export type NodeSoftware = z.output<typeof nodeSoftware>

/** How far a node and the webs that Kustos knows have drifted apart. */
export const nodeDrift = z
  .object({
    /** The latest scan; null if the node was never scanned. */
    inspection: inspection.nullable(),
    /** When the node was last read; null if never. */
    read_at: timestamp.nullable(),
    /** The number of domains in each state. */
    counts: z.record(z.enum(discoveryStates), z.int()),
  })
  .meta({ id: 'NodeDrift' })
export type NodeDrift = z.output<typeof nodeDrift>

/** A node with what it has. Parts that the user may not see are null. */
export const nodeOverview = z
  .object({
    id,
    name: z.string(),
    /** Whether deployment actions may run on it. */
    cloud_enabled: z.boolean(),
    tags: z.array(z.string()),
    /** How it is reached, for those who manage nodes, as the next two. */
    details: nodeDetails.nullable(),
    software: nodeSoftware.nullable(),
    drift: nodeDrift.nullable(),
    webs: z.array(webSummary).nullable(),
    /** Of all its webs together. */
    uptime: uptime.nullable(),
    /** Those that wait or run, and the latest ones that have ended; newest first. */
    deployments: z
      .object({ under_way: z.array(deploymentSummary), ended: z.array(deploymentSummary) })
      .nullable(),
  })
  .meta({ id: 'NodeOverview' })
export type NodeOverview = z.output<typeof nodeOverview>
