import type { VisitStop } from '@kustos/contract/tracking'
import { html, type Markup, quote } from './html.ts'
import type { ReportTexts } from './texts.ts'

/** Such as “Contact page /kontakt, at a desktop, in German”. */
export const nameStop = (
  { pages, visitors }: ReportTexts['visited'],
  { page, visitor, path }: VisitStop,
): Markup => html`${pages[page]} ${quote(path)}, ${visitors[visitor]}`

/** Whether it is not the start page as the first visitor, which is opened first. */
export const isElsewhere = (stop: VisitStop | undefined): stop is VisitStop =>
  stop !== undefined && (stop.page !== 'start' || stop.visitor !== 'desktop')
