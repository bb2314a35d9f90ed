import { waveLimits } from '@kustos/contract/batches'
import { Button, Collapse, Group, NumberInput, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wave } from './wave.ts'

const stopOf = (percent: number) =>
  percent === 0 ? 'stopAtFirst' : percent === 100 ? 'neverStop' : 'stopAbove'

interface Props {
  readonly initial: Wave
  readonly onChange: (wave: Wave) => void
}

/** Says in a sentence how a batch runs, with its two numbers behind a disclosure. */
export function WaveSettings({ initial, onChange }: Props) {
  const { t } = useTranslation()
  const [wave, setWave] = useState(initial)
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  const number = (name: keyof Wave) => ({
    label: t(`batches.wave.${name}`),
    value: wave[name],
    ...waveLimits[name],
    allowDecimal: false,
    clampBehavior: 'strict' as const,
    // What is empty keeps its value.
    onChange: (value: number | string) => {
      if (typeof value !== 'number') return
      const next = { ...wave, [name]: value }
      setWave(next)
      onChange(next)
    },
  })
  const { parallel, stop_above: percent } = wave
  return (
    <div>
      <Text c="dimmed">
        {t('batches.wave.sentence', {
          others: t('batches.wave.others', { count: parallel }),
          stop: t(`batches.wave.${stopOf(percent)}`, { percent }),
        })}
      </Text>
      <Button
        variant="subtle"
        size="compact-sm"
        px={0}
        leftSection={<Chevron size={14} />}
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setOpen(!isOpen)}
      >
        {t('batches.wave.title')}
      </Button>
      <Collapse expanded={isOpen} id={panel}>
        <Group grow align="flex-end" mt={4}>
          <NumberInput {...number('parallel')} />
          <NumberInput {...number('stop_above')} suffix=" %" />
        </Group>
      </Collapse>
    </div>
  )
}
