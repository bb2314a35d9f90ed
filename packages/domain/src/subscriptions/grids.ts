import { repositoryColumns } from '@kustos/contract/bitbucket'
import { customerColumns } from '@kustos/contract/customers'
import { type ExternalDomain, externalDomainColumns } from '@kustos/contract/external-domains'
import type { Cell, ColumnDefinition, GridDefinition, GridLabels, GridLanguage } from '@kustos/contract/grid'
import { allDomainColumns, anyDomainKey, emailColumns, ownDomainColumns } from '@kustos/contract/limitis'
import { monitoredWebColumns } from '@kustos/contract/monitoring'
import { nodeColumns } from '@kustos/contract/nodes'
import { thirdPartyColumns } from '@kustos/contract/third-parties'
import { userColumns } from '@kustos/contract/users'
import { type EvaluatedList, hasSearch } from '@kustos/contract/views'
import { isListed, listServices, trackingColumnsAt, type Web, webColumns } from '@kustos/contract/webs'
import { labels as en } from '@kustos/contract/webs/labels'
import de from '@kustos/contract/webs/labels.de.json' with { type: 'json' }
import { createRowSelection } from '../platform/grid-rows.ts'
import { type ServicesByWeb, withoutConsentIn } from '../platform/services-without-consent.ts'
import { storedText } from '../platform/stored-text.ts'

/** What the rows of some lists depend on. */
export interface GridScope {
  readonly internalMarker: string
  readonly now: Date
  /** Only for the tracking list. */
  readonly withoutConsent?: ServicesByWeb
}

export interface Member {
  readonly key: string
  readonly name: string
}

interface Source<Row> {
  readonly definition: (scope: GridScope) => GridDefinition<Row>
  readonly keyOf: (row: Row) => string
  /** What the screen shows in the user's language, by column. */
  readonly texts?: Readonly<Record<string, (row: Row, language: GridLanguage, scope: GridScope) => Cell>>
  /** Rows that the screen leaves out. */
  readonly keeps?: (row: Row, scope: GridScope) => boolean
}

type Query = readonly (readonly [string, string])[]

/** A list that can be filtered, whatever its rows are. */
interface EvaluatedGrid {
  hasColumn(key: string, scope: GridScope): boolean
  isTranslated(column: string): boolean
  /** @param rows as `readRows` of the same list has them */
  open(rows: readonly unknown[], scope: GridScope, labels: Labels): (query: Query) => Member[]
}

type Labels = readonly [labels: GridLabels, language: GridLanguage]

function evaluatedGrid<Row>({
  definition,
  keyOf,
  texts = {},
  keeps = () => true,
}: Source<Row>): EvaluatedGrid {
  return {
    hasColumn: (key, scope) => definition(scope).columns.some((column) => column.key === key),
    isTranslated: (column) => Object.hasOwn(texts, column),
    open(rows, scope, labels) {
      const [, language] = labels
      const { columns, ...rest } = definition(scope)
      const translate = (column: ColumnDefinition<Row>): ColumnDefinition<Row> => {
        const text = texts[column.key]
        return text ? { ...column, value: (row) => text(row, language, scope) } : column
      }
      const grid = { ...rest, columns: columns.map(translate) }
      const listed = (rows as readonly Row[]).filter((row) => keeps(row, scope))
      const select = createRowSelection(grid, ...labels, listed)
      const naming = grid.columns.find(({ key }) => key === grid.primaryColumns?.[0])
      const toMember = (row: Row) => ({ key: keyOf(row), name: String(naming?.value(row) ?? keyOf(row)) })
      // Third parties whose category differs from web to web have several rows.
      return (query) => uniqueByKey(select(query).rows.map(toMember))
    },
  }
}

const uniqueByKey = (members: readonly Member[]): Member[] => [
  ...new Map(members.map((member) => [member.key, member])).values(),
]

const byId = ({ id }: { readonly id: number }) => String(id)

type CheckedDomain = Pick<ExternalDomain, 'check_error' | 'check_error_code' | 'check_error_params'>

const domainTexts = {
  check_error: (
    { check_error: sentence, check_error_code: code, check_error_params: params }: CheckedDomain,
    language: GridLanguage,
  ) =>
    sentence && storedText(sentence, code === null ? null : { code, params: params ?? undefined }, language),
}

const grids: Readonly<Record<EvaluatedList, EvaluatedGrid>> = {
  webs: evaluatedGrid({ definition: () => webColumns, keyOf: byId }),
  customers: evaluatedGrid({ definition: () => customerColumns, keyOf: byId }),
  tracking: evaluatedGrid<Web>({
    definition: ({ now }) => trackingColumnsAt(Math.floor(now.getTime() / 1000)),
    keyOf: byId,
    texts: {
      before_consent: (web, language, { withoutConsent }) =>
        listServices(web, withoutConsentIn(language, withoutConsent)),
    },
    keeps: (web, { internalMarker }) => isListed(web, internalMarker),
  }),
  'third-parties': evaluatedGrid({
    definition: () => thirdPartyColumns,
    keyOf: ({ host, entity }) => `${host} ${entity}`,
  }),
  nodes: evaluatedGrid({ definition: () => nodeColumns, keyOf: byId }),
  bitbucket: evaluatedGrid({ definition: () => repositoryColumns, keyOf: ({ name }) => name }),
  'all-domains': evaluatedGrid({
    definition: () => allDomainColumns,
    keyOf: anyDomainKey,
    texts: domainTexts,
  }),
  'external-domains': evaluatedGrid({
    definition: () => externalDomainColumns,
    keyOf: byId,
    texts: domainTexts,
  }),
  'own-domains': evaluatedGrid({ definition: () => ownDomainColumns, keyOf: byId, texts: domainTexts }),
  emails: evaluatedGrid({ definition: () => emailColumns, keyOf: byId }),
  monitoring: evaluatedGrid({ definition: () => monitoredWebColumns, keyOf: byId }),
  users: evaluatedGrid({ definition: () => userColumns, keyOf: byId }),
}

/** Labels that searches find. Of the other lists the console alone has them, and views with a search are not evaluated. */
const labels: Readonly<Record<GridLanguage, { readonly [List in EvaluatedList]?: GridLabels }>> = { en, de }

/** @returns a function of a view's query, in this language */
export const openGrid = (
  list: EvaluatedList,
  rows: readonly unknown[],
  scope: GridScope,
  language: GridLanguage,
): ((query: Query) => Member[]) =>
  grids[list].open(rows, scope, [labels[language][list] ?? { columns: {} }, language])

/** Whether the rows of a view depend on the follower's language: on labels that are searched, or on sentences that are filtered. */
export const dependsOnLanguage = (list: EvaluatedList, query: Query): boolean =>
  hasSearch(query) || query.some(([key]) => key.startsWith('f.') && grids[list].isTranslated(key.slice(2)))

/** Whether the list lacks a column that the view filters by, and so would show more rows. */
export const lacksFilteredColumn = (list: EvaluatedList, query: string, scope: GridScope): boolean =>
  [...new URLSearchParams(query).keys()].some(
    (key) => key.startsWith('f.') && !grids[list].hasColumn(key.slice(2), scope),
  )
