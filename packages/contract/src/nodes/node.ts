import { z } from 'zod'
import { defineGrid, tonedOptions } from '../grid/columns.ts'
import { issue } from '../messages/message.ts'
import { carriedTags } from '../tags/tag.ts'
import { baseVersion, id, text, timestamp, visibleName } from '../text.ts'
import { fqdn } from '../webs/fqdn.ts'

export const nodeDetails = z
  .object({
    id,
    name: z.string(),
    /** Host name or address of its Plesk panel. */
    plesk_fqdn: z.string(),
    /** If null, 8443 is used. */
    plesk_port: z.int().nullable(),
    /** SHA-256 fingerprint of a self-signed certificate. */
    plesk_certificate: z.string().nullable(),
    /** Whether a key of the panel's API is stored. The key itself is never sent. */
    has_plesk_key: z.boolean(),
    /** If null, the panel's host is used. */
    ssh_host: z.string().nullable(),
    /** If null, 22 is used. */
    ssh_port: z.int().nullable(),
    /** If null, `SSH_USER` is used. */
    ssh_user: z.string().nullable(),
    /** In the format of OpenSSH: type and base64. If null, those of `SSH_KNOWN_HOSTS` are accepted. */
    host_key: z.string().nullable(),
    /** As `ssh-keygen -l` prints it. */
    host_key_fingerprint: z.string().nullable(),
    /** The address that new webs get; null for that of the panel's host. */
    address: z.string().nullable(),
    /** Whether deployment actions may run on it. */
    cloud_enabled: z.boolean(),
    /** The number of its webs, without deleted ones. */
    webs: z.int(),
    tags: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'NodeDetails' })
export type NodeDetails = z.output<typeof nodeDetails>

/** Blank counts as null. */
const orNull = <Schema extends z.ZodType<string, string>>(schema: Schema) =>
  z
    .union([z.literal('').transform(() => null), z.null(), schema])
    .optional()
    .transform((value) => value ?? null)

const isAddress = (value: string) => z.union([z.ipv4(), z.ipv6()]).safeParse(value).success

const host = text(253).refine(
  (value) => isAddress(value) || fqdn.safeParse(value).success,
  issue('host_or_address_invalid'),
)
const port = z.union([
  z.null(),
  z
    .int()
    .min(1, issue('at_least', { min: 1 }))
    .max(65_535, issue('at_most', { max: 65_535 })),
])

/** A line of `ssh-keyscan` or known_hosts, or a public key. The host and the comment are left out. */
const hostKey = text(2000)
  .transform((line) => /(?:^|\s)((?:ssh|ecdsa)-[a-z0-9-]+ [A-Za-z0-9+/]+=*)(?:\s|$)/.exec(line)?.[1] ?? '')
  .pipe(z.string().min(1, issue('host_key_invalid')))

export const newNode = z
  .object({
    /** Also the name of its folder for local commands, so without spaces and slashes. */
    name: visibleName(60).refine(
      (name) => /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name),
      issue('node_name_invalid'),
    ),
    plesk_fqdn: z.string().trim().min(1, issue('panel_required')).pipe(host),
    plesk_port: port.optional().transform((value) => value ?? null),
    plesk_certificate: orNull(
      text(100)
        .regex(/^(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$/, issue('certificate_fingerprint_invalid'))
        .toUpperCase(),
    ),
    /** Only ever sent to the server. Blank or omitted keeps the stored one of the same panel, null removes it. */
    plesk_key: z
      .union([z.null(), text(500).regex(/^\S*$/, issue('key_has_spaces'))])
      .optional()
      .transform((value) => (value === '' ? undefined : value)),
    ssh_host: orNull(host),
    ssh_port: port.optional().transform((value) => value ?? null),
    ssh_user: orNull(text(32).regex(/^[a-z_][a-z0-9_-]*$/, issue('user_name_invalid'))),
    host_key: orNull(hostKey),
    address: orNull(text(45).refine(isAddress, issue('ip_invalid'))),
    cloud_enabled: z.boolean().default(false),
    /** Omitted, they stay as they are. */
    tags: carriedTags.optional(),
  })
  .meta({ id: 'NewNode' })
export type NewNode = z.output<typeof newNode>

export const nodeChange = newNode.extend(baseVersion).meta({ id: 'NodeChange' })
export type NodeChange = z.output<typeof nodeChange>

export const nodeColumns = defineGrid<NodeDetails>({
  name: 'nodes',
  primaryColumns: ['name', 'plesk_fqdn'],
  columns: [
    { key: 'id', kind: 'number', width: 72 },
    { key: 'name', kind: 'text', width: 180 },
    { key: 'plesk_fqdn', kind: 'text', isMonospaced: true, width: 240 },
    { key: 'webs', kind: 'number', width: 90 },
    {
      key: 'cloud_enabled',
      kind: 'status',
      width: 150,
      options: tonedOptions({ yes: 'green', no: 'grey' }),
      value: (node) => (node.cloud_enabled ? 'yes' : 'no'),
    },
    {
      key: 'plesk_key',
      kind: 'status',
      width: 150,
      minWidth: 146,
      options: tonedOptions({ stored: 'green', none: 'grey' }),
      value: (node) => (node.has_plesk_key ? 'stored' : 'none'),
    },
    { key: 'tags', kind: 'tags', isKeyed: true, width: 200 },
    { key: 'address', kind: 'text', isMonospaced: true, width: 190 },
    { key: 'host_key_fingerprint', kind: 'text', set: 'details', isMonospaced: true, width: 260 },
    { key: 'updated_at', kind: 'date', set: 'details', width: 160 },
  ],
  sets: [{ key: 'details', isVisibleByDefault: false }],
})
