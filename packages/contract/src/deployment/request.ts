import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { requiredText } from '../text.ts'
import { fqdn } from '../webs/fqdn.ts'

/** For names of trial-day webs ("Schnuppertag"). */
export const trialDayPrefix = 'schnuppertag-'

const maxCodenameLength = 18

export const bnName = requiredText('tp_number_required').regex(
  /^bn\d+[A-Za-z0-9_-]*$/,
  issue('tp_number_invalid'),
)

export const futureDomain = fqdn.refine((value) => !value.includes('www'), issue('www_included'))

export const requestCustomer = requiredText('customer_required').regex(
  /^([A-ZÄÖÜ]+|\d{6})$/,
  issue('request_customer_invalid'),
)

/** The form of a new web or a fork. */
export const newWebForm = z.object({
  sourceRepo: requiredText('source_repository_required').regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    issue('repository_invalid'),
  ),
  bnName,
  futureDomain,
  customer: requestCustomer,
})

export const trialDayForm = z.object({
  codename: requiredText('codename_required')
    .regex(/^[a-zäöüß]+$/, issue('codename_invalid'))
    .max(maxCodenameLength, issue('codename_too_long', { max: maxCodenameLength })),
})

export const isTrialDayName = (name: string): boolean =>
  name.startsWith(trialDayPrefix) &&
  trialDayForm.safeParse({ codename: name.slice(trialDayPrefix.length) }).success

/**
 * The body of the route. Of a trial-day web, bnName and futureDomain are the same name, which starts with
 * `schnuppertag-`; the server checks whether the source fits.
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
