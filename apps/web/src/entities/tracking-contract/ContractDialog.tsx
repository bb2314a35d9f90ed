import type { ContractDraft } from '@kustos/contract/tracking-contracts'
import { customerContractChange, webContractChange } from '@kustos/contract/tracking-contracts'
import { noContractSettings } from '@kustos/contract/tracking-contracts/states'
import { Alert, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { ContractFields } from './ContractFields.tsx'
import { type ContractSource, toBody, toForm } from './contract-form.ts'
import { useContractTexts } from './use-contract-texts.ts'

type Body = ReturnType<typeof toBody>

interface Props {
  /** Of the web or the customer. */
  readonly name: string
  readonly source: ContractSource
  readonly save: (body: Body, signal: AbortSignal) => Promise<unknown>
  readonly loadLatest: () => Promise<ContractSource>
  readonly onClose: () => void
}

/** Edits what was agreed on about the tracking of a customer, or what a web has instead of it. */
export default function ContractDialog({ name, source, save, loadLatest, onClose }: Props) {
  const { t } = useTranslation()
  const { effective, draft } = source
  const isOfWeb = effective !== null
  return (
    <FormDialog
      title={t(isOfWeb ? 'trackingContract.titleOfWeb' : 'trackingContract.titleOf', { name })}
      size="xl"
      onClose={onClose}
      schema={isOfWeb ? webContractChange : customerContractChange}
      source={source}
      toValues={toForm}
      toBody={toBody}
      send={(body, signal) => save(body as Body, signal)}
      loadLatest={loadLatest}
      onSaved={() => notifyDone(name, t('trackingContract.saved'))}
      submitLabel={t('trackingContract.save')}
    >
      {(fields) => (
        <>
          {draft === null ? (
            <Text c="dimmed">
              {t(isOfWeb ? 'trackingContract.webHint' : 'trackingContract.customerHint')}
            </Text>
          ) : (
            <DraftNote draft={draft} />
          )}
          <ContractFields
            fields={fields}
            isOfWeb={isOfWeb}
            applying={effective ?? draft?.settings ?? { ...noContractSettings, ...source.own }}
          />
        </>
      )}
    </FormDialog>
  )
}

function DraftNote({ draft }: { readonly draft: ContractDraft }) {
  const { t } = useTranslation()
  const { fieldName, subjectName } = useContractTexts()
  const { audited, unaudited, overrides, replaced, left_out: leftOut, to_review: toReview } = draft
  const listed = (services: ContractDraft['left_out']) =>
    services.map(({ topic, webs }) => `${subjectName(topic)} (${webs})`).join(', ')
  const names = overrides.map(({ fqdn }) => fqdn)
  return (
    <Alert variant="light" icon={<IconInfoCircle size={16} />}>
      <Text>{t('trackingContract.draft.from', { count: audited })}</Text>
      {unaudited > 0 && <Text>{t('trackingContract.draft.unaudited', { count: unaudited })}</Text>}
      {names.length > 0 && (
        <Text>
          {t('trackingContract.draft.overrides', {
            count: names.length,
            webs: names.slice(0, maxNamed).join(', ') + (names.length > maxNamed ? ', …' : ''),
          })}
        </Text>
      )}
      {replaced.length > 0 && (
        <Text fw={600}>
          {t('trackingContract.draft.replaced', {
            webs: replaced
              .map(({ fqdn, fields }) => `${fqdn} (${fields.map(fieldName).join(', ')})`)
              .join(', '),
          })}
        </Text>
      )}
      {leftOut.length > 0 && (
        <Text>{t('trackingContract.draft.leftOut', { services: listed(leftOut) })}</Text>
      )}
      {toReview.length > 0 && (
        <Text fw={600}>{t('trackingContract.draft.toReview', { services: listed(toReview) })}</Text>
      )}
    </Alert>
  )
}

const maxNamed = 10
