/** The page of a customer, with the draft of its tracking contract. */
export const draftContractPath = (code: string): string => `${customerPath(code)}?draft=1`

export const customerPath = (code: string): string => `/customers/${encodeURIComponent(code)}`
