/** X or 0 throughout. */
const repeatedCharacter = /^(?:[A-Z]{1,3}-)?([X0])\1*(?:[-/](?:[XY0-9])*)?$/i
const placeholderWord = /X{4}|YOUR|EXAMPLE|PLACEHOLDER|TRACKING|MEASUREMENT|CONTAINER|PIXEL_?ID/i

/**
 * Whether an id is a placeholder of a guide or of default settings: `G-XXXXXXXXXX`, `UA-00000000-0`, `GTM-YOURID`. Vendors
 * assign ids randomly or by number, so real ids hardly ever look like this.
 */
export const isPlaceholder = (id: string): boolean => repeatedCharacter.test(id) || placeholderWord.test(id)
