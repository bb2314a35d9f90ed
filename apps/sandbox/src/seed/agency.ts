import type { WebDefinition } from './web.ts'
import data from './webs.json' with { type: 'json' }

/** Customers with nothing unusual about them. */
export const regularWebs = data.regular as readonly WebDefinition[]

/**
 * Webs that test the limits of a screen: every status, unknown values, extreme sizes, the longest host name, long lists and
 * texts, a comment that a spreadsheet would take for a formula, and one that a browser would take for markup.
 */
export const specialWebs = data.special as readonly WebDefinition[]

export const deletedWebs = data.deleted as readonly WebDefinition[]
