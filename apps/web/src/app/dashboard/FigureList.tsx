import { Anchor, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ApiError } from '../../platform/api-error.ts'
import { QueryState } from '../../ui/QueryState.tsx'
import styles from './Dashboard.module.css'

interface Figure<Name> {
  readonly name: Name
  readonly label: string
  readonly to: string
}

interface QueryFiguresProps<Name extends string> {
  readonly query: UseQueryResult<Readonly<Record<Name, number>>, ApiError>
  readonly figures: readonly Figure<Name>[]
}

/** Counts, or a skeleton of the same size. */
export function QueryFigures<Name extends string>({ query, figures }: QueryFiguresProps<Name>) {
  return (
    <QueryState query={query} skeleton={<FigureList figures={figures} />}>
      {(counts) => <FigureList figures={figures} counts={counts} />}
    </QueryState>
  )
}

interface Props<Name extends string> {
  readonly figures: readonly Figure<Name>[]
  /** Undefined while loading. */
  readonly counts?: Readonly<Record<Name, number>>
}

export function FigureList<Name extends string>({ figures, counts }: Props<Name>) {
  const { i18n } = useTranslation()
  return (
    <dl className={styles.figures} aria-busy={counts === undefined}>
      {figures.map(({ name, label, to }) => {
        const number = counts?.[name].toLocaleString(i18n.language)
        return (
          <div key={name} className={styles.figure}>
            <dt>{label}</dt>
            <dd>
              {number === undefined && <Skeleton component="span" display="block" h={20} w={40} my={5} />}
              {number !== undefined && (
                <Anchor component={Link} to={to} inherit underline="hover" aria-label={`${label}: ${number}`}>
                  {number}
                </Anchor>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
