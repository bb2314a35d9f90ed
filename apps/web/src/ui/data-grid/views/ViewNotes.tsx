import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ViewControl } from './use-view-control.ts'

/** What the user should know about the open view before working with it. */
export function ViewNotes({ control }: { readonly control: ViewControl }) {
  const { t } = useTranslation()
  const { view, missingParts: missing, views } = control
  const name = view?.name ?? ''
  const list = (keys: readonly string[]) => keys.map((text) => t('ui.quoted', { text })).join(', ')
  return (
    <>
      {views.error !== null && <Note>{t('views.notes.notLoaded')}</Note>}
      {control.isMissing && (
        <Note
          actions={
            <Button component={Link} to={control.plainUrl} size="xs" variant="default">
              {t('views.close')}
            </Button>
          }
        >
          {view === undefined ? t('views.notes.unknown') : t('views.notes.deleted', { name })}
        </Note>
      )}
      {control.isOutdated && (
        <Note
          actions={
            <>
              <Button size="xs" variant="default" onClick={control.reset}>
                {t('views.loadLatest')}
              </Button>
              <Button size="xs" variant="default" onClick={control.keepChanges}>
                {t('views.keepChanges')}
              </Button>
            </>
          }
        >
          {t('views.notes.outdated', { name })}
        </Note>
      )}
      {missing && missing.filters.length > 0 && (
        <Note>{t('views.notes.missingFilters', { name, keys: list(missing.filters) })}</Note>
      )}
      {missing && missing.columns.length > 0 && (
        <Note>{t('views.notes.missingColumns', { name, keys: list(missing.columns) })}</Note>
      )}
    </>
  )
}

function Note({ children, actions }: { readonly children: string; readonly actions?: ReactNode }) {
  return (
    <Alert
      color="orange"
      variant="outline"
      role="alert"
      icon={<IconAlertTriangle size={16} />}
      p="sm"
      mb="sm"
      flex="none"
    >
      <Group gap="sm" justify="space-between">
        <Text inherit>{children}</Text>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </Alert>
  )
}
