import type { ColumnSet } from '@kustos/contract/grid'
import { Menu } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { OpenedMenu, type OpenedMenuProps } from '../menu/OpenedMenu.tsx'
import { type Density, densities } from './use-layout.ts'

export interface ColumnsMenuProps {
  readonly all: readonly ColumnSet[]
  readonly onToggle: (key: string) => void
  readonly density: Density
  readonly onDensity: (density: Density) => void
  /** Undefined while widths and order are the default. */
  readonly onRestore: (() => void) | undefined
}

interface Props extends OpenedMenuProps, ColumnsMenuProps {
  readonly sets: readonly string[]
}

interface ItemProps {
  readonly set: ColumnSet
  readonly isVisible: boolean
  readonly onToggle: (key: string) => void
}

/** Memoized, so that a toggle renders one of them. */
const SetItem = memo(function SetItem({ set: { key, label }, isVisible, onToggle }: ItemProps) {
  return (
    <Menu.CheckboxItem checked={isVisible} onChange={() => onToggle(key)}>
      {label}
    </Menu.CheckboxItem>
  )
})

const densityNames = Object.keys(densities) as Density[]

export default function ColumnsMenuItems(props: Props) {
  const { target, onClose, all, sets, onToggle, density, onDensity, onRestore } = props
  const { t } = useTranslation()
  return (
    <OpenedMenu
      target={target}
      onClose={onClose}
      label={t('grid.columns')}
      position="bottom-end"
      closeOnItemClick={false}
    >
      {all.length > 0 && (
        <>
          <Menu.Label>{t('grid.columnSets')}</Menu.Label>
          {all.map((set) => (
            <SetItem key={set.key} set={set} isVisible={sets.includes(set.key)} onToggle={onToggle} />
          ))}
          <Menu.Divider />
        </>
      )}
      <Menu.Label>{t('grid.density')}</Menu.Label>
      <Menu.RadioGroup
        value={density}
        onChange={(value) => onDensity(densityNames.find((name) => name === value) ?? 'normal')}
      >
        {densityNames.map((name) => (
          <Menu.RadioItem key={name} value={name}>
            {t(`grid.densities.${name}`)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      {onRestore && (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<IconRestore size={16} />} onClick={onRestore}>
            {t('grid.restoreLayout')}
          </Menu.Item>
        </>
      )}
    </OpenedMenu>
  )
}
