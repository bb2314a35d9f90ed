import type { Requirement } from '../permissions.ts'

interface NodeActionDefinition {
  /** What the API's documentation says of its route. */
  readonly summary: string
  /** Who may request it, and later retry or cancel it. */
  readonly access: Requirement
  /** Whether users confirm it before it is requested. */
  readonly confirms: boolean
  /** Whether it overwrites what cannot be brought back without a backup. */
  readonly overwrites?: boolean
  /** Which fields of the request it reads besides the web's id. */
  readonly options?: readonly 'backup'[]
  /** Whether it can be requested for many selected webs at once. */
  readonly takesMany?: boolean
}

const editors: Requirement = { any: ['edit webs'] }

/**
 * What can be run for a web on its node. Routes, handlers, kinds of deployments and words of the audit log are made from
 * this table; its steps stand in the recipes, its texts in the catalogues.
 */
export const nodeActions = {
  updateWeb: {
    summary: 'Brings a web to the newest state of its repository',
    access: editors,
    confirms: true,
  },
  exportDatabase: {
    summary: "Exports a web's database on its node",
    access: editors,
    confirms: true,
  },
  exportDatabaseKick: {
    summary: 'Recreates the kick dump that forks of a web start from',
    access: editors,
    confirms: false,
  },
  importDatabase: {
    summary: "Imports a web's latest export; a backup is made before, unless `backup` is false",
    access: editors,
    confirms: true,
    overwrites: true,
    options: ['backup'],
  },
  backupWeb: {
    summary: "Backs a web's files and database up",
    access: editors,
    confirms: true,
    takesMany: true,
  },
} as const satisfies Readonly<Record<string, NodeActionDefinition>>

export type NodeAction = keyof typeof nodeActions

export const nodeActionNames = Object.keys(nodeActions) as readonly NodeAction[]

/** The definition of an action, with the fields that it leaves out. */
export const nodeActionOf = (action: NodeAction): NodeActionDefinition => nodeActions[action]

/** Makes something for each action, by its name. */
export const mapNodeActions = <Result>(make: (action: NodeAction) => Result) =>
  Object.fromEntries(nodeActionNames.map((action) => [action, make(action)])) as Record<NodeAction, Result>
