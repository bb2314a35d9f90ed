import type { Probed } from '@kustos/clients/probe'
import type { Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'

/** What a probe has seen of a web's own certificate; without a fingerprint browsers refuse it. */
export interface SeenCertificate {
  readonly fingerprint: string | null
}

/** @returns null if the probe has seen no certificate */
export function readSeenCertificate({ certificate, reason }: Probed): SeenCertificate | null {
  if (certificate !== null) return { fingerprint: certificate.fingerprint }
  return reason?.code.startsWith('certificate_') ? { fingerprint: null } : null
}

/** Lets all names of a web be checked at once if probes have seen another certificate than the last check did. */
export async function checkReplacedCertificates(
  tx: Transaction,
  seen: ReadonlyMap<number, SeenCertificate>,
): Promise<void> {
  if (seen.size === 0) return
  await tx.execute(sql`
    update certificate_checks checks set due_at = '-infinity'
    from unnest(
      ${sql.param([...seen.keys()])}::int[],
      ${sql.param([...seen.values()].map(({ fingerprint }) => fingerprint))}::text[]
    ) as seen (web_id, fingerprint)
    join web_certificates known on known.web_id = seen.web_id and known.kind = 'main'
    where checks.web_id = seen.web_id and checks.due_at > '-infinity'
      and case when seen.fingerprint is null then known.state = 'valid' else known.fingerprint is distinct from seen.fingerprint end`)
}
