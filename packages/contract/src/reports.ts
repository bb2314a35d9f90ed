import { z } from 'zod'
import { file, route } from './route.ts'

export const reportFormats = ['html', 'pdf', 'json'] as const
export type ReportFormat = (typeof reportFormats)[number]

export const reportLanguages = ['en', 'de'] as const
export type ReportLanguage = (typeof reportLanguages)[number]

export const reportQuery = z.object({
  /** `json` is the record itself, whose SHA-256 the report names. */
  format: z.enum(reportFormats).default('html'),
  language: z.enum(reportLanguages).default('en'),
})
export type ReportQuery = z.output<typeof reportQuery>

/** A key that signatures of reports are verified with. */
export const reportKey = z
  .object({
    /** As the signatures name it: the beginning of the SHA-256 of the key (SPKI, DER), in hexadecimal. */
    id: z.string(),
    algorithm: z.literal('Ed25519'),
    /** In PEM. */
    public_key: z.string(),
    /** Whether new reports are signed with it. */
    current: z.boolean(),
  })
  .meta({ id: 'ReportKey' })
export type ReportKey = z.output<typeof reportKey>

export const reportsRoutes = {
  readReport: route('GET', '/api/inspections/:id/report', {
    summary:
      'The report of a tracking audit for a data protection officer, signed if the server has a key (docs/reports.md)',
    access: { any: ['view webs'] },
    query: reportQuery,
    response: file,
    fileType: 'text/html',
    errors: [409, 502],
  }),
  listReportKeys: route('GET', '/api/report-keys', {
    summary: 'The public keys that signatures of reports are verified with',
    access: 'public',
    response: z.object({ data: z.array(reportKey) }),
  }),
} as const
