import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import shipped from './dns.json' with { type: 'json' }

/** IANA's registry of RDAP servers (RFC 9224), as far as it is used. */
const bootstrapFile = z.object({
  services: z.array(z.tuple([z.array(z.string().min(1)), z.array(z.url({ protocol: /^https?$/ })).min(1)])),
})

/** Returns the base URL, with a final slash, of the server for a domain; null if none is known. */
export type RdapBootstrap = (domain: string) => URL | null

/** @throws Error with a sentence for the operator if the file of RDAP_BOOTSTRAP_FILE cannot be used */
export async function readBootstrap(file: string | undefined): Promise<RdapBootstrap> {
  if (file === undefined) return createBootstrap(shipped)
  try {
    return createBootstrap(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`RDAP_BOOTSTRAP_FILE cannot be used: ${file} is not a bootstrap file (${reason}).`, {
      cause,
    })
  }
}

/** @throws ZodError if the content is not a bootstrap file */
export function createBootstrap(content: unknown): RdapBootstrap {
  const bases = new Map<string, URL>()
  for (const [suffixes, urls] of bootstrapFile.parse(content).services) {
    const preferred = urls.find((url) => url.startsWith('https:')) ?? urls[0]
    if (preferred === undefined) continue
    const base = new URL(preferred.endsWith('/') ? preferred : `${preferred}/`)
    for (const suffix of suffixes) bases.set(suffix.toLowerCase(), base)
  }
  return (domain) => {
    const labels = domain.toLowerCase().split('.')
    // The longest matching suffix counts.
    for (let from = 0; from < labels.length; from++) {
      const base = bases.get(labels.slice(from).join('.'))
      if (base !== undefined) return base
    }
    return null
  }
}
