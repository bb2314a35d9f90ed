import i18next from 'i18next'

/** The namespace that holds what contract and server say, by their English sentence. */
export const sentencesNamespace = 'sentences'

/** What varies from case to case: addresses of mails and pages, times as staff read them, numbers. */
const varying = /https?:\/\/[^\s…]+…?|[^\s@]+@[^\s@]+|\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d|\d+/g

/**
 * A sentence of the contract or the server in the user's language. What varies stands as {0}, {1} in the catalogue;
 * a sentence that it does not have comes back as it is.
 */
export function sentence(english: string): string {
  const parts: string[] = []
  const pattern = english.replace(varying, (part) => `{${parts.push(part) - 1}}`)
  const known: unknown = i18next.getResourceBundle(i18next.language, sentencesNamespace)
  if (typeof known !== 'object' || known === null) return english
  const translated: unknown = Reflect.get(known, pattern)
  if (typeof translated !== 'string') return english
  return translated.replace(/\{(\d+)\}/g, (_, index) => parts[Number(index)] ?? '')
}
