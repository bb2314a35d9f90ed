import { formatTime } from '@kustos/contract/grid'
import { type ContractException, trackingContractsRoutes } from '@kustos/contract/tracking-contracts'
import type { Web } from '@kustos/contract/webs'
import { Button, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { staleRoutes } from '../../entities/tracking-contract/calls.ts'
import styles from '../../entities/tracking-contract/tracking-contract.module.css'
import { storedText } from '../../platform/message-text.ts'
import { write } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'

interface Props {
  readonly web: Web
  readonly exceptions: readonly ContractException[]
}

const { endException } = trackingContractsRoutes

/** What is allowed for a time. */
export function Exceptions({ web, exceptions }: Props) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  async function end(exception: number) {
    const text = t('trackingContract.exception.endQuestion')
    if (!(await confirm({ text, yes: t('trackingContract.exception.end') }))) return
    await notifyOutcome(web.fqdn, t('trackingContract.exception.ended'), () =>
      write(endException, { params: { id: String(web.id), exception: String(exception) } }, staleRoutes),
    )
  }
  return (
    <>
      <Title order={3} fz="sm" mt="sm">
        {t('trackingContract.exception.list')}
      </Title>
      <ul className={styles.list}>
        {exceptions.map(({ id, scope, until, reason, created_by, ...stored }) => (
          <li key={id} className={styles.difference}>
            <div className={styles.title}>
              <span>{storedText(stored.difference, stored.difference_code, stored.difference_params)}</span>
              <Can access={endException.access}>
                <Button size="compact-xs" variant="default" onClick={() => void end(id)}>
                  {t('trackingContract.exception.end')}
                </Button>
              </Can>
            </div>
            <Text c="dimmed" fz="sm">
              {t(`trackingContract.exception.until.${scope}`, { time: formatTime(until).slice(0, 16) })}
              {created_by !== null && ` · ${created_by.email}`}
            </Text>
            <Text fz="sm" translate="no">
              {t('ui.quoted', { text: reason })}
            </Text>
          </li>
        ))}
      </ul>
    </>
  )
}
