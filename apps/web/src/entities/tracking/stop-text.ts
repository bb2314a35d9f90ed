import type { VisitStop } from '@kustos/contract/tracking'
import type { TFunction } from 'i18next'

/** Such as “Contact page /kontakt” or “Start page /, phone in English”. */
export function stopText({ page, visitor, path }: VisitStop, t: TFunction): string {
  const place = t(`tracking.visit.stops.pages.${page}`, { path })
  return visitor === 'desktop' ? place : `${place}, ${t(`tracking.visit.stops.visitors.${visitor}`)}`
}

/** Whether a visit saw it only elsewhere than on the start page at a desktop, which it sees first. */
export const isElsewhere = (stop: VisitStop | undefined): stop is VisitStop =>
  stop !== undefined && (stop.page !== 'start' || stop.visitor !== 'desktop')
