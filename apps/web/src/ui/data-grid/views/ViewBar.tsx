import { Badge, Button, Group } from '@mantine/core'
import { IconChevronDown, IconDeviceFloppy, IconRestore, IconTableOptions } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../platform/load-code.ts'
import type { ViewControl } from './use-view-control.ts'
import { ViewMenu } from './ViewMenu.tsx'

const ViewDialog = lazyPart(() => import('./ViewDialog.tsx'))

export type OpenDialog = 'new' | 'edit'

/** The open view's name with the menu of all views, and what can be done with changes to it. */
export function ViewBar({ control }: { readonly control: ViewControl }) {
  const { t } = useTranslation()
  const { view, isChanged, isMissing } = control
  const [dialog, setDialog] = useState<OpenDialog>()
  const [isSaving, setIsSaving] = useState(false)
  const canSave = view?.is_editable === true && !isMissing && isChanged
  async function save() {
    setIsSaving(true)
    await control.save().finally(() => setIsSaving(false))
  }
  return (
    <Group gap="xs" miw={0}>
      <ViewMenu control={control} onDialog={setDialog}>
        <Button
          variant="default"
          leftSection={<IconTableOptions size={16} />}
          rightSection={<IconChevronDown size={14} />}
          aria-label={t('views.menu', { view: view?.name ?? t('views.plain') })}
          maw="min(320px, 100%)"
        >
          {view?.name ?? t('views.plain')}
        </Button>
      </ViewMenu>
      {/* There from the start, so that it is read out when something changes. */}
      <span role="status">
        {isChanged && (
          <Badge variant="outline" color="orange" tt="none">
            {t('views.changed')}
          </Badge>
        )}
      </span>
      {canSave && (
        <Button
          variant="light"
          leftSection={<IconDeviceFloppy size={16} />}
          loading={isSaving}
          onClick={() => void save()}
        >
          {t('views.save')}
        </Button>
      )}
      {isChanged && !canSave && (
        <Button variant="light" leftSection={<IconDeviceFloppy size={16} />} onClick={() => setDialog('new')}>
          {t('views.saveAs')}
        </Button>
      )}
      {isChanged && !isMissing && (
        <Button variant="subtle" leftSection={<IconRestore size={16} />} onClick={control.reset}>
          {t('views.reset')}
        </Button>
      )}
      {dialog && (
        <Suspense>
          <ViewDialog kind={dialog} control={control} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </Group>
  )
}
