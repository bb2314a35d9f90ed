import { z } from 'zod'
import { idParam, text, timestampInput } from '../text.ts'

/** Which incidents a list has. */
export const incidentFilters = {
  open: z.literal('1').optional(),
  acknowledged: z.enum(['0', '1']).optional(),
  /** The id of the user who has it. */
  assignee: idParam.optional(),
  /** The name of a node. */
  node: text(60).optional(),
  customer: text(255).optional(),
  /** Those that began since then. */
  since: timestampInput().optional(),
}
