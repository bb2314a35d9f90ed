import { message } from '@kustos/contract/messages'
import { z } from 'zod'
import { invalid } from '../platform/errors.ts'
import { parseJson } from '../platform/parse-json.ts'
import type { SecretBox } from '../platform/secret-box.ts'

/** Where messages are posted, and what they are sent or signed with. */
export interface ChannelSecrets {
  readonly url?: string | undefined
  readonly key?: string | undefined
}

const schema = z.object({ url: z.string().optional(), key: z.string().optional() })

/** Binds sealed secrets to their channel. */
const purposeOf = (channel: number) => `alert channel ${channel}`

/** @throws DomainError invalid, for `field`, without a box */
export function sealSecrets(
  box: SecretBox | null,
  channel: number,
  secrets: ChannelSecrets,
  field: string,
): string {
  if (box === null) throw invalid({ [field]: message('secrets_key_missing') })
  return box.seal(JSON.stringify(secrets), purposeOf(channel))
}

/** @returns null if they were sealed with a key that is no longer configured */
export function openSecrets(
  box: SecretBox | null,
  { id, secrets }: { readonly id: number; readonly secrets: string | null },
): ChannelSecrets | null {
  if (secrets === null) return {}
  const opened = box?.open(secrets, purposeOf(id)) ?? null
  return opened === null ? null : (schema.safeParse(parseJson(opened)).data ?? null)
}
