import type { ColumnSet } from '@kustos/contract/grid'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconColumns3, IconRestore } from '@tabler/icons-react'
import { createContext, memo, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { type Density, densities } from './use-layout.ts'

interface Props {
  readonly all: readonly ColumnSet[]
  readonly onToggle: (key: string) => void
  readonly density: Density
  readonly onDensity: (density: Density) => void
  /** Undefined while widths and order are the default. */
  readonly onRestore: (() => void) | undefined
}

const names = Object.keys(densities) as Density[]

/** The visible column sets. In a context, so that a toggle renders one item and not the whole menu. */
export const SetsOn = createContext<readonly string[]>([])

interface ItemProps {
  readonly set: ColumnSet
  readonly isOn: boolean
  readonly onToggle: (key: string) => void
}

const SetItem = memo(function SetItem({ set: { key, label }, isOn, onToggle }: ItemProps) {
  return (
    <Menu.CheckboxItem checked={isOn} onChange={() => onToggle(key)}>
      {label}
    </Menu.CheckboxItem>
  )
})

function SetItems({ all, onToggle }: Pick<Props, 'all' | 'onToggle'>) {
  const on = useContext(SetsOn)
  return all.map((set) => <SetItem key={set.key} set={set} isOn={on.includes(set.key)} onToggle={onToggle} />)
}

export const ColumnsMenu = memo(function ColumnsMenu(props: Props) {
  const { all, onToggle, density, onDensity, onRestore } = props
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end" closeOnItemClick={false} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconColumns3 size={16} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {t('grid.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {all.length > 0 && (
          <>
            <Menu.Label>{t('grid.columnSets')}</Menu.Label>
            <SetItems all={all} onToggle={onToggle} />
            <Menu.Divider />
          </>
        )}
        <Menu.Label>{t('grid.density')}</Menu.Label>
        <Menu.RadioGroup
          value={density}
          onChange={(value) => onDensity(names.find((name) => name === value) ?? 'normal')}
        >
          {names.map((name) => (
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
      </Menu.Dropdown>
    </Menu>
  )
})
