import { customerMerge, customersRoutes, type MergePreview } from '@kustos/contract/customers'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { limitisRoutes } from '@kustos/contract/limitis'
import { websRoutes } from '@kustos/contract/webs'
import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CustomerPicker } from '../../entities/customer/CustomerPicker.tsx'
import { useRoute, write } from '../../platform/query.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { QueryState } from '../../ui/QueryState.tsx'

const { listCustomers, mergeCustomers, previewMerge, readCustomer } = customersRoutes
const schema = customerMerge.pick({ into: true })
const stale = [
  listCustomers,
  readCustomer,
  websRoutes.listWebs,
  limitisRoutes.listOwnDomains,
  limitisRoutes.listEmails,
  externalDomainsRoutes.listExternalDomains,
]

interface Props {
  readonly code: string
  /** Called with the code of the customer that is left. */
  readonly onMerged?: (into: string) => void
  readonly onClose: () => void
}

/** Asks which customer another spelling belongs to, and shows what would change. */
export function MergeDialog({ code, onMerged, onClose }: Props) {
  const { t } = useTranslation()
  const preview = useRoute(previewMerge, { params: { code } })
  return (
    <FormDialog
      title={t('customers.merge.title', { code })}
      onClose={onClose}
      schema={schema}
      source={{ into: '' }}
      toValues={(values) => values}
      toBody={(values) => values}
      send={({ into }, signal) => write(mergeCustomers, { body: { from: code, into } }, stale, signal)}
      onSaved={(_, { into }) => {
        notifyDone(code, t('customers.merge.done', { into: into.trim() }))
        onMerged?.(into.trim())
      }}
      submitLabel={t('customers.merge.submit')}
      submitDisabled={preview.data === undefined}
    >
      {({ field }) => (
        <>
          <CustomerPicker
            {...field('into', { label: t('customers.merge.into'), hint: t('customers.merge.intoHint') })}
            without={code}
            data-autofocus
          />
          <QueryState query={preview} skeleton={<Skeleton h={96} />}>
            {(changes) => <Changes changes={changes} />}
          </QueryState>
        </>
      )}
    </FormDialog>
  )
}

const settingTexts = {
  check: 'customers.merge.settings.check',
  tracking_contract: 'customers.merge.settings.trackingContract',
} as const
const allSettings = Object.keys(settingTexts) as (keyof typeof settingTexts)[]

/** The kinds of what changes, and their texts. */
const kindTexts = {
  webs: 'customers.merge.kinds.webs',
  own_domains: 'customers.merge.kinds.ownDomains',
  external_domains: 'customers.merge.kinds.externalDomains',
  mailboxes: 'customers.merge.kinds.mailboxes',
} as const satisfies Readonly<Record<Exclude<keyof MergePreview, keyof typeof settingTexts>, string>>
const allKinds = Object.keys(kindTexts) as (keyof typeof kindTexts)[]

function Changes({ changes }: { readonly changes: MergePreview }) {
  const { t } = useTranslation()
  const kinds = allKinds.flatMap((kind) => {
    const change = changes[kind]
    return change === null || change.count === 0 ? [] : [{ kind, ...change }]
  })
  const settings = allSettings.filter((kind) => changes[kind])
  const hidden = allKinds.some((kind) => changes[kind] === null) && (
    <Text c="dimmed">{t('customers.merge.hidden')}</Text>
  )
  if (kinds.length + settings.length === 0)
    return hidden || <Text c="dimmed">{t('customers.merge.nothing')}</Text>
  return (
    <Stack gap={4}>
      <Text fw={500}>{t('customers.merge.changes')}</Text>
      <List size="sm">
        {kinds.map(({ kind, count, names }) => (
          <List.Item key={kind}>
            {t(kindTexts[kind], { count })}
            <Text span c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {' '}
              {names.join(', ')}
              {names.length < count && ', …'}
            </Text>
          </List.Item>
        ))}
        {settings.map((kind) => (
          <List.Item key={kind}>{t(settingTexts[kind])}</List.Item>
        ))}
      </List>
      {hidden}
    </Stack>
  )
}
