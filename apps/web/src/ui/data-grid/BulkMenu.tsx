import { useTranslation } from 'react-i18next'
import { ActionItems } from '../ActionItems.tsx'
import { OpenedMenu, type OpenedMenuProps } from '../menu/OpenedMenu.tsx'
import type { RowAction } from './types.ts'

interface Props extends OpenedMenuProps {
  readonly actions: readonly RowAction[]
}

/** The less frequent actions on the selected rows. */
export default function BulkMenu({ actions, ...menu }: Props) {
  const { t } = useTranslation()
  return (
    <OpenedMenu {...menu} label={t('grid.more')} position="top-start" offset={4}>
      <ActionItems actions={actions} />
    </OpenedMenu>
  )
}
