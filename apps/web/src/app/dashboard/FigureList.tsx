import { Anchor, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import styles from './Dashboard.module.css'

interface Figure {
  readonly key: string
  readonly label: string
  /** Undefined until it is known. */
  readonly count: number | undefined
  /** The list behind it. */
  readonly to: string
}

/** Numbers of an area, each leading to what was counted. */
export function FigureList({ figures }: { readonly figures: readonly Figure[] }) {
  const { i18n } = useTranslation()
  return (
    <dl className={styles.figures} aria-busy={figures.some(({ count }) => count === undefined)}>
      {figures.map(({ key, label, count, to }) => {
        const number = count?.toLocaleString(i18n.language)
        return (
          <div key={key} className={styles.figure}>
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
