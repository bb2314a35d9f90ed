import { z } from 'zod'
import { PleskError } from './plesk.ts'

/** Names are looked up and compared in this form. */
const name = z.string().toLowerCase()

/** The fields of `GET /domains` that Kustos needs; the others are ignored. */
const domain = z.object({
  id: z.int(),
  name,
  ascii_name: name.optional(),
  hosting_type: z.string().optional(),
  /** 0 for the domain that the subscription is named after. */
  base_domain_id: z.int().nullish(),
  /** Since Plesk 18.0.42. */
  aliases: z.array(z.object({ name })).optional(),
})
export type Domain = z.output<typeof domain>

const domains = z.array(domain)
const status = z.object({ status: z.string() })
const call = z.object({
  code: z.int(),
  stdout: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  stderr: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
})

export const readDomains = (node: string, answer: unknown) => read(node, domains, answer)
export const readStatus = (node: string, answer: unknown) => read(node, status, answer).status
export const readCall = (node: string, answer: unknown) => read(node, call, answer)

/**
 * Plesk's own numbers for what REST says in words (objectStatus, see the XML API's gen_info): it does not say who has
 * suspended or disabled a domain, for which the administrator stands.
 */
const numbers: Readonly<Record<string, number>> = { active: 0, suspended: 16, disabled: 16 }

/** @returns null for a word that Kustos does not know */
export const statusNumber = (word: string): number | null => numbers[word.trim().toLowerCase()] ?? null

function read<T>(node: string, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'answer'
  throw new PleskError(
    200,
    `Plesk on ${node} answered something that Kustos cannot read (${where}: ${issue?.message}).`,
  )
}

const failure = z.object({ message: z.string() })

/** Why it refuses, in its own words; '' where it says nothing that is for people. */
export function reasonIn(body: string): string {
  try {
    return shortened(failure.parse(JSON.parse(body)).message)
  } catch {
    // A page of the web server before it.
    return ''
  }
}

/** One line without its full stop, of bounded length. */
export function shortened(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '')
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
