import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import type { GridLanguage } from '@kustos/contract/grid'
import type { EvaluatedList } from '@kustos/contract/views'
import { receiveRows } from '../platform/grid-rows.ts'
import { type GridScope, type Member, openGrid } from './grids.ts'

export interface EvaluatedQuery {
  readonly query: string
  readonly language: GridLanguage
  /** Of the rows that are known already. */
  readonly digest: string | null
}

/** The data of the thread. It then receives the rows in chunks (`readRows`), and null after the last one. */
export interface EvaluationTask extends GridScope {
  readonly list: EvaluatedList
  readonly queries: readonly EvaluatedQuery[]
}

/** The rows that match a query; `members` is null if they are those of the known digest. */
export interface Evaluation {
  readonly digest: string
  readonly members: readonly Member[] | null
}

/** The thread begins with the next query, or has its result. */
export type EvaluationMessage = 'selecting' | Evaluation

if (parentPort === null) throw new Error('This runs as a thread')
const { list, queries, ...scope }: EvaluationTask = workerData
const rows = await receiveRows<unknown>(parentPort)
/** One for each language, since a grid reads each column once for all views. */
const opened = new Map<GridLanguage, ReturnType<typeof openGrid>>()

for (const { query, language, digest: known } of queries) {
  parentPort.postMessage('selecting' satisfies EvaluationMessage)
  const select = opened.get(language) ?? openGrid(list, rows, scope, language)
  opened.set(language, select)
  const members = select([...new URLSearchParams(query)])
  const digest = createHash('sha256')
    .update(JSON.stringify(members.map(({ key }) => key).sort()))
    .digest('base64url')
  const evaluation: Evaluation = { digest, members: digest === known ? null : members }
  parentPort.postMessage(evaluation)
}
