import { z } from 'zod'
import { text } from '../text.ts'
import { fqdn } from '../webs/fqdn.ts'

/** What the names of a trial-day web ("Schnuppertag") start with. */
export const trialDayPrefix = 'schnuppertag-'

export const requestTexts = {
  bnName: 'Must start with bn and digits',
  www: 'Do not include www',
  taken: 'A repo with this domain already exists!',
  customer: 'Must be an all uppercase word OR 6 digit number',
  codename: 'Must be an all lowercase word',
  codenameLength: 'Can`t be longer than 18 characters',
} as const

const codename = /^[a-zäöüß]+$/
const longestCodename = 18

const required = (label: string) => text(255).min(1, `${label} is required`)

export const bnName = required('TP number').regex(/^bn\d+[A-Za-z0-9_-]*$/, requestTexts.bnName)

export const futureDomain = fqdn.refine((value) => !value.includes('www'), requestTexts.www)

export const requestCustomer = required('Customer').regex(/^([A-ZÄÖÜ]+|\d{6})$/, requestTexts.customer)

/** A new web or a fork, as its form holds it. */
export const newWebForm = z.object({
  sourceRepo: required('Source repository').regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'Must be a repository'),
  bnName,
  futureDomain,
  customer: requestCustomer,
})

/** A trial-day web's one field. */
export const trialDayForm = z.object({
  codename: text(255)
    .min(1, 'Codename is required')
    .regex(codename, requestTexts.codename)
    .max(longestCodename, requestTexts.codenameLength),
})

/** Whether these are the names of a trial-day web. */
export const isTrialDayName = (name: string): boolean =>
  name.startsWith(trialDayPrefix) &&
  trialDayForm.safeParse({ codename: name.slice(trialDayPrefix.length) }).success

/**
 * The call's body. A trial-day web's bnName and futureDomain are one name that starts with `schnuppertag-`; whether the
 * source fits it, the server says.
 */
export const newWebRequest = z
  .object({
    sourceRepo: newWebForm.shape.sourceRepo,
    bnName: required('TP number'),
    futureDomain: required('Domain'),
    customer: requestCustomer,
  })
  .superRefine((request, context) => {
    const refuse = (path: 'bnName' | 'futureDomain', message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (request.bnName.startsWith(trialDayPrefix)) {
      if (!isTrialDayName(request.bnName)) refuse('bnName', requestTexts.codename)
      if (request.futureDomain !== request.bnName) refuse('futureDomain', 'Must be the same as the TP number')
      return
    }
    for (const field of ['bnName', 'futureDomain'] as const) {
      const parsed = newWebForm.shape[field].safeParse(request[field])
      for (const issue of parsed.error?.issues ?? []) refuse(field, issue.message)
    }
  })
  .meta({ id: 'NewWebRequest' })
export type NewWebRequest = z.output<typeof newWebRequest>
