import type { ReportLanguage } from '@kustos/contract/reports'
import type { FullRecord } from '../record.ts'
import type { ReportTexts } from './texts.ts'

/** What the parts of a report are made from. */
export interface ReportView {
  readonly language: ReportLanguage
  readonly texts: ReportTexts
  readonly record: FullRecord
  /** Screenshots by their hash. */
  readonly images: ReadonlyMap<string, Buffer>
}
