import type { AttentionEntry } from '@kustos/contract/attention'
import type { EvaluatedList } from '@kustos/contract/views'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { displayHost } from '../../entities/tracking/display-host.ts'

/** What the rows of each list are. */
const nouns = {
  webs: 'web',
  customers: 'customer',
  tracking: 'web',
  'third-parties': 'thirdParty',
  nodes: 'node',
  bitbucket: 'repository',
  'all-domains': 'domain',
  'external-domains': 'domain',
  'own-domains': 'domain',
  emails: 'mailbox',
  monitoring: 'web',
  users: 'user',
} as const satisfies Record<EvaluatedList, string>

/** Names an entry, or the outage that it belongs to. */
export function useSubject() {
  const { t } = useTranslation()
  return useCallback(
    ({ entry, isGroup }: { readonly entry: AttentionEntry; readonly isGroup: boolean }): string => {
      const { kind, subject, node, view, node_outage: outage } = entry
      if (isGroup && outage !== null) return t('attention.outage', { ...outage, node: node ?? '' })
      if (view !== null)
        return t(`attention.entered.${nouns[view.list]}`, { count: view.entered, view: subject ?? '' })
      switch (kind) {
        case 'monitoring_stopped':
        case 'registrar_sync_failing':
        case 'repository_sync_failing':
          return t(`attention.subjects.${kind}`)
        case 'alert_channel_refusing':
          return t('attention.refuses', { name: subject ?? '' })
        case 'rota_unstaffed':
        case 'on_call':
          return t(`attention.subjects.${kind}`, { rota: subject ?? '' })
        default:
          return displayHost(subject ?? '')
      }
    },
    [t],
  )
}
