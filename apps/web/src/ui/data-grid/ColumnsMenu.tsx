import type { ColumnSet } from '@kustos/contract/grid'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconColumns3, IconRestore } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Density, densities } from './use-layout.ts'

interface Props {
  readonly all: readonly ColumnSet[]
  readonly sets: readonly string[]
  readonly onToggle: (key: string) => void
  readonly density: Density
  readonly onDensity: (density: Density) => void
  /** Undefined where widths and order are the contract's. */
  readonly onRestore: (() => void) | undefined
}

const names = Object.keys(densities) as Density[]

/** Which columns show, and how the grid looks. */
export function ColumnsMenu({ all, sets, onToggle, density, onDensity, onRestore }: Props) {
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
            {all.map(({ key, label }) => (
              <Menu.CheckboxItem key={key} checked={sets.includes(key)} onChange={() => onToggle(key)}>
                {label}
              </Menu.CheckboxItem>
            ))}
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
}
