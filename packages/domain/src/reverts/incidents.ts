import { linkedDeployment, postMortem } from '@kustos/contract/incidents'
import {
  findDeploymentInTransaction,
  linkDeploymentInTransaction,
  lockReport,
  writePostMortemInTransaction,
} from '../incidents/index.ts'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { type LoggedChange, parseLogged, rejectOutdatedRevert } from '../platform/logged-change.ts'
import { rejectUnlessLast } from './reject-unless-last.ts'

const subjectOf = (id: number) => ({ type: 'incident', id })

/** The text before the first one is empty. */
export const revertPostMortem = (context: Context, id: number, made: LoggedChange): Promise<void> =>
  withAudit(context, async (tx) => {
    const report = await lockReport(tx, id)
    await rejectOutdatedRevert(tx, subjectOf(id), report, made, ['post-mortem written'])
    const text = made.old.post_mortem ?? ''
    await writePostMortemInTransaction(tx, id, parseLogged(postMortem, { text }))
  })

const links = ['deployment linked', 'deployment unlinked'] as const

export const revertLinkedDeployment = (context: Context, id: number, made: LoggedChange): Promise<void> =>
  withAudit(context, async (tx) => {
    await lockReport(tx, id)
    await rejectUnlessLast(tx, subjectOf(id), made, links, 'deployment')
    if ('deployment' in made.old)
      await linkDeploymentInTransaction(tx, id, parseLogged(linkedDeployment, made.old))
    // Nobody had chosen one.
    else await findDeploymentInTransaction(tx, id)
  })
