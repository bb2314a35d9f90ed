import { useTranslation } from 'react-i18next'
import { sentence } from '../../app/sentences.ts'

/** Where one sentence ends and the next begins: what several problems say is kept as one text. */
const between = /(?<=\.) (?=[A-Z]|https?:)/

/** Why a fact could not be learnt, in the user's language; what the catalogue does not have stays as it is. */
export function useFactProblem(): (problems: string) => string {
  const { t } = useTranslation()

  function one(problem: string): string {
    const [, unanswered] = /^It did not answer: (.+)\.$/.exec(problem) ?? []
    if (unanswered !== undefined) return t('webs.seen.problems.unanswered', { reason: sentence(unanswered) })
    const [, unresolved] = /^The name could not be looked up: (.+)\.$/.exec(problem) ?? []
    if (unresolved !== undefined) {
      const reason = `${unresolved.charAt(0).toUpperCase()}${unresolved.slice(1)}.`
      return t('webs.seen.problems.unresolved', { reason: sentence(reason) })
    }
    const [, addresses] = /^The addresses of node (\S+) could not be learned\.$/.exec(problem) ?? []
    if (addresses !== undefined) return t('webs.seen.problems.addresses', { node: addresses })
    const [, page, reason] = /^(.+?) could not be read: (.+)\.$/.exec(problem) ?? []
    if (page !== undefined && reason !== undefined)
      return t('tracking.unread', { what: sentence(page), reason: sentence(reason) })
    return ofPlesk(problem) ?? sentence(problem)
  }

  function ofPlesk(problem: string): string | undefined {
    const [, node, what] = /^Plesk on (\S+) (.+)\.$/.exec(problem) ?? []
    if (node === undefined || what === undefined) return undefined
    const [, reason] = /^cannot be reached: (.+)$/.exec(what) ?? []
    if (reason !== undefined) return t('webs.seen.problems.unreached', { node, reason: sentence(reason) })
    const said = sentence(what)
    return said === what ? undefined : t('webs.seen.problems.plesk', { node, what: said })
  }

  return (problems) => {
    const whole = one(problems)
    return whole === problems ? problems.split(between).map(one).join(' ') : whole
  }
}
