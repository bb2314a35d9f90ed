import { type Rota, rotasRoutes } from '@kustos/contract/rotas'
import { Button, Card, Skeleton } from '@mantine/core'
import { IconPhoneCall, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import styles from '../../ui/page-sections.module.css'
import { QueryState } from '../../ui/QueryState.tsx'
import { OverrideDialog } from './OverrideDialog.tsx'
import { AddRotaDialog, EditRotaDialog } from './RotaDialog.tsx'
import { RotaSection } from './RotaSection.tsx'

/** A dialog about a rota. */
type Opened = {
  readonly rota: Rota
  readonly dialog: 'edit' | 'takeOver' | 'override'
}

/** Who is on call now and next, by rota. */
export default function RotasScreen() {
  const { t } = useTranslation()
  const query = useRoute(rotasRoutes.listRotas, {})
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const add = (
    <Can access={rotasRoutes.createRota.access}>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
        {t('rotas.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('screens.monitoring-on-call.title')} actions={query.data && add} />
      <QueryState query={query} skeleton={<Skeleton h={400} />}>
        {({ data: rotas }) => (
          <div className={styles.sections}>
            {rotas.length === 0 && (
              <Card>
                <EmptyState
                  icon={IconPhoneCall}
                  title={t('rotas.none')}
                  hint={t('rotas.noneHint')}
                  action={add}
                />
              </Card>
            )}
            {rotas.map((rota) => (
              <RotaSection key={rota.id} rota={rota} onOpen={(dialog) => setOpened({ rota, dialog })} />
            ))}
          </div>
        )}
      </QueryState>
      {isAdding && <AddRotaDialog onClose={() => setAdding(false)} />}
      {opened?.dialog === 'edit' && <EditRotaDialog rota={opened.rota} onClose={close} />}
      {opened !== null && opened.dialog !== 'edit' && (
        <OverrideDialog rota={opened.rota} isOwn={opened.dialog === 'takeOver'} onClose={close} />
      )}
    </>
  )
}
