import type { Deployment, LogLine } from '@kustos/contract/deployment'
import { Button, Group, Skeleton, Switch, Text, Title } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconDownload, IconFileText } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOver } from '../../entities/deployment/states.ts'
import { ApiError } from '../../platform/api-error.ts'
import { saveFile } from '../../platform/download.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { notifyFailed } from '../../ui/notify.tsx'
import styles from './log.module.css'
import { logText, numberOf, timeOf } from './log.ts'
import { useLog } from './use-log.ts'

/** Must match log.module.css. */
const lineHeight = 20

export function LogView({ deployment }: { readonly deployment: Deployment }) {
  const { t } = useTranslation()
  const heading = useId()
  const { lines, isLoaded, error, retry } = useLog(deployment)
  const [follow, setFollow] = useState(true)
  if (error !== undefined && !(error instanceof ApiError)) throw error
  // The end of a deployment can arrive before its last lines.
  const isLoading =
    isOver(deployment.state) && error === undefined && (lines.at(-1)?.number ?? 0) < deployment.last_line
  const canExport = lines.length > 0 && !isLoading
  return (
    <section aria-labelledby={heading} className={styles.log}>
      <div className={styles.bar}>
        <Title order={2} id={heading}>
          {t('deployment.log.title')}
        </Title>
        <Text c="dimmed" fz="xs" className={styles.count}>
          {lines.length > 0 && t('deployment.log.count', { count: lines.length })}
        </Text>
        <Group gap="xs">
          <Switch
            size="xs"
            label={t('deployment.log.follow')}
            checked={follow}
            onChange={({ currentTarget }) => setFollow(currentTarget.checked)}
          />
          <CopyButton lines={lines} disabled={!canExport} />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            disabled={!canExport}
            onClick={() => {
              const file = new Blob([logText(lines)], { type: 'text/plain;charset=utf-8' })
              saveFile(file, `deployment-${deployment.id}-${deployment.fqdn}.txt`)
            }}
          >
            {t('deployment.log.download')}
          </Button>
        </Group>
      </div>
      {error !== undefined && <Failure error={error} onRetry={retry} retrying={false} stale={isLoaded} />}
      {lines.length > 0 && (
        <Lines
          lines={lines}
          follow={follow}
          onLeaveEnd={() => setFollow(false)}
          label={t('deployment.log.title')}
        />
      )}
      {lines.length === 0 && isLoaded && (
        <EmptyState
          icon={IconFileText}
          title={t(isOver(deployment.state) ? 'deployment.log.empty' : 'deployment.log.emptyYet')}
          {...(!isOver(deployment.state) && { hint: t('deployment.log.emptyHint') })}
        />
      )}
      {!isLoaded && error === undefined && <Skeleton className={styles.skeleton} />}
    </section>
  )
}

interface LinesProps {
  readonly lines: readonly LogLine[]
  readonly follow: boolean
  readonly onLeaveEnd: () => void
  readonly label: string
}

function Lines({ lines, follow, onLeaveEnd, label }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const lastTop = useRef(0)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every new line.
  useEffect(() => {
    const element = scroller.current
    if (follow && element !== null) element.scrollTop = element.scrollHeight
  }, [follow, lines])

  function onScroll() {
    const element = scroller.current
    if (element === null) return
    const { scrollTop, scrollHeight, clientHeight } = element
    const isUp = scrollTop < lastTop.current
    lastTop.current = scrollTop
    // A taller window scrolls up, too, but stays at the end.
    if (follow && isUp && scrollHeight - clientHeight - scrollTop > lineHeight) onLeaveEnd()
  }

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      onScroll={onScroll}
      role="log"
      // The state is announced instead; announcing every line would be too much.
      aria-live="off"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
      tabIndex={0}
    >
      <div className={styles.lines} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]
          return line && <Line key={line.number} line={line} top={start} />
        })}
      </div>
    </div>
  )
}

const Line = memo(function Line({ line, top }: { readonly line: LogLine; readonly top: number }) {
  const { t } = useTranslation()
  const mark = line.source === 'out' ? '' : t(`deployment.log.sources.${line.source}`)
  return (
    <div className={styles.line} data-source={line.source} style={{ transform: `translateY(${top}px)` }}>
      <span className={styles.number}>{numberOf(line)}</span>
      <span className={styles.time}>{timeOf(line)}</span>
      <span className={styles.mark}>{mark}</span>
      <span className={styles.text}>{line.text}</span>
    </div>
  )
})

function CopyButton({ lines, disabled }: { readonly lines: readonly LogLine[]; readonly disabled: boolean }) {
  const { t } = useTranslation()
  const { copied, copy, error } = useClipboard()
  useEffect(() => {
    if (error !== null) notifyFailed(t('deployment.log.copy'), t('ui.copyRefused'))
  }, [error, t])
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      disabled={disabled}
      onClick={() => copy(logText(lines))}
    >
      {t(copied ? 'deployment.log.copied' : 'deployment.log.copy')}
    </Button>
  )
}
