import { message } from '@kustos/contract/messages'
import { invalid } from './errors.ts'
import type { SecretBox } from './secret-box.ts'

/** What a sealed key is for. */
const purposeOf = (node: number) => `plesk key of node ${node}`

/**
 * @param box null if no key for secrets is configured
 * @throws DomainError invalid without a box
 */
export function sealPanelKey(box: SecretBox | null, node: number, key: string): string {
  if (box === null) throw invalid({ plesk_key: message('secrets_key_missing') })
  return box.seal(key, purposeOf(node))
}

/**
 * Opens the stored key of a node, null if it has none.
 * @returns `unreadable` if it was sealed with a key that is no longer configured
 */
export function openPanelKey(
  box: SecretBox | null,
  { id, plesk_key: sealed }: { readonly id: number; readonly plesk_key: string | null },
): { readonly key: string | null } | 'unreadable' {
  if (sealed === null) return { key: null }
  const key = box?.open(sealed, purposeOf(id)) ?? null
  return key === null ? 'unreadable' : { key }
}
