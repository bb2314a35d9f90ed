import { type BatchAction, batchActions } from '@kustos/contract/batches'
import { type DeploymentKind, deploymentKinds } from '@kustos/contract/deployment'
import type { LogEvent, LogName } from '@kustos/contract/log-words'
import type { LogEntry, subjectTypes } from '@kustos/contract/logs'
import type { TFunction } from 'i18next'

type SubjectType = (typeof subjectTypes)[number]

const isKind = (name: string): name is DeploymentKind => deploymentKinds.some((kind) => kind === name)

/** A description in the console's language; what older releases wrote stays as it is. */
export function descriptionText(t: TFunction, description: string): string {
  const [kind = '', outcome, ...more] = description.split(' ')
  if (outcome !== undefined && more.length === 0 && isKind(kind))
    return `${t(`actions.${kind}.label`)} ${descriptionText(t, outcome)}`
  return t(`logs.events.${description as LogEvent}`, { defaultValue: description })
}

const isBatchAction = (name: string): name is BatchAction => batchActions.some((action) => action === name)

/** The name that an entry gives a deployment ("updateWeb a.test") or a batch ("edit 3"), with the name that its action has. */
export function requestNameText(t: TFunction, name: string): string {
  const [action = '', ...more] = name.split(' ')
  const label = isKind(action)
    ? t(`actions.${action}.label`)
    : isBatchAction(action)
      ? t(`gridLabels.batches.options.action.${action}`)
      : action
  return [label, ...more].join(' ')
}

/** The name of an entry's subject; null if it has none. */
export const subjectNameText = (
  t: TFunction,
  { subject_type, subject_name }: Pick<LogEntry, 'subject_type' | 'subject_name'>,
): string | null =>
  subject_name !== null && (subject_type === 'deployment' || subject_type === 'batch')
    ? requestNameText(t, subject_name)
    : subject_name

/** The name of a log, as `descriptionText`. */
export const logNameText = (t: TFunction, name: string): string =>
  t(`logs.names.${name as LogName}`, { defaultValue: name })

/** A type of subjects, as `descriptionText`. */
export const subjectTypeText = (t: TFunction, type: string): string =>
  t(`logs.subjects.${type as SubjectType}`, { defaultValue: type })

/** Of which there is only one, so that an id says nothing. */
const singleTypes: readonly string[] = ['tracking_policy', 'alert_route_order'] satisfies SubjectType[]

/** The type and the id of an entry's subject, which say what it is even if it has no name any more. */
export const subjectIdText = (t: TFunction, entry: Pick<LogEntry, 'subject_type' | 'subject_id'>): string =>
  entry.subject_type === null
    ? ''
    : singleTypes.includes(entry.subject_type)
      ? subjectTypeText(t, entry.subject_type)
      : `${subjectTypeText(t, entry.subject_type)} ${entry.subject_id ?? ''}`.trim()
