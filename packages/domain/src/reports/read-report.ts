import type { Queues } from '@kustos/clients/queue'
import type { ReportFormat, ReportQuery } from '@kustos/contract/reports'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { dayAt } from '../platform/local-time.ts'
import { requestPdf } from './print-report.ts'
import { readReportSource } from './read-record.ts'
import { renderReport } from './render/report.ts'
import type { ReportSigner, SignedFormat } from './signature.ts'

export interface ReportTools {
  readonly queues: Pick<Queues, 'add'>
  /** Null if no key is configured. */
  readonly signer: ReportSigner | null
}

export interface ReportFile {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

const types: Readonly<Record<ReportFormat, string>> = {
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
}

/**
 * The report of a tracking audit, signed if there is a key. The log notes it.
 * @param signal aborted when the client has gone
 * @throws the errors of `readReportSource` and `requestPdf`; the signal's reason
 */
export async function readReport(
  context: Context,
  { queues, signer }: ReportTools,
  inspection: number,
  { format, language }: ReportQuery,
  signal: AbortSignal,
): Promise<ReportFile> {
  const source = await readReportSource(context, inspection)
  const { record, hash, content } = source.own
  const signed = (document: Buffer, as: SignedFormat) => signer?.sign(document, hash, as) ?? document
  const render = () => renderReport(source, language, signer?.keyId ?? null)
  const make = {
    json: () => Buffer.from(content),
    html: () => signed(Buffer.from(render()), 'html'),
    pdf: async () => signed(await requestPdf(context, queues, render(), signal), 'pdf'),
  }
  const bytes = await make[format]()
  await withAudit(context, (tx) =>
    tx.record({
      log: 'tracking',
      description: 'exported',
      subject: { type: 'web', id: record.web.id },
      attributes: { report: format, inspection, record: hash },
    }),
  )
  const host = record.web.fqdn.replaceAll(/[^\w.-]+/g, '-')
  const name = `tracking-report-${host}-${dayAt(Date.parse(record.recorded_at))}.${format}`
  return { name, type: types[format], bytes }
}
