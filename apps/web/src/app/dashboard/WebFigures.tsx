import { can } from '@kustos/contract/permissions'
import { type WebList, websRoutes } from '@kustos/contract/webs'
import { useTranslation } from 'react-i18next'
import { QueryState } from '../../ui/QueryState.tsx'
import { useRoute } from '../query.ts'
import { useUser } from '../session.ts'
import { FigureList } from './FigureList.tsx'
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
  const { t } = useTranslation()
  const query = useRoute(websRoutes.listWebs, {}, { select: figures })
  const links = figureLinks(new Date())
  const shown = (counted?: ReturnType<typeof figuresOf>) =>
    names.map((name) => ({
      key: name,
      label: t(`dashboard.figures.${name}`),
      count: counted?.[name],
      to: links[name],
    }))
  return (
    <QueryState query={query} skeleton={<FigureList figures={shown()} />}>
      {(counted) => <FigureList figures={shown(counted)} />}
    </QueryState>
  )
}
