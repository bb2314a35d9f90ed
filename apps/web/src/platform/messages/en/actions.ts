import { deploymentName, type NodeAction, nodeActions } from '@kustos/contract/deployment'

/**
 * Texts of what can be done with a web (`entities/web/actions`). `label` names the action, `question` is asked before it,
 * `done` follows the web's name after it, `many` is for several webs.
 */
export const actions = {
  show: { label: 'Show web' },
  refresh: {
    label: 'Re-scan',
    question: 'Re-read this web’s data from Plesk, DNS and its page?',
    done: 're-scan requested',
    show: 'Show last re-scan',
    many: {
      question_one: 'Re-scan this web?',
      question_other: 'Re-scan {{count, number}} webs?',
    },
  },
  updateWeb: {
    label: nodeActions.updateWeb.name,
    question: 'Deploy the latest commit to this web?',
    done: 'update requested',
    many: {
      question_one: 'Deploy the latest commit to this web?',
      question_other: 'Deploy the latest commits to {{count, number}} webs?',
    },
  },
  backupWeb: {
    label: nodeActions.backupWeb.name,
    question: 'Back up the files and the database of this web?',
    done: 'backup requested',
    many: {
      question_one: 'Back up the files and the database of this web?',
      question_other: 'Back up the files and the databases of {{count, number}} webs?',
    },
  },
  exportDatabase: {
    label: nodeActions.exportDatabase.name,
    question: 'Export the database of this web? The last export will be replaced.',
    done: 'database export requested',
    many: {
      question_one: 'Export the database of this web? The last export will be replaced.',
      question_other: 'Export the databases of {{count, number}} webs? Their last exports will be replaced.',
    },
  },
  exportDatabaseKick: {
    label: nodeActions.exportDatabaseKick.name,
    done: 'database kick export requested',
    many: {
      question_one: 'Recreate the kick dump of this web?',
      question_other: 'Recreate the kick dumps of {{count, number}} webs?',
    },
  },
  importDatabase: {
    label: nodeActions.importDatabase.name,
    question: 'Import the last export into the database of this web? All current data will be overwritten.',
    done: 'database import requested',
  },
  newWeb: { label: deploymentName('newWeb') },
  audit: {
    label: 'Tracking audit',
    done: 'tracking audit requested',
    many: {
      question_one: 'Audit the tracking of this web?',
      question_other: 'Audit the tracking of {{count, number}} webs?',
    },
  },
  edit: { label: 'Edit' },
  changeCheck: { label: 'Change check' },
  planMaintenance: { label: 'Plan maintenance' },
  endMaintenance: {
    label: 'End maintenance',
    question: 'End the maintenance of this web now? Its alerts are sent again.',
    done: 'maintenance ended',
    many: {
      question_one: 'End the maintenance of this web now? Its alerts are sent again.',
      question_other: 'End the maintenance of {{count, number}} webs now? Their alerts are sent again.',
    },
  },
  tracking: { label: 'Show tracking' },
  uptime: { label: 'Daily uptime' },
  probes: { label: 'Probes of this web' },
  open: { label: 'Open website' },
  copy: { label: 'Copy FQDN', done: 'FQDN copied' },
  delete: {
    label: 'Delete',
    hint: 'It disappears from all lists and is no longer monitored. The site itself is not changed, and you can restore the web.',
    done: 'deleted',
    many: { question_one: 'Delete this web?', question_other: 'Delete {{count, number}} webs?' },
  },
  restore: {
    label: 'Restore',
    done: 'restored',
    many: { question_one: 'Restore this web?', question_other: 'Restore {{count, number}} webs?' },
  },
  undo: { label: 'Undo' },
  showDeployment: 'Show deployment',
  showQueue: 'Show queue',
  webs_one: '1 web',
  webs_other: '{{count, number}} webs',
  backupFirst: 'Back up first',
  unavailableOnNode: 'This action can not be executed on this server.',
} as const satisfies Readonly<Record<NodeAction, object>> & Readonly<Record<string, unknown>>
