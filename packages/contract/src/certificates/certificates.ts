import { z } from 'zod'
import { messageFields } from '../messages/schema.ts'
import { route } from '../route.ts'
import { timestamp } from '../text.ts'
import { certificateStates, ipv6States, nameKinds } from './states.ts'

export const webCertificate = z
  .object({
    /** In ASCII. */
    name: z.string(),
    kind: z.enum(nameKinds),
    checked_at: timestamp,
    state: z.enum(certificateStates),
    /** Why browsers refuse the certificate, or why there is none. */
    reason: z.string().nullable(),
    ...messageFields('reason'),
    /** Since when it has been in a state that needs attention. */
    wrong_since: timestamp.nullable(),
    /** The last certificate that was seen; null if none was. */
    certificate: z
      .object({
        authority: z.string(),
        valid_from: timestamp,
        valid_to: timestamp,
        /** SHA-256. */
        fingerprint: z.string(),
        covers_name: z.boolean(),
        is_trusted: z.boolean(),
      })
      .nullable(),
    ipv6: z.object({
      state: z.enum(ipv6States),
      /** Since when it fails. */
      since: timestamp.nullable(),
      reason: z.string().nullable(),
      ...messageFields('reason'),
    }),
  })
  .meta({ id: 'WebCertificate' })
export type WebCertificate = z.output<typeof webCertificate>

export const certificatesRoutes = {
  listWebCertificates: route('GET', '/api/webs/:id/certificates', {
    summary:
      'The certificates of all names of a web, and whether they answer over IPv6, as last checked. Names are checked once an hour while the web is monitored.',
    access: { any: ['edit webs', 'view webs'] },
    response: z.object({ data: z.array(webCertificate) }),
  }),
} as const
