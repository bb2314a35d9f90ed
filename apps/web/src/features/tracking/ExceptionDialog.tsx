import { newContractException, trackingContractsRoutes } from '@kustos/contract/tracking-contracts'
import type { Web } from '@kustos/contract/webs'
import { Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { staleRoutes } from '../../entities/tracking-contract/calls.ts'
import { write } from '../../platform/query.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { fromLocal, toLocal } from '../../ui/rome-input.ts'

interface Props {
  readonly web: Web
  /** Its id. */
  readonly difference: number
  readonly sentence: string
  readonly onClose: () => void
}

const defaultDays = 14

/** Allows a difference until a time. */
export default function ExceptionDialog({ web, difference, sentence, onClose }: Props) {
  const { t } = useTranslation()
  const labels = t('trackingContract.exception.fields', { returnObjects: true })
  const [source] = useState(() => ({
    until: toLocal(new Date(Date.now() + defaultDays * 86_400_000).toISOString()),
    scope: 'web' as 'web' | 'customer',
    reason: '',
  }))
  return (
    <FormDialog
      title={t('trackingContract.exception.title')}
      onClose={onClose}
      schema={newContractException}
      source={source}
      toValues={(values) => values}
      toBody={({ until, scope, reason }) => ({ difference, until: fromLocal(until), scope, reason })}
      send={(body, signal) =>
        write(trackingContractsRoutes.allowDifference, { params: { id: web.id }, body }, staleRoutes, signal)
      }
      onSaved={() => notifyDone(web.fqdn, t('trackingContract.exception.saved'))}
      submitLabel={t('trackingContract.exception.save')}
    >
      {({ field }) => (
        <Stack gap="sm">
          <Text>{sentence}</Text>
          <TextInput
            {...field('until', { label: labels.until, hint: labels.untilHint })}
            type="datetime-local"
            data-autofocus
          />
          {web.customer !== '' && (
            <Radio.Group {...field('scope', { label: labels.scope })}>
              <Stack gap={6} mt={4}>
                <Radio value="web" label={t('trackingContract.exception.ofWeb')} />
                <Radio
                  value="customer"
                  label={t('trackingContract.exception.ofCustomer', { code: web.customer })}
                />
              </Stack>
            </Radio.Group>
          )}
          <Textarea
            {...field('reason', { label: labels.reason, hint: labels.reasonHint })}
            autosize
            minRows={2}
          />
        </Stack>
      )}
    </FormDialog>
  )
}
