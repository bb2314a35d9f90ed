import { type DiscoveredWeb, nodesRoutes } from '@kustos/contract/nodes'
import { websRoutes } from '@kustos/contract/webs'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../../platform/api-error.ts'
import { errorText } from '../../platform/message-text.ts'
import { write } from '../../platform/query.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { longTitle } from '../../ui/use-confirm.tsx'

const { listNodes, readDiscovery, takeOverWebs } = nodesRoutes

interface Props {
  readonly id: string
  readonly node: string
  readonly chosen: readonly DiscoveredWeb[]
  readonly onClose: () => void
}

/** Says what the import does, and asks for the customer that Plesk does not know. */
export function TakeOverDialog({ id, node, chosen, onClose }: Props) {
  const { t } = useTranslation()
  const [customer, setCustomer] = useState('')
  const added = chosen.filter(({ state }) => state === 'new')
  const changed = chosen.filter(({ state }) => state === 'changed')
  const left = chosen.length - added.length - changed.length
  const needsCustomer = added.some((web) => web.customer === null)
  const takeOver = useMutation<{ created: number; updated: number }, ApiError>({
    mutationFn: () => {
      const webs = [...added, ...changed].map(({ fqdn, customer: known }) => ({
        fqdn,
        ...(known === null && { customer: customer.trim() }),
      }))
      const params = { id }
      return write(takeOverWebs, { params, body: { webs } }, [readDiscovery, listNodes, websRoutes.listWebs])
    },
    onSuccess: ({ created, updated }) => {
      notifyDone(node, t('nodes.discovery.done', { created, updated }))
      onClose()
    },
  })
  const isEmpty = added.length + changed.length === 0
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('nodes.discovery.import')}
      styles={longTitle}
      closeButtonProps={{ 'aria-label': t('ui.dialog.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          takeOver.mutate()
        }}
      >
        <Stack gap="sm">
          {added.length > 0 && <Text>{t('nodes.discovery.adds', { count: added.length })}</Text>}
          {changed.length > 0 && <Text>{t('nodes.discovery.changes', { count: changed.length })}</Text>}
          {left > 0 && <Text c="dimmed">{t('nodes.discovery.leaves', { count: left })}</Text>}
          {needsCustomer && (
            <TextInput
              label={t('nodes.discovery.customer')}
              description={t('nodes.discovery.customerHint')}
              value={customer}
              onChange={(event) => setCustomer(event.currentTarget.value)}
              required
              data-autofocus
            />
          )}
          {takeOver.error !== null && (
            <Text c="red" role="alert">
              {errorText(takeOver.error)}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('ui.dialog.cancel')}
            </Button>
            <Button
              type="submit"
              loading={takeOver.isPending}
              disabled={isEmpty || (needsCustomer && customer.trim() === '')}
            >
              {t('nodes.discovery.import')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
