import { z } from 'zod'

const name = z.string().toLowerCase()

/** An entry of `GET /domains`. */
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

const output = z
  .string()
  .nullish()
  .transform((text) => text ?? '')

export const domains = z.array(domain)
export const server = z.object({ panel_version: z.string() })
export const status = z.object({ status: z.string() })
/** The result of a command of Plesk's command line. */
export const call = z.object({ code: z.int(), stdout: output, stderr: output })

/**
 * The XML API's objectStatus (gen_info) of REST's words. REST does not say who has suspended or disabled a domain, so it
 * counts as disabled by the administrator.
 */
const numbers: Readonly<Record<string, number>> = { active: 0, suspended: 16, disabled: 16 }

/** Returns null for an unknown word. */
export const statusNumber = (word: string): number | null => numbers[word.trim().toLowerCase()] ?? null

export const failure = z.object({ message: z.string() })
