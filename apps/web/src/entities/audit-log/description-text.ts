import { type DeploymentKind, deploymentKinds } from '@kustos/contract/deployment'
import type { LogEvent } from '@kustos/contract/log-words'
import type { TFunction } from 'i18next'

const isKind = (name: string): name is DeploymentKind => deploymentKinds.some((kind) => kind === name)

/** A description in the console's language; what older releases wrote stays as it is. */
export function descriptionText(t: TFunction, description: string): string {
  const [kind = '', outcome, ...more] = description.split(' ')
  if (outcome !== undefined && more.length === 0 && isKind(kind))
    return `${t(`actions.${kind}.label`)} ${descriptionText(t, outcome)}`
  return t(`logs.events.${description as LogEvent}`, { defaultValue: description })
}
