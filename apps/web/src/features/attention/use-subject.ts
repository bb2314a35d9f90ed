import type { AttentionEntry } from '@kustos/contract/attention'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** Names an entry, or the outage that it belongs to. */
export function useSubject() {
  const { t } = useTranslation()
  return useCallback(
    ({ entry, isGroup }: { readonly entry: AttentionEntry; readonly isGroup: boolean }): string => {
      const { kind, subject, node, node_outage: outage } = entry
      if (isGroup && outage !== null) return t('attention.outage', { ...outage, node: node ?? '' })
      switch (kind) {
        case 'monitoring_stopped':
        case 'registrar_sync_failing':
        case 'repository_sync_failing':
          return t(`attention.subjects.${kind}`)
        default:
          return subject ?? ''
      }
    },
    [t],
  )
}
