/** The page of a domain or of the host of a website. @param fqdn in any spelling */
export const domainPath = (fqdn: string): string => `/domains/${encodeURIComponent(fqdn)}`

/** Mailboxes have no page of their own. */
export const mailboxPath = (address: string): string =>
  `/limitis/emails?${new URLSearchParams({ q: address })}`
