import { recipeSteps } from '../deployment/actions.ts'

/** Messages whose parameter is a deployment's kind, which is translated for display. */
export const kindMessages = {
  waits_for_running_action: '{{kind}} (deployment {{id}}) of the same web is running.',
  waits_for_waiting_action: '{{kind}} (deployment {{id}}) of the same web is waiting.',
  recipe_changed: 'The recipe of {{kind}} has changed since this deployment was requested. Request it again.',
} as const

/** Why deployments wait and fail, and the names of the shipped recipes' steps. */
export const deploymentMessages = {
  waits_for_node: 'Node {{node}} is at its limit. Its deployments run in order.',
  waits_for_kick_dump: 'Deployment {{id}} recreates the same kick dump first.',
  step_failed: '{{step}}: {{reason}}',
  execution_given_up:
    'It was executed {{executions}} times, and each time it failed unexpectedly. {{reason}}',
  workers_died:
    'Given up after {{attempts}} attempts: the worker stopped before the end of this step each time.',
  ended_by_restore:
    'A backup was restored in which this deployment had not finished. Check the website before you retry it.',
  step_interrupted: 'Cancelled.',
  step_value_missing: 'This step needs {{name}}, which is unknown for this web.',
  step_value_unusable: '{{name}} can’t be used in a command: {{value}}.',
  command_exited: 'The command exited with code {{exitCode}}.',
  command_complained: '{{complaint}} (exit code {{exitCode}})',
  command_killed: 'The command was killed by {{signal}}.',
  command_timed_out: 'The command took longer than {{seconds}} s and was stopped.',
  command_cancelled: 'The command was cancelled.',
  command_end_unknown: '{{reason}} It is unknown whether the command has ended.',
  command_left_running:
    'The command of deployment {{deployment}} still runs on the node. Try again once it has ended, or retry that deployment, which ends it.',
  repository_gone: 'Bitbucket no longer has the repository {{repository}}.',
  repository_exists: 'Bitbucket already has a repository {{repository}}.',
  disk_full: 'Node {{node}} has only {{mebibytes}} MiB of free disk space.',
  disk_unknown: 'Node {{node}} did not report its free disk space.',
  names_taken:
    'Node {{node}} already has something by a name of this web, perhaps from a deleted one: “{{command}}” finds it. Remove it from the node, or request the web with another name or TP number.',
  fork_without_request: 'A repository can only be forked from a web request.',
  creation_without_request: 'A web can only be created from a web request with a node.',
  web_exists: 'There is already a web {{fqdn}}.',
  address_unresolved: '{{host}} does not resolve, so the web’s address is unknown.',
  no_web_to_probe: 'There is no web to probe.',
  no_web_to_finish: 'There is no web to finish.',
  web_without_node: 'The web has no node.',
  bitbucket_missing: 'Bitbucket is not configured.',
  ...recipeSteps,
} as const
