/** What guides and settings have where an id belongs: X or 0 throughout, or words. */
const one = /^(?:[A-Z]{1,3}-)?([X0])\1*(?:[-/](?:[XY0-9])*)?$/i
const words = /X{4}|YOUR|EXAMPLE|PLACEHOLDER|TRACKING|MEASUREMENT|CONTAINER|PIXEL_?ID/i

/**
 * Whether what stands where an id belongs is none: `G-XXXXXXXXXX`, `UA-00000000-0`, `GTM-YOURID`. Vendors give their ids
 * out by chance or by number, so that a real one of these forms is not to be expected.
 */
export const isPlaceholder = (id: string): boolean => one.test(id) || words.test(id)
