import { Button } from '@mantine/core'
import { IconChevronDown, IconColumns3 } from '@tabler/icons-react'
import { memo, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyMenu } from '../menu/lazy-menu.ts'
import { useDeferredMenu } from '../menu/use-deferred-menu.ts'
import { PageHeader } from '../PageHeader.tsx'
import type { ColumnsMenuProps } from './ColumnsMenuItems.tsx'
import type { GridView } from './types.ts'

const [ColumnsMenuItems, preload] = lazyMenu(() => import('./ColumnsMenuItems.tsx'))

interface MenuProps extends ColumnsMenuProps {
  readonly sets: readonly string[]
}

interface Props extends MenuProps {
  readonly title: string
  readonly toolbar: ((view: GridView) => ReactNode) | undefined
  readonly view: GridView
  /** Undefined for lists without views. */
  readonly views: ReactNode
}

/** The title, the views, the Columns menu and the toolbar. */
export const GridHeading = memo(function GridHeading({ title, toolbar, view, views, ...menu }: Props) {
  return (
    <PageHeader
      title={title}
      beside={views}
      actions={
        <>
          <ColumnsMenu {...menu} />
          {toolbar?.(view)}
        </>
      }
    />
  )
})

const ColumnsMenu = memo(function ColumnsMenu(props: MenuProps) {
  const { t } = useTranslation()
  const { target, close, button } = useDeferredMenu(preload)
  return (
    <>
      <Button
        {...button}
        variant="default"
        leftSection={<IconColumns3 size={16} />}
        rightSection={<IconChevronDown size={14} />}
      >
        {t('grid.columns')}
      </Button>
      {target && (
        <Suspense>
          <ColumnsMenuItems {...props} target={target} onClose={close} />
        </Suspense>
      )}
    </>
  )
})
