import { type DiscoveredWeb, nodesRoutes } from '@kustos/contract/nodes'
import { newWeb, websRoutes } from '@kustos/contract/webs'
import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CustomerPicker } from '../../entities/customer/CustomerPicker.tsx'
import { write } from '../../platform/query.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'

const { listNodes, readDiscovery, takeOverWebs } = nodesRoutes
const { listWebs } = websRoutes

/** Of the new webs whose customer Plesk does not know. */
const withCustomer = newWeb.pick({ customer: true })
const withoutCustomer = withCustomer.partial()

interface Props {
  readonly id: string
  readonly node: string
  readonly chosen: readonly DiscoveredWeb[]
  readonly onClose: () => void
}

/** Says what the import does, and asks for the customer that Plesk does not know. */
export function TakeOverDialog({ id, node, chosen, onClose }: Props) {
  const { t } = useTranslation()
  const added = chosen.filter(({ state }) => state === 'new')
  const changed = chosen.filter(({ state }) => state === 'changed')
  const left = chosen.length - added.length - changed.length
  const needsCustomer = added.some(({ customer }) => customer === null)
  const emptyForm: { customer?: string } = needsCustomer ? { customer: '' } : {}
  return (
    <FormDialog
      title={t('nodes.discovery.import')}
      onClose={onClose}
      schema={needsCustomer ? withCustomer : withoutCustomer}
      source={emptyForm}
      toValues={(values) => values}
      toBody={(values) => values}
      send={({ customer }, signal) => {
        const webs = [...added, ...changed].map(({ fqdn, customer: known }) => ({
          fqdn,
          ...(known === null && { customer }),
        }))
        return write(
          takeOverWebs,
          { params: { id }, body: { webs } },
          [readDiscovery, listNodes, listWebs],
          signal,
        )
      }}
      onSaved={({ created, updated }) => notifyDone(node, t('nodes.discovery.done', { created, updated }))}
      submitLabel={t('nodes.discovery.import')}
      submitDisabled={added.length + changed.length === 0}
    >
      {({ field }) => (
        <>
          <Stack gap="xs">
            {added.length > 0 && <Text>{t('nodes.discovery.adds', { count: added.length })}</Text>}
            {changed.length > 0 && <Text>{t('nodes.discovery.changes', { count: changed.length })}</Text>}
            {left > 0 && <Text c="dimmed">{t('nodes.discovery.leaves', { count: left })}</Text>}
          </Stack>
          {needsCustomer && (
            <CustomerPicker
              {...field('customer', {
                label: t('nodes.discovery.customer'),
                hint: t('nodes.discovery.customerHint'),
              })}
              data-autofocus
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
