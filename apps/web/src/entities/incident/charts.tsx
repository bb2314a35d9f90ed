import '@mantine/charts/styles.css'
import { LineChart, type LineChartSeries } from '@mantine/charts'
import { Paper, Text } from '@mantine/core'
import { type ComponentProps, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DotItemDotProps } from 'recharts'
import { axisFor, roundTicks } from './axis.ts'
import { chartHeight } from './chart-height.ts'
import { dateText, dayLines } from './day-text.ts'
import type { WindowDay } from './days.ts'

const lineColor = 'teal'

interface Props {
  readonly days: readonly WindowDay[]
}

/** An unknown value is null, which leaves a gap in the chart; it is not zero. */
const pointsOf = (days: readonly WindowDay[]) =>
  days.map(({ date, known }) => ({
    date,
    day: known,
    downtime: known === null || known.uptime === null ? null : known.downtime,
    planned: known === null || known.uptime === null ? null : known.planned,
    median: known?.response_time_ms ?? null,
    p95: known?.response_time_p95_ms ?? null,
  }))
type Point = ReturnType<typeof pointsOf>[number]

export function DowntimeChart({ days }: Props) {
  const { t } = useTranslation()
  const points = useMemo(() => pointsOf(days), [days])
  const { unit, size, ticks } = axisFor(Math.max(0, ...points.map(({ downtime }) => downtime ?? 0)))
  const hasPlanned = points.some((point) => point.planned)
  const downtime = { name: 'downtime', label: t('monitoring.uptime.day.downtime'), color: lineColor }
  const planned = {
    name: 'planned',
    label: t('monitoring.uptime.day.planned'),
    color: 'gray.6',
    strokeDasharray: '4 3',
  }
  const unitName = t(unit === 'h' ? 'monitoring.uptime.chart.hours' : 'monitoring.uptime.chart.minutes')
  return (
    <DayChart
      points={points}
      label={t('monitoring.uptime.chart.title')}
      withLegend={hasPlanned}
      series={hasPlanned ? [downtime, planned] : [downtime]}
      yAxisLabel={unitName}
      ticks={ticks}
      unitSize={size}
    />
  )
}

export interface ResponseProps extends Props {
  readonly height?: number
  /** Shows the median only. */
  readonly brief?: boolean
}

export function ResponseChart({ days, height = chartHeight, brief = false }: ResponseProps) {
  const { t } = useTranslation()
  const points = useMemo(() => pointsOf(days), [days])
  const ticks = roundTicks(
    Math.max(0, ...points.map((point) => Math.max(point.median ?? 0, brief ? 0 : (point.p95 ?? 0)))),
  )
  const median = { name: 'median', label: t('monitoring.uptime.response.median'), color: lineColor }
  const p95 = {
    name: 'p95',
    label: t('monitoring.uptime.response.p95'),
    color: 'gray.6',
    strokeDasharray: '4 3',
  }
  return (
    <DayChart
      points={points}
      label={t('monitoring.uptime.response.title')}
      h={height}
      withLegend={!brief}
      series={brief ? [median] : [median, p95]}
      yAxisLabel="ms"
      ticks={ticks}
    />
  )
}

/** Marks a known day between unknown ones, which has no line. */
function loneDot(points: readonly Point[], series: string) {
  const isKnown = (index: number) => typeof Reflect.get(points[index] ?? {}, series) === 'number'
  return ({ cx, cy, index, stroke }: DotItemDotProps) =>
    isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1) ? (
      <circle key={index} cx={cx} cy={cy} r={2} fill={stroke} />
    ) : null
}

type ChartProps = ComponentProps<typeof LineChart>

interface DayChartProps extends Pick<ChartProps, 'h' | 'withLegend' | 'yAxisLabel'> {
  readonly points: Point[]
  readonly label: string
  readonly series: LineChartSeries[]
  readonly ticks: readonly number[]
  /** The divisor of the ticks' labels. */
  readonly unitSize?: number
}

function DayChart({ points, label, series, ticks, unitSize = 1, ...more }: DayChartProps) {
  const { t, i18n } = useTranslation()
  const name = `${label}. ${t('monitoring.uptime.chart.hint')}`
  // Recharts only supports a title, which browsers show as a tooltip over the whole chart.
  const nameIt = useCallback((svg: SVGSVGElement | null) => svg?.setAttribute('aria-label', name), [name])
  const date = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return (
    <figure style={{ margin: 0 }}>
      <LineChart
        h={chartHeight}
        data={points}
        dataKey="date"
        series={series}
        curveType="linear"
        strokeWidth={1.5}
        connectNulls={false}
        gridAxis="x"
        tickLine="none"
        lineProps={({ name }) => ({ dot: loneDot(points, name) })}
        activeDotProps={{ r: 4 }}
        xAxisProps={{ tickFormatter: (day: string) => date.format(Date.parse(day)), minTickGap: 48 }}
        yAxisProps={{
          width: 56,
          ticks: [...ticks],
          domain: [0, ticks.at(-1) ?? 0],
          tickFormatter: (value: number) => (value / unitSize).toLocaleString(i18n.language),
        }}
        tooltipProps={{
          // Days without data have a tooltip, too.
          filterNull: false,
          content: ({ payload }) => {
            const point: Point | undefined = payload?.[0]?.payload
            return point && <DayTip lines={dayLines(point.day, t, i18n.language)} date={point.date} />
          },
        }}
        lineChartProps={{ ref: nameIt }}
        {...more}
      />
    </figure>
  )
}

function DayTip({ date, lines }: { readonly date: string; readonly lines: readonly string[] }) {
  return (
    <Paper withBorder shadow="sm" px="sm" py="xs">
      <Text fw={600} fz="xs">
        {dateText(date)}
      </Text>
      {lines.map((line) => (
        <Text key={line} fz="xs">
          {line}
        </Text>
      ))}
    </Paper>
  )
}
