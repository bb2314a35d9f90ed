import type { Requirement } from '../permissions.ts'

interface NodeActionDefinition {
  /** In English, for mails and the console. */
  readonly name: string
  readonly summary: string
  /** Who may request it, and later retry or cancel it. */
  readonly access: Requirement
  /** Whether users must confirm it. */
  readonly confirms: boolean
  /** Whether it overwrites data that only a backup can restore. */
  readonly overwrites?: boolean
  /** Fields of the request besides the web's id. */
  readonly options?: readonly 'backup'[]
  /** Whether the web may be down while it runs, so that it causes no alerts. */
  readonly interrupts?: boolean
  /** Whether it can be requested for several selected webs at once. */
  readonly takesMany?: boolean
}

const editors: Requirement = { any: ['edit webs'] }

/** Actions on a web's node. Routes, handlers, deployment kinds and audit log descriptions are derived from this table. */
export const nodeActions = {
  updateWeb: {
    name: 'Update',
    summary: 'Deploys the latest commit of a web',
    access: editors,
    confirms: true,
    interrupts: true,
    takesMany: true,
  },
  exportDatabase: {
    name: 'Export database',
    summary: "Exports a web's database on its node",
    access: editors,
    confirms: true,
    takesMany: true,
  },
  exportDatabaseKick: {
    name: 'Export database kick',
    summary: 'Recreates the dump that forks of a web start from',
    access: editors,
    confirms: false,
    takesMany: true,
  },
  importDatabase: {
    name: 'Import database',
    summary: "Imports a web's latest export, after a backup unless `backup` is false",
    access: editors,
    confirms: true,
    overwrites: true,
    interrupts: true,
    options: ['backup'],
  },
  backupWeb: {
    name: 'Backup',
    summary: "Backs up a web's files and database",
    access: editors,
    confirms: true,
    takesMany: true,
  },
} as const satisfies Readonly<Record<string, NodeActionDefinition>>

/** English names of the shipped recipes' steps, by code. */
export const recipeSteps = {
  step_pre_flight: 'Pre-flight',
  step_pull: 'Pull',
  step_make_export_folder: 'Make the folder for exports',
  step_dump_database: 'Dump the database',
  step_keep_dump: 'Keep the dump',
  step_make_kick_dump_folder: 'Make the folder for kick dumps',
  step_find_export: 'Find the export',
  step_make_backup_folder: 'Make the folder for backups',
  step_back_up_database: 'Back up the database',
  step_import_export: 'Import the export',
  step_remove_leftovers: 'Remove what an earlier attempt left',
  step_back_up_web: 'Back up the web',
  step_write_archive: 'Write the archive',
  step_keep_archive: 'Keep the archive',
  step_find_kick_dump: 'Find the kick dump',
  step_fork_repository: 'Fork the repository',
  step_create_web: 'Create the web',
  step_create_subscription: 'Create the subscription',
  step_create_database: 'Create the database',
  step_import_kick_dump: 'Import the kick dump',
  step_prepare_working_copy: 'Prepare the working copy',
  step_name_origin: 'Set the remote “origin”',
  step_configure_fetch: 'Configure fetching',
  step_fetch_repository: 'Fetch the repository',
  step_build: 'Build',
  step_deploy: 'Deploy',
  step_first_probe: 'First probe',
  step_finish: 'Finish',
} as const

export type NodeAction = keyof typeof nodeActions

export const nodeActionNames = Object.keys(nodeActions) as readonly NodeAction[]

/** Like `nodeActions[action]`, including the optional fields. */
export const nodeActionOf = (action: NodeAction): NodeActionDefinition => nodeActions[action]

/** During these a web stays up; all other deployments may take it down. */
export const harmlessActions: readonly NodeAction[] = nodeActionNames.filter(
  (action) => nodeActionOf(action).interrupts !== true,
)

export const mapNodeActions = <Result>(make: (action: NodeAction) => Result) =>
  Object.fromEntries(nodeActionNames.map((action) => [action, make(action)])) as Record<NodeAction, Result>
