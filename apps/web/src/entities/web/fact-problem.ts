import type { TFunction } from 'i18next'
import { sentence } from '../../platform/sentences.ts'
import { problemText } from '../inspection/problem-text.ts'

/** What several problems say is kept as one text: where one ends and the next begins, as problems do. */
const between = /(?<=\.) (?=Plesk on |It |The |https?:)/

/** What Plesk says of a domain after "does not tell", as the client names it. */
const parts = /^does not tell (.+?)(?: of (\S+?))?(?:: (.+))?$/

/** Why a fact could not be learnt, in the user's language; what the catalogue does not have stays as it is. */
export const factProblem = (t: TFunction, problems: string): string =>
  problems
    .split(between)
    .map((problem) => one(t, problem))
    .join(' ')

function one(t: TFunction, problem: string): string {
  const [, unanswered] = /^It did not answer: (.+)\.$/.exec(problem) ?? []
  if (unanswered !== undefined) return t('webs.seen.problems.unanswered', { reason: sentence(unanswered) })
  const [, unresolved] = /^The name could not be looked up: (.+)\.$/.exec(problem) ?? []
  if (unresolved !== undefined) {
    const reason = `${unresolved.charAt(0).toUpperCase()}${unresolved.slice(1)}.`
    return t('webs.seen.problems.unresolved', { reason: sentence(reason) })
  }
  const [, addresses] = /^The addresses of node (\S+) could not be learned\.$/.exec(problem) ?? []
  if (addresses !== undefined) return t('webs.seen.problems.addresses', { node: addresses })
  return ofPlesk(t, problem) ?? problemText(t, problem)
}

/** What a panel says in its own words stays in them. */
function ofPlesk(t: TFunction, problem: string): string | undefined {
  const [, node, what] = /^Plesk on (\S+) (.+)\.$/s.exec(problem) ?? []
  if (node === undefined || what === undefined) return undefined
  const [, reason] = /^cannot be reached: (.+)$/s.exec(what) ?? []
  if (reason !== undefined) return t('webs.seen.problems.unreached', { node, reason: sentence(reason) })
  const [, refusal] = /^refuses to answer: (.+)$/s.exec(what) ?? []
  if (refusal !== undefined) return t('webs.seen.problems.refused', { node, reason: refusal })
  const [, odd] = /^answered something that Kustos cannot read (\(.+\))$/s.exec(what) ?? []
  if (odd !== undefined) return t('webs.seen.problems.unreadable', { node, where: odd })
  const [, word, named] = /^says "(.+)" of (\S+), which is no status that Kustos knows$/s.exec(what) ?? []
  if (word !== undefined && named !== undefined)
    return t('webs.seen.problems.status', { node, word, fqdn: named })
  const [, part, fqdn, because] = parts.exec(what) ?? []
  if (part !== undefined) {
    const told = { node, part: sentence(part) }
    const untold =
      fqdn === undefined
        ? t('webs.seen.problems.untold', told)
        : t('webs.seen.problems.untoldOf', { ...told, fqdn })
    return because === undefined ? untold : untold.replace(/\.$/, `: ${sentence(because)}.`)
  }
  const said = sentence(what)
  return said === what ? undefined : t('webs.seen.problems.plesk', { node, what: said })
}
