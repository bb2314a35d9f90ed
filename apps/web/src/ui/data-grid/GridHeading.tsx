import type { ColumnSet } from '@kustos/contract/grid'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconColumns3, IconRestore } from '@tabler/icons-react'
import { createContext, memo, type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../PageHeader.tsx'
import type { GridView } from './types.ts'
import { type Density, densities } from './use-layout.ts'

interface MenuProps {
  readonly all: readonly ColumnSet[]
  readonly onToggle: (key: string) => void
  readonly density: Density
  readonly onDensity: (density: Density) => void
  /** Undefined while widths and order are the default. */
  readonly onRestore: (() => void) | undefined
}

interface Props extends MenuProps {
  readonly title: string
  readonly toolbar: ((view: GridView) => ReactNode) | undefined
  readonly view: GridView
  /** Undefined for lists without views. */
  readonly views: ReactNode
  readonly sets: readonly string[]
}

/** The title, the views, the Columns menu and the toolbar. */
export const GridHeading = memo(function GridHeading({ title, toolbar, view, views, sets, ...menu }: Props) {
  return (
    <PageHeader
      title={title}
      beside={views}
      actions={
        <>
          <VisibleSets value={sets}>
            <ColumnsMenu {...menu} />
          </VisibleSets>
          {toolbar?.(view)}
        </>
      }
    />
  )
})

/** A context, so that a toggle renders one item and not the whole menu. */
const VisibleSets = createContext<readonly string[]>([])

interface ItemProps {
  readonly set: ColumnSet
  readonly isVisible: boolean
  readonly onToggle: (key: string) => void
}

const SetItem = memo(function SetItem({ set: { key, label }, isVisible, onToggle }: ItemProps) {
  return (
    <Menu.CheckboxItem checked={isVisible} onChange={() => onToggle(key)}>
      {label}
    </Menu.CheckboxItem>
  )
})

function SetItems({ all, onToggle }: Pick<MenuProps, 'all' | 'onToggle'>) {
  const visible = useContext(VisibleSets)
  return all.map((set) => (
    <SetItem key={set.key} set={set} isVisible={visible.includes(set.key)} onToggle={onToggle} />
  ))
}

const densityNames = Object.keys(densities) as Density[]

const ColumnsMenu = memo(function ColumnsMenu(props: MenuProps) {
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
      </Menu.Dropdown>
    </Menu>
  )
})
