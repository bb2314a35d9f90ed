import type { DeploymentStep } from '@kustos/contract/deployment'
import { messageText } from '../../platform/message-text.ts'

/** A step's name in the user's language; steps of an operator's own recipe have one name for all. */
export const stepName = ({ name, name_code: code }: DeploymentStep): string =>
  (code === null ? undefined : messageText({ code })) ?? name
