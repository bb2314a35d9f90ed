import { can } from '@kustos/contract/permissions'
import { type WebList, websRoutes } from '@kustos/contract/webs'
import { Anchor, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { QueryState } from '../../ui/QueryState.tsx'
import { useRoute } from '../query.ts'
import { useUser } from '../session.ts'
import styles from './Dashboard.module.css'
import { figureLinks, figuresOf } from './web-figures.ts'

const names = ['webs', 'inactive', 'certificates', 'framework'] as const

/** At module scope, so that the answer is counted once and not with every render. */
const figures = ({ data }: WebList) => figuresOf(data, new Date())

/** How the inventory stands, counted from the list's own answer: whoever opens the list finds it loaded. */
export function WebFigures() {
  const { listWebs } = websRoutes
  return can(useUser(), listWebs.access) ? <Counted /> : null
}

function Counted() {
  const query = useRoute(websRoutes.listWebs, {}, { select: figures })
  return (
    <QueryState query={query} skeleton={<FigureList />}>
      {(counted) => <FigureList counted={counted} />}
    </QueryState>
  )
}

function FigureList({ counted }: { readonly counted?: ReturnType<typeof figuresOf> }) {
  const { t, i18n } = useTranslation()
  const links = figureLinks(new Date())
  return (
    <dl className={styles.figures} aria-busy={counted === undefined}>
      {names.map((name) => {
        const label = t(`dashboard.figures.${name}`)
        const number = counted?.[name].toLocaleString(i18n.language)
        const to = links[name]
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
