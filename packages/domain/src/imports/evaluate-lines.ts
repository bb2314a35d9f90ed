import { englishText } from '@kustos/contract/messages/english'
import { asciiFqdn } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { categories, customers, nodes, tags } from '@kustos/database/tables'
import { difference } from '../platform/audit.ts'
import type { ReadLine } from '../platform/csv-import.ts'
import { type ReadCode, readMergedCodes, readNewCode } from '../platform/merged-codes.ts'
import { asRule, readTags, ruleColumns } from '../tags/index.ts'
import type { WebLine } from './web-line.ts'
import { type ExistingWeb, newWebState, readStates, type WebState } from './web-state.ts'

/** The outcome of a line, and what has to be written for it. */
export type Evaluation =
  | { readonly outcome: 'invalid'; readonly message: string }
  | { readonly outcome: 'unchanged' }
  | {
      readonly outcome: 'added'
      readonly ascii: string
      readonly node: string | null
      readonly state: WebState
    }
  | {
      readonly outcome: 'changed'
      readonly entry: WebLine
      readonly existing: ExistingWeb
      readonly state: WebState
    }

export type Inventory = Awaited<ReturnType<typeof readInventory>>

/** The webs that are not deleted by ASCII FQDN, the ids of nodes by name, the categories by name in lower case, all tags, and the codes of customers. */
export async function readInventory(db: Transaction) {
  const nodeRows = await db.select({ id: nodes.id, name: nodes.name }).from(nodes)
  const categoryRows = await db.select({ id: categories.id, name: categories.name }).from(categories)
  const tagRows = await db.select(ruleColumns).from(tags)
  const webs = await readStates(db)
  return {
    webs: new Map(webs.map((web) => [web.fqdn_ascii, web])),
    nodes: new Map(nodeRows.map(({ id, name }) => [name, id])),
    categories: new Map(categoryRows.map((category) => [category.name.toLowerCase(), category])),
    tags: tagRows.map(asRule),
    codes: new Set((await db.select({ code: customers.code }).from(customers)).map(({ code }) => code)),
    mergedCodes: await readMergedCodes(db),
  }
}

export function evaluateLine(known: Inventory, line: ReadLine<WebLine>): Evaluation {
  if ('message' in line) return invalid(line.message)
  const ascii = asciiFqdn(line.entry.fqdn) ?? line.entry.fqdn
  return evaluateEntry(known, line.entry, known.webs.get(ascii), ascii)
}

/** @param existing the web of that name, if any */
export function evaluateEntry(
  known: Inventory,
  entry: WebLine,
  existing: ExistingWeb | undefined,
  ascii: string,
): Evaluation {
  const { node } = entry
  if (node != null && existing !== undefined && existing.node !== node) {
    return invalid(`node: The web is on ${existing.node ?? 'no node'}, and the node of a web cannot change.`)
  }
  if (node != null && !known.nodes.has(node)) return invalid(`node: There is no node '${node}'.`)
  const named = entry.categories === undefined ? undefined : readCategories(known, entry.categories)
  if (typeof named === 'string') return invalid(`categories: There is no category '${named}'.`)
  const read = entry.tags && readTags(known.tags, entry.tags)
  if (read && 'error' in read) return invalid(`tags: ${englishText(read.error)}.`)
  const customer = readCustomer(known, entry.customer)
  if ('refusal' in customer) return invalid(`customer: ${englishText(customer.refusal)}.`)
  const line = { ...entry, customer: customer.code, tags: read?.tags, categories: named }
  const state = stateOf(line, existing?.state ?? newWebState)
  if (existing === undefined) return { outcome: 'added', ascii, node: node ?? null, state }
  if (difference(existing.state, state) === null) return { outcome: 'unchanged' }
  return { outcome: 'changed', entry, existing, state }
}

const invalid = (message: string) => ({ outcome: 'invalid', message }) as const

function readCustomer({ codes, mergedCodes }: Inventory, given: string): ReadCode {
  const follow = (code: string) => mergedCodes.get(code) ?? code
  const followed = follow(given)
  const read = codes.has(followed) ? { code: followed } : readNewCode(followed)
  return 'code' in read ? { code: follow(read.code) } : read
}

/**
 * Reads the names of categories, which are separated by commas, semicolons or line breaks. They may have such signs themselves, so of
 * several the longest name counts.
 * @returns the names in order; or the one that no category has
 */
function readCategories({ categories }: Inventory, text: string): readonly string[] | string {
  // Names and, between them, their separators.
  const parts = text.split(/([,;\n])/)
  const names = new Set<string>()
  for (let at = 0; at < parts.length; at += 2) {
    const [first = ''] = parts.slice(at)
    if (first.trim() === '') continue
    let end = parts.length
    const find = () => categories.get(parts.slice(at, end).join('').trim().toLowerCase())
    while (end > at + 1 && find() === undefined) end -= 2
    const found = find()
    if (found === undefined) return first.trim()
    names.add(found.name)
    at = end - 1
  }
  return [...names].sort()
}

type ReadLineOfWeb = Omit<WebLine, 'categories'> & { readonly categories: readonly string[] | undefined }

/** The web with the values of the line. Fields that the line lacks stay unchanged. */
function stateOf(line: ReadLineOfWeb, before: WebState | typeof newWebState): WebState {
  const { node: _, ...fields } = line
  const provided = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return {
    ...before,
    ...provided,
    fqdn: fields.fqdn,
    customer: fields.customer,
    configured_ip: fields.configured_ip,
  }
}
