import { Anchor, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ApiError } from '../../platform/api-error.ts'
import { QueryState } from '../../ui/QueryState.tsx'
import styles from './Dashboard.module.css'

type Figures<Name extends string, Value> = Readonly<Record<Name, Value>>

interface Props<Name extends string> {
  readonly labels: Figures<NoInfer<Name>, string>
  /** Where each figure leads to, in the order of the figures. */
  readonly links: Figures<Name, string>
  /** Undefined while loading. */
  readonly counts?: Figures<NoInfer<Name>, number>
}

interface QueryFiguresProps<Name extends string> extends Pick<Props<Name>, 'labels' | 'links'> {
  readonly query: UseQueryResult<Figures<NoInfer<Name>, number>, ApiError>
}

/** Counts, or a skeleton of the same size. */
export function QueryFigures<Name extends string>({ query, ...figures }: QueryFiguresProps<Name>) {
  return (
    <QueryState query={query} skeleton={<FigureList {...figures} />}>
      {(counts) => <FigureList {...figures} counts={counts} />}
    </QueryState>
  )
}

export function FigureList<Name extends string>({ labels, links, counts }: Props<Name>) {
  const { i18n } = useTranslation()
  const names = Object.keys(links) as Name[]
  return (
    <dl className={styles.figures} aria-busy={counts === undefined}>
      {names.map((name) => {
        const [label, count] = [labels[name], counts?.[name].toLocaleString(i18n.language)]
        return (
          <div key={name} className={styles.figure}>
            <dt>{label}</dt>
            <dd>
              {count === undefined ? (
                <Skeleton component="span" display="block" h={20} w={40} my={5} />
              ) : (
                <Anchor
                  component={Link}
                  to={links[name]}
                  inherit
                  underline="hover"
                  aria-label={`${label}: ${count}`}
                >
                  {count}
                </Anchor>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
