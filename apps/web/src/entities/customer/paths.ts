export const customerPath = (code: string): string => `/customers/${encodeURIComponent(code)}`
