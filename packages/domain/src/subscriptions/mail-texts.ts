import type { EvaluatedList, ListName } from '@kustos/contract/views'
import type { AlertContent } from '@kustos/database/tables'

/** How the rows of each list are called, one and many. */
const nouns: Readonly<Record<EvaluatedList, readonly [string, string]>> = {
  webs: ['web', 'webs'],
  customers: ['customer', 'customers'],
  tracking: ['web', 'webs'],
  'third-parties': ['third party', 'third parties'],
  nodes: ['node', 'nodes'],
  bitbucket: ['repository', 'repositories'],
  'all-domains': ['domain', 'domains'],
  'external-domains': ['domain', 'domains'],
  'own-domains': ['domain', 'domains'],
  emails: ['mailbox', 'mailboxes'],
  monitoring: ['web', 'webs'],
  users: ['user', 'users'],
}

interface NamedView {
  readonly list: ListName
  readonly name: string
}

/** Such as `3 webs entered “Past end of life”`. */
export function countEntered({ list, name }: NamedView, count: number): string {
  const [one, many] = nouns[list as EvaluatedList]
  return `${count.toLocaleString('en')} ${count === 1 ? one : many} entered “${name}”`
}

const maxNames = 20

export function describeEntered(
  view: NamedView,
  entered: readonly { readonly name: string }[],
): Omit<AlertContent, 'url'> {
  const names = entered.slice(0, maxNames).map(({ name }) => name)
  const rest = entered.length - names.length
  return {
    title: countEntered(view, entered.length),
    lines: rest > 0 ? [...names, `and ${rest.toLocaleString('en')} more`] : names,
  }
}
