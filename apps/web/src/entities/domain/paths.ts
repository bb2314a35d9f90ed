/** The page of a domain or of the host of a website. @param fqdn in any spelling */
export const domainPath = (fqdn: string): string => `/domains/${encodeURIComponent(fqdn)}`
