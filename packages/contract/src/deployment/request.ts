import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { requiredText } from '../text.ts'
import { fqdn } from '../webs/fqdn.ts'

/** What the names of a trial-day web ("Schnuppertag") start with. */
export const trialDayPrefix = 'schnuppertag-'

const codename = /^[a-zäöüß]+$/
const longestCodename = 18

export const bnName = requiredText('tp_number_required').regex(
  /^bn\d+[A-Za-z0-9_-]*$/,
  issue('tp_number_invalid'),
)

export const futureDomain = fqdn.refine((value) => !value.includes('www'), issue('www_included'))

export const requestCustomer = requiredText('customer_required').regex(
  /^([A-ZÄÖÜ]+|\d{6})$/,
  issue('request_customer_invalid'),
)

/** A new web or a fork, as its form holds it. */
export const newWebForm = z.object({
  sourceRepo: requiredText('source_repository_required').regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    issue('repository_invalid'),
  ),
  bnName,
  futureDomain,
  customer: requestCustomer,
})

/** A trial-day web's one field. */
export const trialDayForm = z.object({
  codename: requiredText('codename_required')
    .regex(codename, issue('codename_invalid'))
    .max(longestCodename, issue('codename_too_long', { max: longestCodename })),
})

/** Whether these are the names of a trial-day web. */
export const isTrialDayName = (name: string): boolean =>
  name.startsWith(trialDayPrefix) &&
  trialDayForm.safeParse({ codename: name.slice(trialDayPrefix.length) }).success

/**
 * The call's body. A trial-day web's bnName and futureDomain are one name that starts with `schnuppertag-`; the server
 * checks whether the source fits.
 */
export const newWebRequest = z
  .object({
    sourceRepo: newWebForm.shape.sourceRepo,
    bnName: requiredText('tp_number_required'),
    futureDomain: requiredText('domain_required'),
    customer: requestCustomer,
  })
  .superRefine((request, context) => {
    const refuse = (path: 'bnName' | 'futureDomain', message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (request.bnName.startsWith(trialDayPrefix)) {
      if (!isTrialDayName(request.bnName)) refuse('bnName', issue('codename_invalid'))
      if (request.futureDomain !== request.bnName) refuse('futureDomain', issue('tp_number_not_the_domain'))
      return
    }
    for (const field of ['bnName', 'futureDomain'] as const) {
      const parsed = newWebForm.shape[field].safeParse(request[field])
      for (const issue of parsed.error?.issues ?? []) refuse(field, issue.message)
    }
  })
  .meta({ id: 'NewWebRequest' })
export type NewWebRequest = z.output<typeof newWebRequest>
