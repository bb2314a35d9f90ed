import type { Deployment, LogLine } from '@kustos/contract/deployment'
import { Button, Group, Skeleton, Switch, Text, Title } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload, IconFileText } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../app/api-error.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { notifyFailed } from '../../ui/notify.tsx'
import styles from './log.module.css'
import { logText, numberOf, timeOf } from './log.ts'
import { isOver } from './states.ts'
import { useLog } from './use-log.ts'

/** In pixels, as log.module.css has it. */
const lineHeight = 20

/** What the steps wrote, as it comes. */
export function LogView({ deployment }: { readonly deployment: Deployment }) {
  const { t, i18n } = useTranslation()
  const heading = useId()
  const { lines, isLoaded, error, retry } = useLog(deployment)
  const [follow, setFollow] = useState(true)
  if (error !== undefined && !(error instanceof ApiError)) throw error
  return (
    <section aria-labelledby={heading} className={styles.log}>
      <div className={styles.bar}>
        <Title order={2} id={heading}>
          {t('deployment.log.title')}
        </Title>
        <Text c="dimmed" fz="xs" className={styles.count}>
          {lines.length > 0 &&
            t('deployment.log.count', {
              count: lines.length,
              formatted: lines.length.toLocaleString(i18n.language),
            })}
        </Text>
        <Group gap="xs">
          <Switch
            size="xs"
            label={t('deployment.log.follow')}
            checked={follow}
            onChange={({ currentTarget }) => setFollow(currentTarget.checked)}
          />
          <CopyButton lines={lines} />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            disabled={lines.length === 0}
            onClick={() => save(deployment, lines)}
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
  /** The user scrolled up, to read. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new line is followed.
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
    // A window that grows moves the end up too, and stays at it.
    if (follow && isUp && scrollHeight - clientHeight - scrollTop > lineHeight) onLeaveEnd()
  }

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      onScroll={onScroll}
      role="log"
      // Its state is told; every line of a command would be too much.
      aria-live="off"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
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

/** How long the button says that it was done, in milliseconds. */
const saidFor = 2000

function CopyButton({ lines }: { readonly lines: readonly LogLine[] }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), saidFor)
    return () => clearTimeout(timer)
  }, [copied])
  async function copy() {
    try {
      await navigator.clipboard.writeText(logText(lines))
      setCopied(true)
    } catch {
      notifyFailed(t('deployment.log.copy'), t('ui.copyRefused'))
    }
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      disabled={lines.length === 0}
      onClick={() => void copy()}
    >
      {t(copied ? 'deployment.log.copied' : 'deployment.log.copy')}
    </Button>
  )
}

function save({ id, fqdn }: Deployment, lines: readonly LogLine[]) {
  const address = URL.createObjectURL(new Blob([logText(lines)], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `deployment-${id}-${fqdn}.txt`
  link.click()
  URL.revokeObjectURL(address)
}
