import { issue } from '../messages/message.ts'
import { exactLabel, visibleText } from '../text.ts'

const isOpenable = (code: string) => code !== '.' && code !== '..'
/** Browsers and other clients resolve these in the path of a customer. */
const dots = issue('customer_code_dots')

/** What webs, domains and mailboxes have in their field `customer`. */
export const customerCode = exactLabel(255).min(1, issue('customer_required')).refine(isOpenable, dots)

/** A code that no customer has yet. Older ones may have invisible characters and decomposed letters. */
export const newCustomerCode = visibleText(255).min(1, issue('customer_required')).refine(isOpenable, dots)
